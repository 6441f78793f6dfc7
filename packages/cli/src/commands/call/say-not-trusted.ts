import type { ToolRegistry } from "@aiw/core";
import { createTrustStore } from "@aiw/core/node";
import type { CliIo } from "../../io.ts";
import { oneLine } from "../../output/one-line.ts";
import { printLine } from "../../output/print.ts";
import { wrapLines } from "../../output/wrap-lines.ts";

const EXTENSION = /^\/extensions\/(\w+)/u;

/** Says which extensions wait for trust: whoever configured a record or a log must not believe that the call is in it. */
export function sayNotTrusted(
  { report }: ToolRegistry,
  io: Pick<CliIo, "stderr" | "talkColumns" | "environment">,
): void {
  const parts = report.waiting.flatMap((request) => (request.subject === "configuration" ? request.parts : []));
  const names = new Set(parts.flatMap((part) => EXTENSION.exec(part)?.[1] ?? []));
  if (names.size === 0) return;
  const way = sayWay(createTrustStore({ environment: io.environment }).problem(report.project.dir));
  const text = `waiting   ${[...names].join(", ")} of aiw.config.json: this call goes without ${way}`;
  printLine(io.stderr, wrapLines(text, io.talkColumns));
}

/** Trusting it again is no way where what is trusted is not believed. */
function sayWay(problem: { readonly reason: string; readonly fix: string } | undefined): string {
  if (problem === undefined) return "until you trust it. Look: aiw trust";
  return oneLine(`since the record of what is trusted is not used: ${problem.reason} Fix: ${problem.fix}`);
}
