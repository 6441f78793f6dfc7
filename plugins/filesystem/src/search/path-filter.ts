import { hasFolders, matchPath, type GlobBranch } from "@aiw/core/node";
import { assertFewBranches, parseGlob } from "./parse-glob.ts";

/** Chooses files by patterns; a pattern without `/` is about the name at any depth, another about the path. */
export interface PathFilter {
  /** Whether a file is wanted; `names` are counted from the folder searched. */
  admits(names: readonly string[]): boolean;
  /** Whether `excludes` is true of some. */
  readonly hasExclusions: boolean;
  /** Whether nothing below a folder is wanted. */
  excludes(folder: readonly string[]): boolean;
}

/** What a filter is made of. */
export interface PathFilterRules {
  /** When not empty, only what one of them names, or what lies in a folder so named. */
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
}

/**
 * Makes a filter.
 * @throws ToolError `invalid_glob`.
 */
export function createPathFilter({ include = [], exclude = [] }: PathFilterRules): PathFilter {
  const wanted = include.flatMap(toAnywhere);
  const unwanted = exclude.flatMap(toAnywhere);
  assertFewBranches(wanted.length + unwanted.length);
  const excludes = (names: readonly string[]): boolean => unwanted.length > 0 && matchesWithin(unwanted, names);
  return {
    admits: (names) => (wanted.length === 0 || matchesWithin(wanted, names)) && !excludes(names),
    hasExclusions: unwanted.length > 0,
    excludes,
  };
}

function toAnywhere(pattern: string): readonly GlobBranch[] {
  const branches = parseGlob(pattern);
  return hasFolders(pattern) ? branches : branches.map((branch) => [{ kind: "folders" }, ...branch]);
}

/** Whether a pattern fits a path or a folder on its way. */
function matchesWithin(branches: readonly GlobBranch[], names: readonly string[]): boolean {
  return branches.some((branch) => names.some((_, index) => matchPath(branch, names.slice(0, index + 1))));
}
