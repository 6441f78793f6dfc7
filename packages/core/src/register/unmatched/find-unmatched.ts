import type { AiwConfig } from "../../config/aiw-config.ts";
import type { Finding } from "../discovery-report.ts";
import { mayMeanToolOf, type NamedTool } from "../match-tool.ts";
import type { ResolvedNames } from "../resolve-names.ts";
import { listUnmatched, toUnmatchedFinding } from "../toolsets.ts";
import { findUnmatchedPatterns, type PatternPlace } from "./unmatched-patterns.ts";

/** What a configuration is held against. */
export interface KnownTools {
  readonly config: AiwConfig;
  /** Every tool that was listed, switched off or not. */
  readonly tools: readonly NamedTool[];
  /** What of them answers. */
  readonly names: ResolvedNames;
}

/** Says of everything a configuration names and no tool is that it does nothing; what nobody looked into may have it. */
export function findUnmatched({ config, tools, names }: KnownTools, place: PatternPlace): Finding[] {
  const mayBeThere = (pattern: string): boolean => place.unread.some((key) => mayMeanToolOf(pattern, key));
  return [
    ...listUnmatched(config.toolsets ?? {}, names)
      .filter(({ pattern }) => !mayBeThere(pattern))
      .map((one) => toUnmatchedFinding(one, place.project)),
    ...findUnmatchedPatterns({ config, tools }, place),
  ];
}
