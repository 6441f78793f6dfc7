import { basename, dirname } from "node:path";
import type { PolicyContext } from "./policy-context.ts";
import type { Reading } from "./read-word.ts";
import { isInside, resolvePhysical } from "./resolve-path.ts";
import { getArguments, type SimpleCommand } from "./simple-command.ts";
import { readFindScope } from "./unwrap-find.ts";
import { deny, type Finding } from "./verdict.ts";

/** A pattern that matches everything in its directory. */
const EVERYTHING = /^[.*?]*\*[.*?]*$/;

/** Refuses to remove or re-own `/`, home, a root, what lies above them, or a mount. */
export function denyRemoval(program: string, command: SimpleCommand, context: PolicyContext): Finding | undefined {
  for (const target of findTargets(program, command)) {
    for (const directory of command.directories ?? ["\u0000unknown"]) {
      const path = resolveTarget(directory, target);
      const what = path === undefined ? undefined : describeProtected(path, context);
      if (what !== undefined) return deny("protected_tree", `${program} would take ${target.text}, which is ${what}`);
    }
  }
  return undefined;
}

/** Arguments that the command removes or re-owns; options that do not make it do so leave none. */
function findTargets(program: string, command: SimpleCommand): readonly Reading[] {
  const args = getArguments(command);
  const operands = args.filter(
    (arg, index) => !isOption(arg) || args.slice(0, index).some((each) => each.value === "--"),
  );
  switch (program) {
    case "rm":
      return hasOption(args, /^-[^-]*[rRd]/, ["--recursive", "--dir"]) ? operands : [];
    case "rmdir":
    case "chown":
    case "chgrp":
    case "shred":
      return operands;
    case "chmod":
      // A folder's own mode may change; only whole trees are protected.
      return hasOption(args, /^-[^-]*R/, ["--recursive"]) ? operands : [];
    case "mv":
      return hasOption(args, /^-[^-]*t/, ["--target-directory"]) ? operands : operands.slice(0, -1);
    case "rsync":
      return hasOption(args, /^--del/, []) ? operands.slice(-1) : [];
    case "find":
      return findDeleted(command);
    default:
      return [];
  }
}

function findDeleted(command: SimpleCommand): readonly Reading[] {
  const { starts, picks } = readFindScope(command);
  return !picks && getArguments(command).some((arg) => arg.value === "-delete") ? starts : [];
}

function isOption(arg: Reading): boolean {
  return arg.value?.startsWith("-") === true && arg.value !== "-";
}

/** Long options count by any abbreviation. */
function hasOption(args: readonly Reading[], short: RegExp, long: readonly string[]): boolean {
  return args.some(({ value }) => {
    if (value === undefined) return false;
    const name = value.split("=", 1)[0] ?? "";
    return short.test(value) || (name.length > 2 && long.some((each) => each.startsWith(name)));
  });
}

/** The directory that is taken, or whose whole content is; undefined when a pattern picks among entries. */
function resolveTarget(directory: string, target: Reading): string | undefined {
  const { value } = target;
  if (value === undefined || value === "") return undefined;
  if (directory.startsWith("\u0000") && !value.startsWith("/")) return undefined;
  const last = basename(value);
  if (target.glob && EVERYTHING.test(last)) return resolvePhysical(directory, dirname(value));
  if (target.glob && /[*?[]/.test(last)) return undefined;
  // A link is taken itself, unless the path goes on through it.
  const throughLink = /\/$|(^|\/)\.\.?$/.test(value);
  return throughLink
    ? resolvePhysical(directory, value)
    : resolvePhysical(directory, dirname(value)).replace(/\/$/, "") + `/${last}`;
}

function describeProtected(path: string, context: PolicyContext): string | undefined {
  if (path === "/" || path === "//") return "the whole file system";
  if (context.home !== undefined && isInside(path, context.home)) return "the home directory or above it";
  if (context.roots.some((root) => isInside(path, root))) return "a root of the workspace or above it";
  return context.mounts.includes(path) ? "a mount point" : undefined;
}
