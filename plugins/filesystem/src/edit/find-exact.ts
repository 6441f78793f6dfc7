import { findText } from "./find-sequence.ts";

/** A part of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const SINGLE_QUOTES = /[\u2018\u2019\u201a\u201b\u2032]/gu;
const DOUBLE_QUOTES = /[\u201c-\u201f\u2033]/gu;
const DASHES = /[\u2010-\u2015\u2212]/gu;
const SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/gu;

/** Gives quotes, dashes and spaces one form each; every character stays in its place. */
export function foldText(text: string): string {
  return text
    .replaceAll(SINGLE_QUOTES, "'")
    .replaceAll(DOUBLE_QUOTES, '"')
    .replaceAll(DASHES, "-")
    .replaceAll(SPACES, " ");
}

/** Finds every place of a text, overlapping ones included; whether lines end with CR LF or LF makes no difference. */
export function findExact(text: string, wanted: string): Span[] {
  const plain = wanted.replaceAll("\r\n", "\n");
  if (!/[\r\n]/u.test(wanted) || !text.includes("\r\n")) return toSpans(findText(text, plain), plain.length);
  const returns = findReturns(text);
  const place = (at: number): number => at + countBelow(returns, at);
  return findText(text.replaceAll("\r\n", "\n"), plain).map((start) => ({
    start: place(start),
    end: place(start + plain.length),
  }));
}

function toSpans(starts: readonly number[], length: number): Span[] {
  return starts.map((start) => ({ start, end: start + length }));
}

/** Where the line feeds that follow a carriage return would stand, were these carriage returns not there. */
function findReturns(text: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) found.push(at - found.length);
  return found;
}

function countBelow(values: readonly number[], value: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
