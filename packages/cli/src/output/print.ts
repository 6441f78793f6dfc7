import { escapeHiddenText } from "@aiw/core";
import type { TextOutput } from "./standard-output.ts";

/** Writes text as it is; at a terminal nothing in it can move the cursor or hide. */
export function printText(stream: TextOutput, text: string): void {
  stream.write(stream.isTTY === true ? escapeHiddenText(text) : text);
}

/** Writes one line. */
export function printLine(stream: TextOutput, text: string): void {
  printText(stream, `${text}\n`);
}

/** Writes data as JSON that people can read too. */
export function printJson(stream: TextOutput, data: unknown): void {
  printLine(stream, JSON.stringify(data, undefined, 2));
}
