import { toJsonValue } from "@aiw/core";
import type { CliIo } from "../../io.ts";
import { choosePaint } from "../../output/choose-paint.ts";
import { formatValue } from "../../output/format-value.ts";
import { printJson, printLine } from "../../output/print.ts";
import { withoutMedia } from "../../output/without-media.ts";

/** Characters of a line at a terminal that does not tell. */
const USUAL_COLUMNS = 80;

/** Small things in a line that is longer are hard to tell apart. */
const MOST_COLUMNS = 100;

/** Prints what a call gave: for people at a terminal, else a text as it is and all other values as JSON. */
export function printValue(value: unknown, io: Pick<CliIo, "stdout" | "columns" | "environment">): void {
  const { stdout, columns = USUAL_COLUMNS } = io;
  const width = Math.min(columns, MOST_COLUMNS);
  // Written as it is: what is foreign in it is plain already, colours are ours.
  if (stdout.isTTY === true)
    stdout.write(`${formatValue(toJsonValue(withoutMedia(value)), { paint: choosePaint(stdout, io), width })}\n`);
  else if (typeof value === "string") printLine(stdout, value);
  else printJson(stdout, toJsonValue(withoutMedia(value)));
}
