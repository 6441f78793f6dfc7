import * as path from "node:path";
import type { Tool } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { isRefusal, type Refusal } from "../read/read-declaration.ts";
import { bindExport } from "./bind-export.ts";
import { importEntry, type LoadPorts, type ModuleLocation } from "./import-entry.ts";

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
  return bindExport(entry.exports, location);
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
