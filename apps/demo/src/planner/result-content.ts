import { isRecord, numberField, ownField, parseJson, stringField, stringsOf } from "./json.ts";
import type { CallOutcome } from "./read-results.ts";

/** One place where a search found something. */
export interface Hit {
  path: string;
  line: number;
  text: string;
}

/** The paths a listing or a file search gave, directories marked by a final slash. */
export function pathsIn({ value }: CallOutcome): string[] {
  const inner = unwrap(value);
  if (typeof inner === "string")
    return inner
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .slice(0, 2_000);
  if (Array.isArray(inner)) return inner.flatMap(entryPath);
  for (const name of ["paths", "files", "entries", "matches", "items", "results"]) {
    const field = ownField(inner, name);
    if (Array.isArray(field)) return field.flatMap(entryPath);
  }
  return [];
}

/** The total a listing or search claims, where it gives one. */
export function totalIn({ value }: CallOutcome): number | undefined {
  return numberField(value, "total") ?? numberField(value, "total_matches");
}

/** The text of a result: of a file, a page or a command. */
export function textIn({ value }: CallOutcome): string {
  const inner = unwrap(value);
  if (typeof inner === "string") return inner;
  for (const name of ["content", "output", "text", "body", "result", "stdout", "markdown"]) {
    const text = stringField(inner, name);
    if (text !== undefined) return text;
  }
  return inner === undefined ? "" : (JSON.stringify(inner, undefined, 2) ?? "");
}

/** The files of a reading result by path, line numbers taken off. */
export function fileTexts(outcome: CallOutcome, asked: readonly string[]): Map<string, string> {
  const text = textIn(outcome);
  const known = new Set([...asked, ...pathsOfRecords(ownField(outcome.value, "files"))]);
  const texts = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of text.split("\n")) {
    const header = /^=== (.{1,1000}) ===$/u.exec(line)?.[1];
    if (header !== undefined && known.has(header)) {
      current = [];
      texts.set(header, current);
    } else {
      current?.push(line);
    }
  }
  const [only] = asked;
  if (texts.size === 0 && only !== undefined && asked.length === 1) texts.set(only, text.split("\n"));
  return new Map([...texts].map(([path, lines]) => [path, withoutNumbers(lines)]));
}

/** The hits of a search, whichever way the result writes them. */
export function hitsIn(outcome: CallOutcome): Hit[] {
  const matches = ownField(unwrap(outcome.value), "matches");
  const list: unknown = Array.isArray(outcome.value) ? outcome.value : matches;
  if (Array.isArray(list)) return list.flatMap(recordHit);
  return textHits(textIn(outcome));
}

function textHits(text: string): Hit[] {
  const hits: Hit[] = [];
  let path = "";
  for (const line of text.split("\n").slice(0, 5_000)) {
    const grouped = /^\s{1,8}(\d{1,9}): ?(.*)$/u.exec(line);
    const flat = /^([^\s:][^:\n]{0,500}):(\d{1,9}):(?:\d{1,9}:)?(.*)$/u.exec(line);
    if (grouped !== null && path !== "") hits.push({ path, line: Number(grouped[1]), text: grouped[2] ?? "" });
    else if (flat !== null) hits.push({ path: flat[1] ?? "", line: Number(flat[2]), text: flat[3] ?? "" });
    else if (/^\S/u.test(line)) path = line.replace(/^=== (.*) ===$/u, "$1").replace(/:$/u, "");
  }
  return hits;
}

function recordHit(match: unknown): Hit[] {
  const path = stringField(match, "path") ?? stringField(match, "file");
  if (path === undefined) return [];
  const line = numberField(match, "line") ?? numberField(match, "line_number") ?? 1;
  return [{ path, line, text: stringField(match, "text") ?? stringField(match, "content") ?? "" }];
}

/** A tool that gives no object has its answer under `value`, or as JSON text. */
function unwrap(value: unknown): unknown {
  const inner: unknown = isRecord(value) && Object.hasOwn(value, "value") ? value["value"] : value;
  if (typeof inner !== "string" || !/^\s*[[{]/u.test(inner)) return inner;
  const parsed = parseJson(inner);
  return Array.isArray(parsed) && parsed.every((item) => typeof item === "string" || isRecord(item)) ? parsed : inner;
}

function entryPath(entry: unknown): string[] {
  if (typeof entry === "string") return [entry];
  const path = stringField(entry, "path") ?? stringField(entry, "name");
  if (path === undefined) return [];
  const kind = stringField(entry, "kind") ?? stringField(entry, "type");
  return [/^dir/i.test(kind ?? "") && !path.endsWith("/") ? `${path}/` : path];
}

function pathsOfRecords(value: unknown): string[] {
  return Array.isArray(value)
    ? value.flatMap((item) => [...stringsOf([item]), ...stringsOf([stringField(item, "path")])])
    : [];
}

function withoutNumbers(lines: readonly string[]): string {
  const kept = lines.filter((line, index) => !(index === 0 && /^\[lines? \d/u.test(line)) && !/^\[next: /u.test(line));
  const filled = kept.filter((line) => line !== "");
  const numbered = filled.length > 0 && filled.every((line) => /^\s*\d+\t/u.test(line));
  return (numbered ? kept.map((line) => line.replace(/^\s*\d+\t/u, "")) : kept).join("\n");
}
