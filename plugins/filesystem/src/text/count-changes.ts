import type { LineCounts } from "@aiw/core/node";
import { diffHunks } from "./show-diff.ts";

/** Counts the lines that a change of a text adds and takes away, as its diff would show them. */
export function countChanges(before: string, after: string): LineCounts {
  if (before === after) return { additions: 0, deletions: 0 };
  const lines = diffHunks(before, after).flatMap((hunk) => hunk.lines);
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return { additions: count("+"), deletions: count("-") };
}
