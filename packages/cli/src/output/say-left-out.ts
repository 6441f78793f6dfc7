import type { DiscoveryReport } from "@aiw/core";
import type { CliIo } from "../io.ts";
import { formatFinding } from "./format-report.ts";
import { groupFindings } from "./group-findings.ts";
import { leftOutOf } from "./problems-of.ts";
import { printLine } from "./print.ts";

/** Tells a person which tools the answer lacks, and why. */
export function sayLeftOut(report: DiscoveryReport, io: Pick<CliIo, "stderr" | "talkColumns">): void {
  for (const finding of groupFindings(leftOutOf(report)))
    printLine(io.stderr, formatFinding("left out", finding, io.talkColumns));
}
