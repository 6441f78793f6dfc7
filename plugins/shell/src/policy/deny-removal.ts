import { basename, dirname, join, relative, sep } from "node:path";
import { RE2JS } from "re2js";
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
      const paths = resolveTargets(directory, target, context);
      const what = paths.map((path) => describeProtected(path, context)).find((each) => each !== undefined);
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

/** What is taken: a path, a directory whose whole content is, or the protected paths that a pattern matches. */
function resolveTargets(directory: string, target: Reading, context: PolicyContext): readonly string[] {
  const { value } = target;
  if (value === undefined || value === "") return [];
  if (directory.startsWith("\u0000") && !value.startsWith("/")) return [];
  if (target.glob) return resolvePattern(directory, value, context);
  // A link is taken itself, unless the path goes on through it.
  if (/\/$|(^|\/)\.\.?$/.test(value)) return [resolvePhysical(directory, value)];
  return [join(resolvePhysical(directory, dirname(value)), basename(value))];
}

/** Follows a pattern part by part, to the folders that matter and as if it were a name. */
function resolvePattern(directory: string, pattern: string, context: PolicyContext): readonly string[] {
  let places = [resolvePhysical(directory, pattern.startsWith("/") ? "/" : ".")];
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    if (isLast && EVERYTHING.test(part)) return places;
    const isPattern = /[*?[]/.test(part);
    const next = places.flatMap((place) => [
      isLast && part !== ".." ? join(place, part) : resolvePhysical(place, part),
      ...(isPattern ? findMatches(place, part, context) : []),
    ]);
    // Without doubles: `*/..` would multiply them.
    places = [...new Set(next)];
  }
  return places;
}

function findMatches(parent: string, pattern: string, { home, roots, mounts }: PolicyContext): readonly string[] {
  const kept = [...(home === undefined ? [] : [home]), ...roots, ...mounts];
  const children = kept
    .filter((path) => path !== parent && isInside(parent, path))
    .map((path) => join(parent, relative(parent, path).split(sep, 1)[0] ?? ""));
  return children.filter((path) => matchesPattern(basename(path), pattern));
}

/** Matches as the shell does, for one name; a pattern that cannot be read matches. */
function matchesPattern(name: string, pattern: string): boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
    .replaceAll("[!", "[^");
  try {
    return RE2JS.compile(source).matcher(name).matches();
  } catch {
    return true;
  }
}

function describeProtected(path: string, context: PolicyContext): string | undefined {
  if (path === "/" || path === "//") return "the whole file system";
  if (context.home !== undefined && isInside(path, context.home)) return "the home directory or above it";
  if (context.roots.some((root) => isInside(path, root))) return "a root of the workspace or above it";
  return context.mounts.includes(path) ? "a mount point" : undefined;
}
