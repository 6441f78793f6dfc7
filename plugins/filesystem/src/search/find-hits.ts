import { RE2JS, type Matcher } from "re2js";
import type { RegexSource } from "./compile-regex.ts";
import { toLines } from "./search-text.ts";

/** How a text is searched. */
export interface HitRequest {
  readonly regex: RegexSource;
  readonly multiline: boolean;
  readonly invert: boolean;
  /** Hits to keep; all are counted. */
  readonly keep: number;
}

/** A hit before its lines are proved. */
export interface RawHit {
  readonly line: number;
  readonly endLine: number;
  readonly start: number;
  readonly length: number;
}

/** What was found in one text. */
export interface TextHits {
  readonly total: number;
  readonly hits: readonly RawHit[];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Makes a searcher of one pattern; its time is linear in the text. */
export function createHitFinder(request: HitRequest): (text: string) => TextHits {
  const regex = RE2JS.compile(request.regex.source, request.regex.flags);
  return (text) => (request.multiline ? findAcrossLines(regex, text, request) : findByLine(regex, text, request));
}

function findByLine(regex: RE2JS, text: string, { regex: { group }, invert, keep }: HitRequest): TextHits {
  const hits: RawHit[] = [];
  let total = 0;
  for (const [index, line] of toLines(text).entries()) {
    const parts = toParts(line);
    const found = parts.findIndex((part) => regex.test(part));
    if ((found === -1) !== invert) continue;
    total += 1;
    if (hits.length >= keep) continue;
    const before = parts.slice(0, Math.max(0, found)).reduce((sum, part) => sum + part.length + 1, 0);
    const span = invert ? undefined : nextSpan(regex.matcher(parts[found] ?? ""), 0, group);
    const { start, end } = span ?? { start: 0, end: 0 };
    hits.push({ line: index + 1, endLine: index + 1, start: before + start, length: end - start });
  }
  return { total, hits };
}

/** As ripgrep does it: nothing matches a carriage return, and lines seem to begin and end beside it. */
function toParts(line: string): readonly string[] {
  return line.includes("\r") ? line.split("\r") : [line];
}

function findAcrossLines(regex: RE2JS, text: string, { regex: { group }, invert, keep }: HitRequest): TextHits {
  const starts = startsOfLines(text);
  const spans = allSpans(regex.matcher(text), text, { group, wholeLines: invert });
  return invert ? findUncovered(starts, spans, keep) : joinByLine(starts, upTo(spans, text.length), keep);
}

/** An empty match behind the last character is on no line that could be shown for it. */
function* upTo(spans: Iterable<Span>, length: number): Generator<Span> {
  for (const span of spans) if (span.start < length) yield span;
}

function joinByLine(starts: readonly number[], spans: Iterable<Span>, keep: number): TextHits {
  const hits: RawHit[] = [];
  let total = 0;
  let latest = 0;
  let line = 1;
  for (const { start, end } of spans) {
    while (start >= (starts[line] ?? Number.POSITIVE_INFINITY)) line += 1;
    if (line > starts.length) break;
    let endLine = line;
    while (end - 1 >= (starts[endLine] ?? Number.POSITIVE_INFINITY)) endLine += 1;
    const lineStart = starts[line - 1] ?? 0;
    const last = hits.at(-1);
    if (line > latest) {
      latest = line;
      total += 1;
      const length = Math.min(end, starts[line] ?? end) - start;
      if (hits.length < keep) hits.push({ line, endLine, start: start - lineStart, length });
    } else if (last?.line === line && endLine > last.endLine) hits[hits.length - 1] = { ...last, endLine };
  }
  return { total, hits };
}

function findUncovered(starts: readonly number[], spans: Iterable<Span>, keep: number): TextHits {
  const covered = new Set<number>();
  let line = 1;
  for (const { start, end } of spans) {
    while (start >= (starts[line] ?? Number.POSITIVE_INFINITY)) line += 1;
    covered.add(line);
    for (let at = line; end - 1 >= (starts[at] ?? Number.POSITIVE_INFINITY); at += 1) covered.add(at + 1);
  }
  const hits = starts.flatMap((_, index) =>
    covered.has(index + 1) ? [] : [{ line: index + 1, endLine: index + 1, start: 0, length: 0 }],
  );
  return { total: hits.length, hits: hits.slice(0, keep) };
}

/** Where lines begin; after a line feed at the end none does. */
function startsOfLines(text: string): number[] {
  const starts = text === "" ? [] : [0];
  for (let at = text.indexOf("\n"); at !== -1 && at + 1 < text.length; at = text.indexOf("\n", at + 1))
    starts.push(at + 1);
  return starts;
}

interface SpanRequest {
  readonly group: 0 | 1;
  /** Goes on behind the line a match ends on, as ripgrep does to find lines without a match. */
  readonly wholeLines: boolean;
}

function* allSpans(matcher: Matcher, text: string, { group, wholeLines }: SpanRequest): Generator<Span> {
  const isClosed = text === "" || text.endsWith("\n");
  for (let from = 0; from <= text.length;) {
    const span = nextSpan(matcher, from, group);
    // What begins behind the last line begins on none.
    if (span === undefined || (isClosed && span.start >= text.length)) return;
    yield span;
    const lineEnd = wholeLines ? text.indexOf("\n", Math.max(span.start, span.end - 1)) : -1;
    if (wholeLines) from = lineEnd === -1 ? text.length + 1 : lineEnd + 1;
    else from = span.end > span.start ? span.end : span.end + 1;
  }
}

function nextSpan(matcher: Matcher, from: number, group: 0 | 1): Span | undefined {
  return matcher.find(from) ? { start: matcher.start(group), end: matcher.end(group) } : undefined;
}
