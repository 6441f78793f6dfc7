import { CONTRACT_VERSION, TOOL_BRAND, type Tool } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { ToolError } from "../../errors/tool-error.ts";

/** A tool that is data alone: the executor of its type does the work. */
export function toDataTool(spec: ToolSpec | undefined, name: string): Tool {
  if (spec === undefined) throw new AiwError("load_failed", `${name} has neither a definition nor a module.`);
  return Object.freeze({
    [TOOL_BRAND]: true as const,
    contractVersion: CONTRACT_VERSION,
    spec,
    execute: () => {
      throw new ToolError(
        "executor_missing",
        `${name} is run by an executor for the type ${JSON.stringify(spec.type)}.`,
      );
    },
  });
}
