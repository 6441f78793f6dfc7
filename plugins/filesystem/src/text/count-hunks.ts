import type { LineCounts } from "@aiw/core/node";
import type { StructuredPatchHunk } from "diff";

/** Counts the lines that hunks of a diff add and take away. */
export function countHunks(hunks: readonly StructuredPatchHunk[]): LineCounts {
  let [additions, deletions] = [0, 0];
  for (const { lines } of hunks) {
    for (const line of lines) {
      if (line.startsWith("+")) additions += 1;
      else if (line.startsWith("-")) deletions += 1;
    }
  }
  return { additions, deletions };
}
