import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
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
    {
      suggestion: suggestWritingOut(shown, old),
      details: { line: omission.line, text: omission.text },
    },
  );
}

/** Says what to do about text that was left out, and what shows it. */
export function suggestWritingOut(shown: string, old: string): string {
  if (old === "") return "Write out what belongs there.";
  return `Write out what belongs there; read(file_paths=[${quoteName(shown)}]) shows what is there now.`;
}
