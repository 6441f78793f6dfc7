/** Characters a line keeps for text, however narrow the terminal: it breaks longer ones itself. */
const LEAST = 20;

/** Puts text behind a lead, in lines of a width broken at spaces and aligned; where nobody looks it stays one line. */
export function wrapText(text: string, { lead, width }: { lead: string; width: number | undefined }): string {
  if (width === undefined) return lead + text;
  const room = Math.max(width - lead.length, LEAST);
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of text.split(" ")) {
    if (line !== undefined && line.length + 1 + word.length > room) {
      lines.push(line);
      line = undefined;
    }
    line = line === undefined ? word : `${line} ${word}`;
  }
  return lead + [...lines, line ?? ""].join(`\n${" ".repeat(lead.length)}`);
}
