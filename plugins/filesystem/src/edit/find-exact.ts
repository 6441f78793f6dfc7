import { MOST_MATCHES } from "./block-match.ts";
import { findText } from "./find-text.ts";
import type { LineIndex } from "./line-index.ts";

/** A part of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds every place of a text, overlapping ones included; whether lines end with CR LF or LF makes no difference. */
export function findExact(lines: LineIndex, wanted: string): Span[] {
  const plain = wanted.replaceAll("\r\n", "\n");
  if (!/[\r\n]/u.test(wanted)) return toSpans(findText(lines.text, plain, MOST_MATCHES + 1), plain.length);
  const { text, toOffset } = lines.withoutReturns;
  return toSpans(findText(text, plain, MOST_MATCHES + 1), plain.length).map(({ start, end }) => ({
    start: toOffset(start),
    end: toOffset(end),
  }));
}

function toSpans(starts: readonly number[], length: number): Span[] {
  return starts.map((start) => ({ start, end: start + length }));
}
