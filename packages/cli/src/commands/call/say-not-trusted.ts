import type { ToolRegistry } from "@aiw/core";
import type { CliIo } from "../../io.ts";
import { printLine } from "../../output/print.ts";
import { wrapLines } from "../../output/wrap-lines.ts";

const EXTENSION = /^\/extensions\/(\w+)/u;

/** Says which extensions wait for trust: whoever configured a record or a log must not believe that the call is in it. */
export function sayNotTrusted({ report }: ToolRegistry, io: Pick<CliIo, "stderr" | "talkColumns">): void {
  const parts = report.waiting.flatMap((request) => (request.subject === "configuration" ? request.parts : []));
  const names = new Set(parts.flatMap((part) => EXTENSION.exec(part)?.[1] ?? []));
  if (names.size === 0) return;
  const text = `waiting   ${[...names].join(", ")} of aiw.config.json: this call goes without until you trust it. Look: aiw trust`;
  printLine(io.stderr, wrapLines(text, io.talkColumns));
}
