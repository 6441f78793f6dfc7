import type { DiscoveryReport, Finding, ToolEntry } from "@aiw/core";
import { problemsOf } from "../../output/problems-of.ts";

/** What `aiw list` tells. */
export interface Listing {
  readonly entries: readonly ToolEntry[];
  readonly report: DiscoveryReport;
  /** What is installed and not enabled, when it was asked for. */
  readonly left: readonly Finding[] | undefined;
  readonly toolset: string | boolean | undefined;
}

/** Problems, and packages whose tools are missing from the list because only running them would name these. */
export function findingsFor(report: DiscoveryReport): Finding[] {
  const unlisted = report.found.filter(({ tools }) => tools === undefined).flatMap(({ notes }) => notes);
  return [...problemsOf(report), ...unlisted.filter(({ code }) => code === "slow_declaration")];
}
