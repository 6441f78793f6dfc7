import type { Writable } from "node:stream";

/** Writes one line. */
export function printLine(stream: Writable, text: string): void {
  stream.write(`${text}\n`);
}

/** Writes data as JSON that people can read too. */
export function printJson(stream: Writable, data: unknown): void {
  printLine(stream, JSON.stringify(data, undefined, 2));
}
