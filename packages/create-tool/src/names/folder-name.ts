import { oneLine } from "./plain-text.ts";

/** Says why no folder is called so; undefined for a name that can be shown, and typed again. */
export function folderNameProblem(directory: string): string | undefined {
  if (directory.trim() === "") return "The folder needs a name.";
  if (oneLine(directory) !== directory) return `The folder's name has invisible characters: ${oneLine(directory)}.`;
  return undefined;
}
