import { filesystemError } from "../errors.ts";
import { findOmission } from "./find-omission.ts";

/**
 * Refuses a text with a line that stands for text left out.
 * @throws ToolError `omission_placeholder`.
 */
export function refuseOmission(
  text: string,
  { old, path, shown }: { readonly old: string; readonly path: string; readonly shown: string },
): void {
  const omission = findOmission(text, { old, path });
  if (omission === undefined) return;
  throw filesystemError(
    "omission_placeholder",
    `Line ${omission.line} stands for text that was left out: ${JSON.stringify(omission.text)}: ${shown}`,
    { suggestion: "Write out what belongs there.", details: { line: omission.line, text: omission.text } },
  );
}
