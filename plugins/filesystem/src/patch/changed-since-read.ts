import type { PatchedFile } from "./patch-files.ts";
import type { PlannedSection } from "./planned-section.ts";

/** Says of a file that was read and has changed since that the patch proved itself. */
export function changedSinceRead({ isStale }: PatchedFile, hunks: number): Pick<PlannedSection, "notices"> {
  if (!isStale || hunks === 0) return {};
  return {
    notices: [
      "file_changed_since_read: the file was changed by somebody else; read it before hunks that are no exact match.",
    ],
  };
}
