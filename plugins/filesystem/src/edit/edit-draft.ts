import { countLineFeeds } from "../text/line-endings.ts";
import {
  addedLines,
  composeShifts,
  joinRanges,
  lineAfter,
  lineBefore,
  shiftRanges,
  type LineShift,
  type LineSpan,
} from "../text/line-ranges.ts";
import { indexLines, type LineIndex } from "./line-index.ts";
import { spliceText, type Splice } from "./splice-text.ts";

/** A text while edits are made in it, with what is known of its lines. */
export class EditDraft {
  #lines: LineIndex;
  #seen: readonly LineSpan[];
  #touched: readonly LineSpan[] = [];
  readonly #firsts = new Map<number, number>();
  readonly #shifts: (readonly LineShift[])[] = [];

  constructor(text: string, seen: readonly LineSpan[]) {
    this.#lines = indexLines(text);
    this.#seen = seen;
  }

  /** As the edits made so far left it. */
  get text(): string {
    return this.#lines.text;
  }

  /** Where the lines of the text lie. */
  get lines(): LineIndex {
    return this.#lines;
  }

  /** Lines that were shown before or written by an edit, as they stand now. */
  get seen(): readonly LineSpan[] {
    return this.#seen;
  }

  /** Lines that edits wrote, and the lines that follow what they took away. */
  get touched(): readonly LineSpan[] {
    return this.#touched;
  }

  /** Which lines of the text before the first edit gave way, and to how many. */
  get shifts(): readonly LineShift[] {
    const [first = [], ...others] = this.#shifts;
    return others.reduce(composeShifts, first);
  }

  /** Makes the changes of one edit, which ascend and do not overlap. */
  apply(edit: number, splices: readonly Splice[]): void {
    const shifts = this.#splice(splices);
    for (const [index, line] of this.#firsts) this.#firsts.set(index, lineAfter(line, shifts));
    const [first] = shifts;
    if (first !== undefined) this.#firsts.set(edit, first.line);
  }

  /** Makes one change each of several edits, by places of the text as it is; they ascend and do not overlap. */
  applyEach(changes: readonly { readonly edit: number; readonly line: number; readonly splice: Splice }[]): void {
    let delta = 0;
    for (const { edit, line, splice } of changes) {
      this.#firsts.set(edit, line + delta);
      delta += countLineFeeds(splice.text) - countLineFeeds(this.text.slice(splice.start, splice.end));
    }
    this.#splice(changes.map(({ splice }) => splice));
  }

  #splice(splices: readonly Splice[]): readonly LineShift[] {
    const { lines, shifts } = spliceText(this.#lines, splices);
    const written = addedLines(shifts);
    const emptied = emptiedLines(shifts);
    this.#lines = lines;
    this.#seen = joinRanges([...shiftRanges(this.#seen, shifts), ...written]);
    this.#touched = joinRanges([...shiftRanges(this.#touched, shifts), ...written, ...emptied]);
    this.#shifts.push(shifts);
    return shifts;
  }

  /** Where the first change of an edit stands now. */
  firstLineOf(edit: number): number | undefined {
    return this.#firsts.get(edit);
  }

  /** The number a line had before the first edit. */
  toLineBefore(line: number): number {
    return this.#shifts.toReversed().reduce((at, shifts) => lineBefore(at, shifts), line);
  }
}

/** The lines that follow what was taken away, where nothing came for it. */
function emptiedLines(shifts: readonly LineShift[]): LineSpan[] {
  let delta = 0;
  return shifts.flatMap(({ line, removed, added }): LineSpan[] => {
    const now = line + delta;
    delta += added - removed;
    return added === 0 ? [[now, now]] : [];
  });
}
