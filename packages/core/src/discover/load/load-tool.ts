import * as path from "node:path";
import { CONTRACT_VERSION, isTool, type Tool } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { validateSpec } from "../../schema/validate-spec.ts";
import { quote, toShownText } from "../../register/create-finding.ts";
import { bindTool, pickTool } from "./pick-tool.ts";
import { compareDefinitions } from "../checks/compare-definitions.ts";
import { explainLoadFailure } from "./explain-load-failure.ts";
import type { ModuleLoader } from "./module-loader.ts";
import { toErrno, type DiscoveryFileSystem } from "../discovery-ports.ts";
import type { Refusal } from "../read/read-declaration.ts";

/** Where one tool's code is, and what was said of it. */
export interface ToolLocation {
  readonly packageKey: string;
  readonly name: string;
  /** The package as located: what is imported. */
  readonly dir: string;
  /** With links followed: what the module must stay inside. */
  readonly realDir: string;
  readonly module: string;
  readonly export: string;
  /** The manifest's spec; absent in an entry map, whose tools tell it themselves. */
  readonly spec: ToolSpec | undefined;
}

/** What loading needs of the world. */
export interface LoadToolPorts {
  readonly fs: Pick<DiscoveryFileSystem, "realpathSync">;
  readonly modules: ModuleLoader;
}

/** Loads a tool's module and binds its export to the definition that was listed. */
export async function loadTool(location: ToolLocation, { fs, modules }: LoadToolPorts): Promise<Tool | Refusal> {
  const file = path.join(location.dir, location.module);
  const outside = checkContainment(location, file, fs);
  if (outside !== undefined) return outside;
  // A static manifest was written by running the module; of the other forms nobody has seen it survive its import.
  const outcome = await modules.load(file, location.packageKey, { trial: location.spec === undefined });
  if (outcome.kind === "exited") {
    return refuse(
      "load_exited",
      `${location.module} ended its process while it was loading.`,
      `Remove ${location.packageKey}, or ask its author.`,
    );
  }
  if (outcome.kind === "timed_out") {
    const seconds = outcome.afterMs / 1000;
    return refuse(
      "load_timed_out",
      `${location.module} did not finish loading within ${seconds} s.`,
      "Start again; move work out of the module's top level.",
    );
  }
  if (outcome.kind === "failed") return explainLoadFailure(outcome.error, location);
  return recognise(location, outcome.exports);
}

function checkContainment(
  { dir, realDir, module }: ToolLocation,
  file: string,
  fs: LoadToolPorts["fs"],
): Refusal | undefined {
  const real = realPathOf(file, fs);
  if (typeof real === "object") {
    const isGone = typeof realPathOf(dir, fs) === "object";
    if (isGone)
      return refuse("package_removed", `${dir} is no longer there.`, "Install the package again and start again.");
    return refuse(
      "entry_missing",
      `${module} is not in the package (${real.errno}).`,
      'Was it built? Is it in "files" of package.json?',
    );
  }
  if (real.startsWith(realDir + path.sep)) return undefined;
  if (realPathOf(dir, fs) !== realDir)
    return refuse("restart_required", `${dir} was replaced after it was listed.`, "Start again.");
  return refuse(
    "path_escapes_package",
    `${module} is a link that leaves the package.`,
    "Put the file itself into the package.",
  );
}

function realPathOf(file: string, fs: LoadToolPorts["fs"]): string | { readonly errno: string } {
  try {
    return fs.realpathSync(file);
  } catch (error) {
    return { errno: toErrno(error) };
  }
}

function recognise(location: ToolLocation, exports: Readonly<Record<string, unknown>>): Tool | Refusal {
  const picked = guard(() => pickTool(exports, location));
  if (!isTool(picked)) return picked;
  if (!(picked.contractVersion <= CONTRACT_VERSION)) {
    return refuse(
      "core_version_unsupported",
      `The tool speaks contract version ${String(picked.contractVersion)}, this host ${CONTRACT_VERSION}.`,
      "Install a newer @aiw/core.",
    );
  }
  return guard(() => bind(location, picked));
}

function bind({ name, spec: listed }: ToolLocation, tool: Tool): Tool | Refusal {
  const { spec } = tool;
  const [issue] = validateSpec(spec);
  if (issue !== undefined) {
    return refuse(
      "tool_definition_invalid",
      `${issue.pointer || "The spec"} ${toShownText(issue.message)}.`,
      "Correct the tool's definition.",
    );
  }
  if (listed === undefined) {
    if (spec.name === name) return bindTool(tool, spec);
    return refuse(
      "export_invalid",
      `The tool calls itself ${quote(spec.name)}, its key is ${quote(name)}.`,
      "Give both the same name.",
    );
  }
  const difference = compareDefinitions(listed, spec);
  if (difference === undefined) return bindTool(tool, listed);
  return refuse(
    "definition_mismatch",
    `The code's definition is not the listed one: ${difference}.`,
    "Write the manifest again with writeManifest() of @aiw/core/node.",
  );
}

/** A getter or constructor of the package's own may throw. */
function guard(step: () => Tool | Refusal): Tool | Refusal {
  try {
    return step();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return refuse(
      "load_failed",
      `Making the tool failed: ${toShownText(message)}`,
      "Correct the tool's definition and start again.",
    );
  }
}

function refuse(code: Refusal["code"], reason: string, fix: string): Refusal {
  return { code, reason, fix };
}
