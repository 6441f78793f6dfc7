import * as path from "node:path";
import { escapeHiddenText } from "@aiw/core";
import type { Diagnostic } from "./diagnostic.ts";

/** How a diagnostic is written. */
export interface FormatDiagnosticOptions {
  /** Files below it are named relative to it. */
  readonly cwd: string;
  /** The line of source the diagnostic points at is shown when its file's text is given. */
  readonly readFile?: (file: string) => string | undefined;
}

const SHOWN_COLUMNS = 100;

/** Writes a diagnostic for a person: where, what, the line with a caret, and what to write. */
export function formatDiagnostic(diagnostic: Diagnostic, { cwd, readFile }: FormatDiagnosticOptions): string {
  const { file, line, column, severity, code, message, fix } = diagnostic;
  const place = `${toShown(relativeTo(cwd, file))}:${line}:${column}`;
  const source = readFile?.(file)?.split(/\r\n|\n|\r/)[line - 1];
  return [
    `${place} ${severity} ${code} ${toShown(message)}`,
    ...(source === undefined ? [] : excerpt(source, column)),
    `  ${toShown(fix)}`,
  ].join("\n");
}

function relativeTo(cwd: string, file: string): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith("..") || path.isAbsolute(relative) ? file : relative.replaceAll("\\", "/");
}

/** Long lines are cut around the column. */
function excerpt(source: string, column: number): string[] {
  const start = Math.max(0, column - 1 - SHOWN_COLUMNS / 2);
  const before = toShown(source.slice(start, column - 1).replaceAll("\t", " "));
  const after = toShown(source.slice(column - 1, start + SHOWN_COLUMNS).replaceAll("\t", " "));
  return [`    ${before}${after}`.trimEnd(), `    ${" ".repeat(before.length)}^`];
}

/** Foreign text on one line, hidden characters escaped. */
function toShown(text: string): string {
  return escapeHiddenText(text).replaceAll(/[\r\n]+/g, " ");
}
