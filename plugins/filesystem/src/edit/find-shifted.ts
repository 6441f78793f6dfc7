import type { Span } from "./find-exact.ts";
import { findSequence } from "./find-sequence.ts";
import { indexLines, type LineIndex } from "./line-index.ts";
import { isBlank, toWantedLines } from "./wanted-lines.ts";

/** What the lines of a place have before those that are looked for, or lack. */
export interface Shift {
  readonly kind: "added" | "removed";
  readonly prefix: string;
}

/**
 * Calls `found` with every place that holds the lines with one prefix more, or less, on each that is not blank, until it gives false.
 * A prefix leaves alone by how much each line is indented more or less than the one before, so that is what is compared.
 */
export function findShifted(
  lines: LineIndex,
  wanted: readonly string[],
  found: (first: number, shift: Shift) => boolean,
): void {
  const { numbers, numberOf, stretches } = toWantedLines(lines, wanted, "indent");
  // The first line that is not blank has none before it to be compared with.
  const head = wanted.findIndex((line) => indentOf(line) !== undefined);
  const headIndent = indentOf(wanted[head] ?? "");
  if (headIndent === undefined) return;
  const steps = new Map<string, number>();
  const block = new IndentWalk(indexLines(wanted.join("\n")), (line) => numbers[line] ?? -1, { steps, isOpen: true });
  block.next(head);
  const needle = wanted.slice(head + 1).map((_line, index) => block.next(head + 1 + index));
  for (const { from, to } of stretches) {
    let isWanted = true;
    const tryAt = (first: number): boolean => {
      const at = first + head;
      if (at >= to || numberOf(at) !== numbers[head] || !areBlank(lines, first, at)) return true;
      const shift = shiftBetween(headIndent, indentOf(lines.line(at)) ?? "");
      return shift === undefined || (isWanted = found(first, shift));
    };
    const start = from + head + 1;
    const text = new IndentWalk(lines, numberOf, { steps, isOpen: false });
    if (needle.length === 0) for (let first = from; first + head < to && isWanted; first += 1) tryAt(first);
    else if (start <= to) {
      text.next(start - 1);
      const haystack = { length: to - start, at: (index: number) => text.next(start + index) };
      findSequence(haystack, { length: needle.length, at: (index) => needle[index] ?? -2 }, (index) =>
        tryAt(from + index),
      );
    }
    if (!isWanted) return;
  }
}

/** The white space a line begins with; `undefined` for a blank line. */
export function indentOf(line: string): string | undefined {
  let end = 0;
  while (end < line.length && isBlank(line.charCodeAt(end))) end += 1;
  return end === line.length ? undefined : line.slice(0, end);
}

function shiftBetween(old: string, now: string): Shift | undefined {
  if (now.length > old.length && now.endsWith(old))
    return { kind: "added", prefix: now.slice(0, now.length - old.length) };
  if (old.length > now.length && old.endsWith(now))
    return { kind: "removed", prefix: old.slice(0, old.length - now.length) };
  return undefined;
}

function areBlank(lines: LineIndex, from: number, to: number): boolean {
  // From the end: what is not blank ends the search, so blank lines are not gone through again for every place.
  for (let line = to - 1; line >= from; line -= 1) if (indentOf(lines.line(line)) !== undefined) return false;
  return true;
}

/** Above the numbers of lines. */
const FIRST_STEP = 2 ** 24;

/** Ways a line may be indented otherwise than the one before that are remembered. */
const MOST_CHANGES = 8;

/** How much less and more a line is indented than the one before, and the number of that. */
interface Change {
  readonly less: number;
  readonly more: string;
  readonly step: number;
}

interface WalkOptions {
  /** What lines say, with how much less and more they are indented than the line before. */
  readonly steps: Map<string, number>;
  /** Whether what is new gets a number. */
  readonly isOpen: boolean;
}

/** Goes through lines and gives one number for what a line says and how its indentation differs from that of the line before. */
class IndentWalk {
  readonly #lines: LineIndex;
  readonly #numberOf: (line: number) => number;
  readonly #options: WalkOptions;
  /** The numbers of lines indented like the line before, which most are. */
  readonly #even = new Map<number, number>();
  /** The numbers of others, as far as they are few. */
  readonly #changes = new Map<number, Change[]>();
  /** Where the indentation of the line before lies. */
  #before: Span | undefined;

  constructor(lines: LineIndex, numberOf: (line: number) => number, options: WalkOptions) {
    this.#lines = lines;
    this.#numberOf = numberOf;
    this.#options = options;
  }

  /** The number of a line; -1 for one that the block cannot hold behind the line before. */
  next(line: number): number {
    const number = this.#numberOf(line);
    if (number === -1) {
      this.#before = undefined;
      return -1;
    }
    const { text } = this.#lines;
    const [start, last] = [this.#lines.start(line), this.#lines.end(line)];
    let end = start;
    while (end < last && isBlank(text.charCodeAt(end))) end += 1;
    // A blank line has no indentation: the next is compared with the line before it.
    if (end === last) return number;
    const before = this.#before;
    this.#before = { start, end };
    return before === undefined ? -1 : this.#toStep(number, before, { start, end });
  }

  #toStep(number: number, before: Span, now: Span): number {
    const { text } = this.#lines;
    const [old, young] = [before.end - before.start, now.end - now.start];
    let common = 0;
    while (
      common < old &&
      common < young &&
      text.charCodeAt(before.start + common) === text.charCodeAt(now.start + common)
    )
      common += 1;
    if (common < old || common < young)
      return this.#toChange(number, { less: old - common, start: now.start + common, end: now.end });
    let even = this.#even.get(number);
    if (even === undefined) this.#even.set(number, (even = this.#toNumber(`${number} 0 `)));
    return even;
  }

  /** Most lines change their indentation in few ways, which are known again without a new text for each. */
  #toChange(number: number, { less, start, end }: Span & { readonly less: number }): number {
    const { text } = this.#lines;
    let known = this.#changes.get(number);
    if (known === undefined) this.#changes.set(number, (known = []));
    const same = known.find(
      (change) => change.less === less && change.more.length === end - start && text.startsWith(change.more, start),
    );
    if (same !== undefined) return same.step;
    const more = text.slice(start, end);
    const step = this.#toNumber(`${number} ${less} ${more}`);
    if (known.length < MOST_CHANGES) known.push({ less, more, step });
    return step;
  }

  #toNumber(step: string): number {
    const { steps, isOpen } = this.#options;
    const known = steps.get(step);
    if (known !== undefined || !isOpen) return known ?? -1;
    const number = FIRST_STEP + steps.size;
    steps.set(step, number);
    return number;
  }
}
