/** What ripgrep says beside its results. */
export interface RipgrepMessages {
  /** Messages about the pattern or the search. */
  readonly text: string;
  /**
   * Paths that ignore rules left out, each without what lies below it, as ripgrep tells them.
   * `undefined` when it was not asked, or told of too many.
   */
  readonly ignored: readonly string[] | undefined;
}

const MOST_TEXT = 64 * 1024;
const MOST_IGNORED = 200;
const LONGEST_LINE = 64 * 1024;
const IGNORED = /^rg: DEBUG\|ignore::walk\|.*?: ignoring (.+): Ignore\(IgnoreMatch\(Gitignore\(/u;

/** Reads ripgrep's messages as they come, and keeps few of those about its work (`--debug`). */
export class MessageReader {
  #rest = "";
  #text = "";
  #ignored: string[] | undefined = [];
  #isDebugging = false;

  /** Takes more of the stream. */
  take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = (lines.pop() ?? "").slice(0, LONGEST_LINE);
    for (const line of lines) this.#takeLine(line);
  }

  /** Everything that was said. */
  finish(): RipgrepMessages {
    if (this.#rest !== "") this.#takeLine(this.#rest);
    this.#rest = "";
    return { text: this.#text, ignored: this.#isDebugging ? this.#ignored : undefined };
  }

  #takeLine(line: string): void {
    if (!line.startsWith("rg: DEBUG|")) {
      this.#text = `${this.#text}${line}\n`.slice(0, MOST_TEXT);
      return;
    }
    this.#isDebugging = true;
    const path = IGNORED.exec(line)?.[1];
    if (path === undefined || this.#ignored === undefined) return;
    if (this.#ignored.length < MOST_IGNORED) this.#ignored.push(path);
    else this.#ignored = undefined;
  }
}
