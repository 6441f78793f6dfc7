import { wrapText } from "./wrap-text.ts";

/** Fits text that is in lines already to a width: what is too long is broken at spaces and goes on where its text begins. */
export function wrapLines(text: string, width: number | undefined): string {
  if (width === undefined) return text;
  return text
    .split("\n")
    .map((line) => (line.length <= width ? line : wrapLine(line, width)))
    .join("\n");
}

/** Makes one line of prose that was broken near a width nobody may have: what follows a long line and is no list goes on in it. */
export function joinLongLines(text: string): string {
  return text.replaceAll(/(?<=.{100})\n(?=[^\s-])/g, " ");
}

function wrapLine(line: string, width: number): string {
  // A name and two spaces begin a line of a table.
  const lead = /^ *\S+(?: [^ ]+)? {2,}/.exec(line)?.[0];
  if (lead !== undefined) return wrapText(line.slice(lead.length), { lead, width });
  // What goes on from an indented line stands deeper, so that nothing in it can pass for the next one.
  const indent = /^ */.exec(line)?.[0] ?? "";
  if (indent === "") return wrapText(line, { lead: "", width });
  const wrapped = wrapText(line.slice(indent.length), { lead: `${indent}  `, width });
  return indent + wrapped.slice(indent.length + 2);
}
