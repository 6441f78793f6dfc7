import type { RuleTester } from "oxlint/plugins-dev";

/** A rule as oxlint loads it. */
export type LintRule = Parameters<RuleTester["run"]>[1];
