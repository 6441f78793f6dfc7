import { dirname } from "node:path";
import type { PolicyContext } from "./policy-context.ts";
import { SUBSTITUTED, type Reading } from "./read-word.ts";
import { hasEscapingEntry, hasOptionLikeEntry, isInsideRoots, resolvePhysical } from "./resolve-path.ts";
import type { SimpleCommand } from "./simple-command.ts";
import { ask, unsafe, type Finding } from "./verdict.ts";

/** Undefined when every path lies inside the roots from wherever the command may run. */
export function judgePaths(
  paths: readonly Reading[],
  command: SimpleCommand,
  context: PolicyContext,
): Finding | undefined {
  for (const path of paths) {
    const finding = judgePath(path, command, context);
    if (finding !== undefined) return finding;
  }
  if (command.directories?.every((directory) => isInsideRoots(context.roots, directory)) === true) return undefined;
  return paths.length > 0 && paths.every((path) => path.value?.startsWith("/") === true)
    ? undefined
    : ask("unknown_directory", "where it would run is not known to be inside the workspace");
}

function judgePath(path: Reading, command: SimpleCommand, context: PolicyContext): Finding | undefined {
  const { value, text, glob } = path;
  if (value === undefined) return ask("dynamic_argument", `${text} is only known at run time`);
  if (value === "-" || value === "" || value === "/dev/null" || value === SUBSTITUTED) return undefined;
  const directories = value.startsWith("/") ? ["/"] : command.directories;
  if (directories === undefined) return ask("unknown_directory", `where ${text} lies is not known`);
  for (const directory of directories) {
    const reason = glob ? findGlobProblem(value, directory, context) : undefined;
    if (reason !== undefined) return unsafe("glob", `${text} ${reason}`);
    if (!isInsideRoots(context.roots, resolvePhysical(directory, value))) {
      return unsafe("outside_roots", `${text} lies outside the workspace`);
    }
  }
  return undefined;
}

/** A pattern must stand in the last part only, and nothing it may match may lead elsewhere or look like an option. */
function findGlobProblem(value: string, directory: string, context: PolicyContext): string | undefined {
  const parent = dirname(value);
  if (/[*?[]/.test(parent)) return "matches in folders that are not listed here";
  const place = resolvePhysical(directory, parent);
  if (!isInsideRoots(context.roots, place)) return "lies outside the workspace";
  if (/^[*?[]/.test(value) && hasOptionLikeEntry(place)) return "matches names that look like options";
  return hasEscapingEntry(place, context.roots) ? "may match links that lead outside the workspace" : undefined;
}
