import type { CliIo } from "../io.ts";
import { printLine } from "./print.ts";
import { wrapLines } from "./wrap-lines.ts";

/** Prints sentences as the answer; a terminal gets them broken between words. */
export function printAnswer({ stdout, columns }: Pick<CliIo, "stdout" | "columns">, text: string): void {
  printLine(stdout, wrapLines(text, columns));
}

/** Prints sentences beside the answer, on standard error; a terminal gets them broken between words. */
export function printTalk({ stderr, talkColumns }: Pick<CliIo, "stderr" | "talkColumns">, text: string): void {
  printLine(stderr, wrapLines(text, talkColumns));
}
