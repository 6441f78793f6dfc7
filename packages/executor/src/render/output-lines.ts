/** Lines of streamed output shown of one call. */
const MAX_LINES = 20;

/** Characters kept of a line that does not end. */
const MAX_REST_LENGTH = 2000;

/** Cuts the streamed output of one call into whole lines, of which it gives the first few. */
export class OutputLines {
  #rest = "";
  #count = 0;

  /** Whether anything was streamed so far. */
  get any(): boolean {
    return this.#count > 0 || this.#rest !== "";
  }

  /** Takes more output; gives the lines that are complete and to be shown. */
  add(text: string): string[] {
    const lines = (this.#rest + text).split("\n");
    // A line that never ends must not be kept for ever.
    this.#rest = (lines.pop() ?? "").slice(0, MAX_REST_LENGTH);
    return this.#shown(lines);
  }

  /** Ends the output; gives what is left to show, and how much was not shown. */
  end(): string[] {
    const last = this.#rest === "" ? [] : this.#shown([this.#rest]);
    const hidden = this.#count - MAX_LINES;
    return hidden > 0 ? [...last, `… ${hidden} more ${hidden === 1 ? "line" : "lines"}`] : last;
  }

  #shown(lines: readonly string[]): string[] {
    const room = Math.max(0, MAX_LINES - this.#count);
    this.#count += lines.length;
    return lines.slice(0, room);
  }
}
