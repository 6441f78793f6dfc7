import { estimateTokenCount } from "tokenx";

const SLICE = 16 * 1024;
const SAMPLE = 4096;
const SHORTEST_DENSE = 64;
const MOST_DENSE = 0.6;
const RUNS = /[A-Za-z0-9+/=_-]{24,}|[0-9]{6,}/gu;

/**
 * Estimates what text costs a model; additive over lines, so a window can be measured while it grows.
 * Never below one token a line, nor below half the bytes of what is mostly base64, hexadecimal or digits.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const line of text.split("\n")) tokens += estimateLine(line);
  return tokens;
}

/** Estimates what rows of one line each cost; no rows cost nothing. */
export function estimateRows(rows: readonly string[]): number {
  let tokens = 0;
  for (const row of rows) tokens += estimateTokens(row);
  return tokens;
}

function estimateLine(line: string): number {
  if (isDense(line)) return Math.ceil(Buffer.byteLength(line) / 2);
  let tokens = countGaps(line);
  // In slices: the estimator's expressions are not made for endless lines.
  for (let start = 0; start < line.length; start += SLICE) tokens += estimateSlice(line.slice(start, start + SLICE));
  return Math.max(1, tokens);
}

/** Indentation, half of which costs nothing more, and tabs, both of which the estimator passes over; exact in binary. */
function countGaps(line: string): number {
  const isIndented = line.startsWith(" ") || line.startsWith("\t");
  let gaps = isIndented ? 0.5 : 0;
  for (let at = line.indexOf("\t", 1); at !== -1; at = line.indexOf("\t", at + 1)) gaps += 1.5;
  return gaps;
}

/** Letters and digits that alternate, as in identifiers of requests, are no words. */
function estimateSlice(slice: string): number {
  let mixed = 0;
  const words = slice.replaceAll(MIXED, (run) => {
    if ((run.match(CHANGES)?.length ?? 0) < FEWEST_CHANGES) return run;
    mixed += run.length;
    return " ";
  });
  return estimateTokenCount(words) + Math.ceil(mixed * TOKENS_OF_MIXED);
}

const MIXED = /[0-9A-Za-z]{4,}/gu;
const CHANGES = /[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])/gu;
const FEWEST_CHANGES = 2;
const TOKENS_OF_MIXED = 0.6;

function isDense(line: string): boolean {
  if (line.length < SHORTEST_DENSE) return false;
  const sample = line.slice(0, SAMPLE);
  let dense = 0;
  for (const [run] of sample.matchAll(RUNS)) dense += run.length;
  return dense > sample.length * MOST_DENSE;
}
