import * as path from "node:path";
import { CONTRACT_VERSION, isTool, type Tool } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { freezeDeep } from "../../schema/freeze-deep.ts";
import { validateSpec } from "../../schema/validate-spec.ts";
import { quote, toShownError, toShownText } from "../../register/create-finding.ts";
import { compareDefinitions } from "../checks/compare-definitions.ts";
import { isRefusal, type Refusal } from "../read/read-declaration.ts";
import { importEntry, type LoadPorts, type ModuleLocation } from "./import-entry.ts";
import { bindTool, pickTool } from "./pick-tool.ts";

/** Where one tool's code is, and what was said of it. */
export interface ToolLocation extends ModuleLocation {
  readonly name: string;
  readonly export: string;
  /** The manifest's spec; absent in an entry map, whose tools tell it themselves. */
  readonly spec: ToolSpec | undefined;
}

/** Loads a tool's module and binds its export to the definition that was listed. */
export async function loadTool(
  location: ToolLocation,
  ports: LoadPorts,
  // A static manifest was written by running the module; of the other forms nobody has seen it survive its import.
  how: { readonly trial: boolean } = { trial: location.spec === undefined },
): Promise<Tool | Refusal> {
  const other = checkRunning(location, ports);
  if (other !== undefined) return other;
  const entry = await importEntry(location, ports, how);
  if (isRefusal(entry)) return entry;
  return guardTool(() => {
    const picked = pickTool(entry.exports, location);
    return isTool(picked) ? bindListed(picked, location) : picked;
  });
}

/** Another registry of this process may have run the code of another version: Node gives that code to everybody. */
function checkRunning({ packageKey, version, dir, module }: ToolLocation, { modules }: LoadPorts): Refusal | undefined {
  const running = version === undefined ? undefined : modules.versionOf(path.join(dir, module));
  if (running === undefined || running === version) return undefined;
  return {
    code: "restart_required",
    reason: `${packageKey} is listed as version ${version}, but code of ${running} runs in this process and cannot be unloaded.`,
    fix: "Start again to use what is installed.",
  };
}

function bindListed(tool: Tool, { name, spec: listed }: ToolLocation): Tool | Refusal {
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
