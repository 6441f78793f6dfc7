import type { Readable } from "node:stream";

/** Bytes of the last a process printed that are kept for the host's log. */
const MAX_TAIL = 16 * 1024;

/** Reads a stream to its end and keeps the last of it: a process that is not read stands still, and one that floods costs nothing. */
export class KeptTail {
  #tail: Buffer = Buffer.alloc(0);

  constructor(stream: Readable | null) {
    stream?.on("data", (data: Buffer) => {
      this.#tail = Buffer.concat([this.#tail, data.subarray(-MAX_TAIL)]).subarray(-MAX_TAIL);
    });
    stream?.on("error", () => undefined);
  }

  get text(): string {
    return this.#tail.toString("utf8");
  }
}
