import {
  MOST_BRANCHES,
  parseGlob as readGlob,
  tooManyBranches,
  type GlobBranch,
  type GlobProblem,
} from "@aiw/core/node";
import { filesystemError } from "../errors.ts";

/**
 * Reads a path pattern: `*`, `?`, `[set]`, `{a,b}`, `{1..3}`, `**`, and `\` before a character meant as such.
 * @throws ToolError `invalid_glob` with the position and a corrected form.
 */
export function parseGlob(pattern: string): readonly GlobBranch[] {
  const { branches, problem } = readGlob(pattern);
  if (problem !== undefined) throw invalidGlob(problem);
  return branches;
}

/**
 * Bounds what the patterns of one call stand for together.
 * @throws ToolError `invalid_glob`.
 */
export function assertFewBranches(count: number): void {
  if (count > MOST_BRANCHES) throw invalidGlob(tooManyBranches());
}

function invalidGlob({ message, suggestion, position, corrected }: GlobProblem) {
  return filesystemError("invalid_glob", message, {
    suggestion,
    ...(position !== undefined && { details: { position, ...(corrected !== undefined && { corrected }) } }),
  });
}
