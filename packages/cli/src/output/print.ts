import type { Writable } from "node:stream";
import { escapeHiddenText } from "@aiw/core";

/** Writes text as it is; at a terminal nothing in it can move the cursor or hide. */
export function printText(stream: Writable, text: string): void {
  const isTerminal = "isTTY" in stream && stream.isTTY === true;
  stream.write(isTerminal ? escapeHiddenText(text) : text);
}

/** Writes one line. */
export function printLine(stream: Writable, text: string): void {
  printText(stream, `${text}\n`);
}

/** Writes data as JSON that people can read too. */
export function printJson(stream: Writable, data: unknown): void {
  printLine(stream, JSON.stringify(data, undefined, 2));
}
