import type { BenchResult, JudgedBudget } from "./run-bench.ts";

/** The table of a bench and a line per budget. */
export function formatResult({ title, base, measure, unit = "ms", rows, budgets }: BenchResult): string {
  const how = measure === "process" ? "whole process" : "as reported";
  const table = [
    ["", `p10 ${unit}`, `median ${unit}`, `÷ ${base}`],
    ...rows.map(({ name, p10, median, ratio }) => [name, toDigits(p10), toDigits(median), ratio.toFixed(2)]),
  ];
  return [`${title} (${how}, ${rows[0]?.samples ?? 0} samples)`, ...alignColumns(table), ...budgets.map(formatBudget)]
    .map((line, index) => (index === 0 ? line : `  ${line}`))
    .join("\n");
}

function formatBudget({ claim, ratio, holds }: JudgedBudget): string {
  return `${holds ? "holds " : "MISSED"}  ${claim}: ${ratio.toFixed(2)}`;
}

/** Four figures tell all that repeats. */
function toDigits(milliseconds: number): string {
  return milliseconds >= 1 ? milliseconds.toFixed(2) : milliseconds.toPrecision(3);
}

function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  "),
  );
}
