import { oneLine } from "./one-line.ts";

/** Lays rows out in columns two spaces apart, each a line of its own; the last column is cut to the width where people look. */
export function toColumns(cells: readonly (readonly string[])[], width?: number): string {
  const rows = cells.map((row) => row.map(oneLine));
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows
    .map((row) => {
      const line = row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
        .join("  ");
      return width !== undefined && line.length > width ? `${line.slice(0, Math.max(1, width - 1))}…` : line;
    })
    .map((line) => line.trimEnd())
    .join("\n");
}
