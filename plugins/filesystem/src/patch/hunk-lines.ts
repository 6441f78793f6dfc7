import type { HunkHeader } from "./hunk-header.ts";
import type { Hunk, HunkLine } from "./patch-file.ts";
import type { PatchLine } from "./patch-reader.ts";

/** The lines of one hunk as they are read. */
export class HunkLines {
  readonly #header: HunkHeader;
  readonly #lines: HunkLine[] = [];
  #blanks: PatchLine[] = [];
  #oldIsBare = false;
  #newIsBare = false;

  constructor(header: HunkHeader) {
    this.#header = header;
  }

  /** Whether nothing was read that the file has or gets. */
  get isEmpty(): boolean {
    return this.#lines.length === 0;
  }

  /** Takes a line with its sign, or a kept line that lost it with all that it was: a blank one. */
  add(line: PatchLine): void {
    if (line.text === "") {
      this.#blanks.push(line);
      return;
    }
    this.#addBlanks();
    const sign = line.text.startsWith("+") ? "+" : line.text.startsWith("-") ? "-" : " ";
    this.#push({ sign, text: line.text.slice(1), hasReturn: line.hasReturn });
  }

  /** Says that the last line has no line feed. */
  markBare(): void {
    const last = this.#lines.at(-1)?.sign;
    this.#oldIsBare ||= last !== undefined && last !== "+";
    this.#newIsBare ||= last !== undefined && last !== "-";
  }

  /** The hunk that was read. */
  finish(patchLine: number, isAtEnd: boolean): Hunk {
    const { left, anchors, oldStart } = this.#header;
    const count = this.#blanks.length;
    // Blank lines at the end part hunks and files, unless the header counts them in.
    if (left !== undefined && left.old >= count && left.young >= count) this.#addBlanks();
    return {
      patchLine,
      anchors,
      ...(oldStart !== undefined && { oldStart }),
      lines: this.#lines,
      isAtEnd,
      oldIsBare: this.#oldIsBare,
      newIsBare: this.#newIsBare,
    };
  }

  #addBlanks(): void {
    for (const { hasReturn } of this.#blanks) this.#push({ sign: " ", text: "", hasReturn });
    this.#blanks = [];
  }

  #push(line: HunkLine): void {
    const { sign } = line;
    const { left } = this.#header;
    this.#lines.push(line);
    this.#oldIsBare &&= sign === "+";
    this.#newIsBare &&= sign === "-";
    if (left === undefined) return;
    if (sign !== "+") left.old -= 1;
    if (sign !== "-") left.young -= 1;
  }
}
