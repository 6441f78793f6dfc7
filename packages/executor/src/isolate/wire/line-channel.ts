import type { Duplex } from "node:stream";

/** Bytes of one message; a longer one is refused by whoever would send it, and ends the process of whoever does. */
export const MAX_MESSAGE_BYTES: number = 64 * 1024 * 1024;

const NEWLINE = 10;

/** What happens on a channel. */
export interface ChannelListener {
  onMessage(message: unknown): void;
  /** The other side sent what is no message. */
  onNonsense(reason: string): void;
  onClose(): void;
}

/** Messages of JSON over a stream, one to a line, each of bounded length. */
export class LineChannel {
  readonly #stream: Duplex;
  readonly #listener: ChannelListener;
  #parts: Buffer[] = [];
  #bytes = 0;
  #closed = false;

  constructor(stream: Duplex, listener: ChannelListener) {
    this.#stream = stream;
    this.#listener = listener;
    stream.on("data", (data: Buffer) => this.#take(data));
    // What cannot be written any more, nobody waits for: the end is told by `close`.
    stream.on("error", () => undefined);
    stream.once("close", () => this.#close());
    stream.once("end", () => this.#close());
  }

  /** False for a message that is too long, which is not sent. */
  send(message: object): boolean {
    const line = `${JSON.stringify(message)}\n`;
    // A character has three bytes at most: most lines need no counting.
    if (line.length * 3 > MAX_MESSAGE_BYTES && Buffer.byteLength(line) > MAX_MESSAGE_BYTES) return false;
    if (!this.#closed) this.#stream.write(line);
    return true;
  }

  #take(data: Buffer): void {
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end !== -1 && !this.#closed; end = data.indexOf(NEWLINE, start)) {
      this.#parts.push(data.subarray(start, end));
      this.#read();
      start = end + 1;
    }
    if (start === data.length || this.#closed) return;
    this.#parts.push(data.subarray(start));
    this.#bytes += data.length - start;
    if (this.#bytes > MAX_MESSAGE_BYTES) this.#refuse("a message that is too long");
  }

  #read(): void {
    const text = (this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts))?.toString("utf8") ?? "";
    this.#parts = [];
    this.#bytes = 0;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      return this.#refuse("what is no JSON");
    }
    this.#listener.onMessage(message);
  }

  #refuse(reason: string): void {
    this.#parts = [];
    this.#bytes = 0;
    this.#listener.onNonsense(reason);
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#parts = [];
    this.#listener.onClose();
  }
}
