import { matchPath } from "../glob/match-path.ts";
import { hasFolders, parseGlob, type GlobBranch, type GlobProblem } from "../glob/parse-glob.ts";
import { foldForRules } from "./fold-for-rules.ts";

/** One alternative of a deny rule: what it names in full, and what the rest of it matches below. */
export interface DenyBranch {
  /** Names from the top for an absolute rule; else from the working directory and each root, `..` among them. */
  readonly base: readonly string[];
  readonly isAbsolute: boolean;
  /** Empty when `base` itself is what is denied. */
  readonly rest: GlobBranch;
  /** `rest` as names are folded for rules. */
  readonly foldedRest: GlobBranch;
}

/** A deny rule read, or why it cannot be. */
export type DenyReading =
  | { readonly branches: readonly DenyBranch[]; readonly problem?: undefined }
  | { readonly branches?: undefined; readonly problem: GlobProblem };

/** Reads a deny rule: a path pattern, at any depth when it has no `/` or begins with `**`. */
export function readDenyPattern(pattern: string, platform: NodeJS.Platform): DenyReading {
  if (pattern.startsWith("!")) return { problem: NO_EXCEPTIONS };
  // On Windows a backslash separates names, so it cannot keep a character from being a wildcard.
  const text = platform === "win32" ? pattern.replaceAll("\\", "/") : pattern;
  const exact = parseGlob(text);
  if (exact.problem !== undefined) return { problem: exact.problem };
  const folded = parseGlob(foldPattern(text)).branches ?? [];
  const isAbsolute = text.startsWith("/") || (platform === "win32" && /^[A-Za-z]:\//u.test(text));
  const isAnywhere = !hasFolders(text);
  const branches: DenyBranch[] = [];
  for (const [index, branch] of exact.branches.entries()) {
    const foldedBranch = folded[index] ?? branch;
    if (isAnywhere) {
      branches.push({ base: [], isAbsolute, rest: [ANY_DEPTH, ...branch], foldedRest: [ANY_DEPTH, ...foldedBranch] });
    }
    const split = splitBranch(branch);
    if (split === undefined) return { problem: NO_WAY_UP };
    // A name for any depth is also a path, so that what a link of that name leads to is known.
    if (isAnywhere && split.base.length === 0) continue;
    const { base, rest } = split;
    branches.push({ base, isAbsolute, rest, foldedRest: foldedBranch.slice(branch.length - rest.length) });
  }
  return { branches };
}

/** Says why a deny rule cannot be read. */
export function findDenyProblem(
  pattern: string,
  platform: NodeJS.Platform = process.platform,
): GlobProblem | undefined {
  return readDenyPattern(pattern, platform).problem;
}

/** Whether names below a rule's base, or folders on the way to them, are what the rest of it matches. */
export function matchesDenied(branch: DenyBranch, names: readonly string[], folded: readonly string[]): boolean {
  return names.some((_, index) => {
    return (
      matchPath(branch.rest, names.slice(0, index + 1)) || matchPath(branch.foldedRest, folded.slice(0, index + 1))
    );
  });
}

const ANY_DEPTH = { kind: "folders" } as const;

const NO_EXCEPTIONS: GlobProblem = {
  message: "A deny rule has no exceptions: it cannot begin with !.",
  suggestion: "Name what is denied and nothing else; write \\! for a name that begins so.",
};

const NO_WAY_UP: GlobProblem = {
  message: 'In a deny rule ".." can only stand before the first wildcard.',
  suggestion: "Write the path without it.",
};

/** Takes the names off a branch's front that have no wildcards, `..` resolved as far as it can be. */
function splitBranch(branch: GlobBranch): { base: string[]; rest: GlobBranch } | undefined {
  const base: string[] = [];
  let taken = 0;
  for (const segment of branch) {
    if (segment.kind !== "name" || segment.literal === undefined) break;
    if (segment.literal === ".." && base.length > 0 && base.at(-1) !== "..") base.pop();
    else base.push(segment.literal);
    taken += 1;
  }
  const rest = branch.slice(taken);
  return rest.some((segment) => segment.kind === "name" && segment.literal === "..") ? undefined : { base, rest };
}

/** Upper case has no place in a folded pattern, so a class of it would match nothing. */
function foldPattern(pattern: string): string {
  return foldForRules(pattern).replaceAll("[:upper:]", "[:lower:]");
}
