/** Breaks text at spaces into lines of a width, those after the first indented; text that nobody looks at stays one line. */
export function wrapText(text: string, { width, indent }: { width: number | undefined; indent: number }): string {
  if (width === undefined) return text;
  // A terminal too narrow for the indent gets lines that it breaks itself.
  const most = Math.max(width, indent + 20);
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    const room = lines.length === 0 ? most : most - indent;
    if (longer.length <= room || line === "") line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
}
