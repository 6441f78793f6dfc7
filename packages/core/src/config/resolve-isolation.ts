import { matchGlob } from "../schema/match-glob.ts";
import type { IsolationConfig, IsolationGrant, IsolationMode } from "./isolation-config.ts";

/** Where a package runs, and what it is given there. */
export interface ResolvedIsolation {
  readonly mode: IsolationMode;
  readonly grant: IsolationGrant;
}

/** Settles where a package runs; of several patterns the longest decides, and of equally long ones the first by its text. */
export function resolveIsolation(config: IsolationConfig | undefined, packageKey: string): ResolvedIsolation {
  return {
    mode: pick(config?.packages, packageKey) ?? config?.default ?? "in_process",
    grant: pick(config?.grants, packageKey) ?? {},
  };
}

function pick<Value>(
  patterns: { readonly [pattern: string]: Value } | undefined,
  packageKey: string,
): Value | undefined {
  if (patterns === undefined) return undefined;
  const fitting = Object.keys(patterns).filter((pattern) => matchGlob(pattern, packageKey));
  const [best] = fitting.toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return best === undefined ? undefined : patterns[best];
}
