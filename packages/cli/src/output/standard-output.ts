import { fstatSync, writeSync } from "node:fs";
import { EXIT } from "../exit-codes.ts";
import { flushed } from "../flushed.ts";

/** A stream as far as printing needs it. */
export interface TextOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** What standard output is made of; tests replace it. */
export interface StandardOutputPort {
  /** Someone may be looking, at a terminal or another device. */
  isDevice(): boolean;
  /** Gives the number of bytes written. @throws as `writeSync` does */
  write(bytes: Uint8Array): number;
  stream(): NodeJS.WriteStream;
  /** Told at the end of what could not be written: half an answer must not pass for a whole one. */
  fail(reason: string): void;
}

/** The stream's own getter: whoever starts the command hands packages another under the same name. */
const openStream = Object.getOwnPropertyDescriptor(process, "stdout")?.get ?? (() => process.stdout);

const processPort: StandardOutputPort = {
  isDevice: () => fstatSync(1).isCharacterDevice(),
  write: (bytes) => writeSync(1, bytes),
  stream: () => openStream.call(process) as NodeJS.WriteStream,
  fail(reason) {
    process.stderr.write(`aiw: standard output cannot be written: ${reason}\n`);
    process.exitCode = EXIT.failed;
  },
};

/** A reader that went away (`aiw list | head -1`) is no failure of the command; Windows says it in its own word. */
const GONE: ReadonlySet<unknown> = new Set(["EPIPE", "EOF"]);

/** Standard output that makes no stream where a plain write does: making one takes as long as reading a hundred packages. */
export class StandardOutput implements TextOutput {
  readonly #port: StandardOutputPort;
  #stream: NodeJS.WriteStream | undefined;
  #failure: string | undefined;

  constructor(port: StandardOutputPort = processPort) {
    this.#port = port;
    if (isDevice(port)) this.#open();
  }

  get isTTY(): boolean {
    return this.#stream?.isTTY === true;
  }

  get columns(): number | undefined {
    // A terminal that has no size says 0.
    return this.#stream?.columns || undefined;
  }

  /** Never throws: the command goes on, and `flush` tells of what failed. */
  write(text: string): void {
    if (this.#failure !== undefined) return;
    if (this.#stream !== undefined) {
      this.#stream.write(text);
      return;
    }
    const bytes = new TextEncoder().encode(text);
    const written = this.#writePlainly(bytes);
    // A pipe that is full and does not wait: the stream keeps the rest until there is room.
    if (written < bytes.length) this.#open().write(bytes.subarray(written));
  }

  /** Waits until a slow reader took all that was written. */
  async flush(): Promise<void> {
    if (this.#stream !== undefined) {
      await flushed(this.#stream);
      if (this.#stream.errored) this.#keep(this.#stream.errored);
    }
    if (this.#failure !== undefined) this.#port.fail(this.#failure);
  }

  /** Gives how far it came. */
  #writePlainly(bytes: Uint8Array): number {
    let written = 0;
    try {
      while (written < bytes.length) written += this.#port.write(bytes.subarray(written));
    } catch (error) {
      if (codeOf(error) === "EAGAIN") return written;
      this.#keep(error);
      return bytes.length;
    }
    return written;
  }

  #open(): NodeJS.WriteStream {
    this.#stream ??= this.#port.stream().on("error", (error) => this.#keep(error));
    return this.#stream;
  }

  #keep(error: unknown): void {
    if (!GONE.has(codeOf(error))) this.#failure ??= error instanceof Error ? error.message : String(error);
  }
}

/** Throws what is no reader that went away. */
export function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (!GONE.has(error.code)) throw error;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function isDevice(port: StandardOutputPort): boolean {
  try {
    return port.isDevice();
  } catch {
    // Closed by whoever started the process: the stream knows what to do.
    return true;
  }
}
