import { MOST_MATCHES } from "../edit/block-match.ts";
import { findSequence } from "../edit/find-sequence.ts";
import { indexLines, type LineIndex } from "../edit/line-index.ts";

/** Comparisons after which the search that is linear whatever repeats is taken. */
const MOST_COMPARISONS = 100_000;

/** Places kept for hunks with the same lines; beyond, they are found anew. */
const MOST_KEPT = 1_000_000;

/** Lines gone through for all hunks of one file, which takes some ten seconds. */
const MOST_SCANNED = 2_000_000_000;
/** A long line takes as long as many of this length. */
const LINE_LENGTH = 32;

/** Where something stands in the file. */
export interface Found {
  /** First lines, ascending, from 0. */
  readonly firsts: readonly number[];
}

/** The lines of a file, found quickly by their text. */
export class FileLines {
  readonly index: LineIndex;
  readonly #ids: Int32Array;
  readonly #places = new Map<string, number[]>();
  readonly #idOf = new Map<string, number>();
  readonly #found = new Map<string, Found>();
  #kept = 0;
  #scanned = 0;

  constructor(text: string) {
    this.index = indexLines(text);
    this.#ids = new Int32Array(this.index.count);
    for (let line = 0; line < this.index.count; line += 1) this.#add(line, this.index.line(line));
  }

  #add(line: number, text: string): void {
    const places = this.#places.get(text);
    if (places === undefined) {
      this.#idOf.set(text, this.#idOf.size);
      this.#places.set(text, [line]);
    } else places.push(line);
    this.#ids[line] = this.#idOf.get(text) ?? -1;
  }

  /** Whether the hunks have taken so much work that the rest of them is not worth waiting for. */
  get isExhausted(): boolean {
    return this.#scanned > MOST_SCANNED;
  }

  /** Gives what a search of the whole file found, which is made once for each key. */
  remember<Kind extends Found>(key: string, search: () => Kind): Kind {
    const known = this.#found.get(key);
    if (known !== undefined) return known as Kind;
    this.#scanned += this.index.count + this.index.text.length / LINE_LENGTH;
    return this.#keep(key, search());
  }

  #keep<Kind extends Found>(key: string, found: Kind): Kind {
    this.#kept += found.firsts.length + 1;
    if (this.#kept > MOST_KEPT) {
      this.#found.clear();
      this.#kept = found.firsts.length;
    }
    this.#found.set(key, found);
    return found;
  }

  /** Where these lines stand one after the other, exactly so. */
  find(lines: readonly string[]): Found {
    const key = `exact\n${lines.join("\n")}`;
    return this.#found.get(key) ?? this.#keep(key, { firsts: this.#search(lines) });
  }

  #search(lines: readonly string[]): number[] {
    let rarest = { offset: 0, places: this.#places.get(lines[0] ?? "") ?? [] };
    const needle = new Int32Array(lines.length);
    for (const [offset, line] of lines.entries()) {
      const places = this.#places.get(line);
      if (places === undefined) return [];
      if (places.length < rarest.places.length) rarest = { offset, places };
      needle[offset] = this.#idOf.get(line) ?? -1;
    }
    const { offset, places } = rarest;
    const ids = this.#ids;
    this.#scanned += Math.min(places.length * lines.length, ids.length);
    if (places.length * lines.length <= MOST_COMPARISONS) {
      return places
        .map((place) => place - offset)
        .filter((first) => first >= 0 && needle.every((id, at) => ids[first + at] === id));
    }
    const found: number[] = [];
    const toSequence = (values: Int32Array) => ({ length: values.length, at: (index: number) => values[index] ?? -2 });
    findSequence(toSequence(ids), toSequence(needle), (first) => found.push(first) < MOST_MATCHES);
    return found;
  }

  /** How a line ends. */
  ending(line: number): "" | "\n" | "\r\n" {
    const { index } = this;
    const length = index.after(line) - index.end(line);
    if (length === 0) return "";
    return length === 1 ? "\n" : "\r\n";
  }
}
