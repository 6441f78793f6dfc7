/** Characters of a line that are shown; the rest is counted. */
export const LINE_CHARS = 2000;

const NUMBER_COLUMNS = 6;

/** Puts a line's number before it, right-aligned in six columns and followed by a tab. */
export function numberLine(line: number, text: string): string {
  return `${String(line).padStart(NUMBER_COLUMNS)}\t${text}`;
}

/** Says how much of a line was left out; of a line that goes on, how much at least. */
export function markCut(
  text: string,
  { omitted, isOpen }: { readonly omitted: number; readonly isOpen?: true },
): string {
  return omitted === 0 ? text : `${text}… [+${omitted} chars${isOpen === true ? " or more" : ""}]`;
}
