import type { OpenWorkspaceOptions } from "../workspace.ts";

/** Both ways to hold against races, for tests that must hold with either. */
export const RACE_PROTECTIONS: readonly (readonly [string, OpenWorkspaceOptions])[] = [
  ["closed", {}],
  ["narrowed", { raceProtection: "narrowed" }],
];
