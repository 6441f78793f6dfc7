import type { DiscoveryReport, Finding, ToolEntry } from "@aiw/core";
import { problemsOf } from "../../output/problems-of.ts";
import type { SayHiddenOptions } from "../caller/say-hidden.ts";
import type { Selection } from "../select-tools.ts";

/** What `aiw list` tells. */
export interface Listing {
  readonly entries: readonly ToolEntry[];
  readonly report: DiscoveryReport;
  /** What is installed and not enabled, when it was asked for. */
  readonly left: readonly Finding[] | undefined;
  readonly toolset: string | boolean | undefined;
  /** What the caller is not offered that was named; absent where nobody was. */
  readonly selection?: Pick<Selection, "viewer" | "hidden"> & Pick<SayHiddenOptions, "registry">;
}

/** Problems, and packages whose tools are missing from the list because only running them would name these. */
export function findingsFor(report: DiscoveryReport): Finding[] {
  const unlisted = report.found.filter(({ tools }) => tools === undefined).flatMap(({ notes }) => notes);
  return [...problemsOf(report), ...unlisted.filter(({ code }) => code === "slow_declaration")];
}
