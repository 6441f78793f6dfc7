import { CONTRACT_VERSION, isTool, type Tool } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { quote, toShownError, toShownText } from "../../register/create-finding.ts";
import { freezeDeep } from "../../schema/freeze-deep.ts";
import { validateSpec } from "../../schema/validate-spec.ts";
import { compareDefinitions } from "../checks/compare-definitions.ts";
import { isRefusal, type Refusal } from "../read/read-declaration.ts";
import type { ModuleExports } from "./module-load.ts";
import { bindTool, pickTool, type WantedTool } from "./pick-tool.ts";

/** Takes a tool from a module's exports and binds it to the definition that was listed; runs on any runtime. */
export function bindExport(exports: ModuleExports, wanted: WantedTool): Tool | Refusal {
  return guardTool(() => {
    const picked = pickTool(exports, wanted);
    return isTool(picked) ? bindListed(picked, wanted) : picked;
  });
}

function bindListed(tool: Tool, { name, spec: listed }: WantedTool): Tool | Refusal {
  const checked = checkTool(tool);
  if (isRefusal(checked)) return checked;
  const { spec } = checked;
  if (listed === undefined) {
    if (spec.name === name) return bindTool(tool, spec);
    return {
      code: "export_invalid",
      reason: `The tool calls itself ${quote(spec.name)}, its key is ${quote(name)}.`,
      fix: "Give both the same name.",
    };
  }
  const difference = compareDefinitions(listed, spec);
  if (difference === undefined) return bindTool(tool, listed);
  return {
    code: "definition_mismatch",
    reason: `The code's definition is not the listed one: ${difference}.`,
    fix: "Write the manifest again: aiw build",
  };
}

/** Gives the definition of a tool that this host can run, asked of it once. */
export function checkTool(tool: Tool): { readonly spec: ToolSpec } | Refusal {
  if (!(tool.contractVersion <= CONTRACT_VERSION)) {
    return {
      code: "core_version_unsupported",
      reason: `The tool speaks contract version ${String(tool.contractVersion)}, this host ${CONTRACT_VERSION}.`,
      fix: "Install a newer @aiw/core.",
    };
  }
  const { spec } = tool;
  const own = copyData(spec);
  const [issue] = validateSpec(own ?? spec);
  if (issue === undefined && own !== undefined) return { spec: freezeDeep(own) };
  const { pointer = "", message = "must be plain data" } = issue ?? {};
  return {
    code: "tool_definition_invalid",
    reason: `${pointer || "The spec"} ${toShownText(message)}.`,
    fix: "Correct the tool's definition.",
  };
}

/** What was checked must be what is offered, whatever the package does to its own object later; undefined for what is no data. */
function copyData<Value>(value: Value): Value | undefined {
  try {
    return structuredClone(value);
  } catch {
    return undefined;
  }
}

/** A getter or constructor of the package's own may throw. */
export function guardTool<Value>(step: () => Value | Refusal): Value | Refusal {
  try {
    return step();
  } catch (error) {
    return {
      code: "load_failed",
      reason: `Making the tool failed: ${toShownError(error)}`,
      fix: (AiwError.is(error) && error.fix) || "Correct the tool's definition and start again.",
    };
  }
}
