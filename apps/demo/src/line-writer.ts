/** Writes running text and whole lines to one place without mixing them up. */
export class LineWriter {
  readonly #write: (text: string) => void;
  #atLineStart = true;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Continues the running text. */
  text(text: string): void {
    if (text === "") return;
    this.#write(text);
    this.#atLineStart = text.endsWith("\n");
  }

  /** Writes a line of its own, ending an open one first. */
  readonly line = (line: string): void => {
    this.endLine();
    this.#write(`${line}\n`);
  };

  endLine(): void {
    if (!this.#atLineStart) this.text("\n");
  }
}
