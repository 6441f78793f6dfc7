import { oneLine } from "./one-line.ts";
import { wrapText } from "./wrap-text.ts";

/** Characters that the last column has at least; where the others leave less, it stands in lines of its own. */
const LEAST_TEXT = 24;

const STACKED = "    ";

/** What becomes of text that is longer than its line. */
export interface ColumnOptions {
  /** Cuts it, so that each row stays a line; otherwise it goes on below itself. */
  readonly cut: boolean;
}

/**
 * Lays rows out in columns two spaces apart; where people look, the last column is fitted to the width, at words. Where nobody
 * looks each row is a line.
 */
export function toColumns(
  cells: readonly (readonly string[])[],
  width?: number,
  { cut }: ColumnOptions = { cut: true },
): string {
  const rows = cells.map((row) => row.map(oneLine));
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const room = (width ?? Infinity) - widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0);
  return rows
    .map((row) => {
      const text = row.at(-1) ?? "";
      if (width !== undefined && room < LEAST_TEXT) return stack(row, width, cut);
      const lead = row.slice(0, -1).map((cell, column) => `${cell.padEnd(widths[column] ?? 0)}  `);
      return cut ? lead.join("") + cutText(text, room) : wrapText(text, { lead: lead.join(""), width });
    })
    .map((line) => line.trimEnd())
    .join("\n");
}

/** A row whose cells do not stand side by side: what it is called first, its text below. */
function stack(row: readonly string[], width: number, cut: boolean): string {
  const lines: string[] = [];
  for (const cell of row.slice(0, -1).filter((one) => one !== "")) {
    const line = lines.at(-1);
    const indent = /^ */.exec(row[0] ?? "")?.[0] ?? "";
    if (line !== undefined && line.length + 2 + cell.length <= width) lines[lines.length - 1] = `${line}  ${cell}`;
    else lines.push(lines.length === 0 ? cell : `${indent}  ${cell}`);
  }
  const text = row.at(-1) ?? "";
  const below = cut ? STACKED + cutText(text, width - STACKED.length) : wrapText(text, { lead: STACKED, width });
  return [...lines, ...(text === "" ? [] : [below])].join("\n");
}

/** Cuts before a word where one ends in the second half, and says that it did. */
function cutText(text: string, room: number): string {
  if (text.length <= room) return text;
  const most = text.slice(0, Math.max(1, room - 1));
  const end = text[most.length] === " " ? most.length : most.lastIndexOf(" ");
  return `${(end * 2 > most.length ? most.slice(0, end) : most).replace(/[\s.,;:]+$/, "")}…`;
}
