import { findJsonError } from "../../schema/find-json-error.ts";

/** What a text means, or where it stops being JSON; lines and columns count from 1. */
export type ParsedJson =
  | { readonly value: unknown; readonly error?: undefined }
  | { readonly error: string; readonly line: number; readonly column: number };

/** Parses JSON and computes the place of an error, which engines do not always name. */
export function parseJson(text: string): ParsedJson {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    const { position, expected } = findJsonError(text) ?? { position: text.length, expected: "JSON" };
    const before = text.slice(0, position).split("\n");
    const line = before.length;
    const column = (before.at(-1)?.length ?? 0) + 1;
    const what = position >= text.length ? `ends where ${expected} is expected` : `expected ${expected}`;
    return { error: `line ${line}, column ${column}: ${what}`, line, column };
  }
}
