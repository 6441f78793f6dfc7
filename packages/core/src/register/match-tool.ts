import type { ToolsConfig } from "../config/aiw-config.ts";
import type { ToolEntry } from "../contract/tool-source.ts";
import { matchGlob } from "../schema/match-glob.ts";

/** What a pattern is compared with. */
export type NamedTool = Pick<ToolEntry, "id" | "name" | "origin">;

/** Which packages and tools configuration lets in. */
export interface ToolSelection {
  /** False when no tool of the package can be wanted, so that nobody need open it. */
  isPackageWanted(packageKey: string): boolean;
  isWanted(tool: NamedTool): boolean;
}

/**
 * True when a pattern means the tool: a package key, a full id, a name, or a glob. A glob without `/`, `@` or `:` is one of
 * names, so that `read*` reaches no package by the beginning of its key; `*` alone is every tool.
 */
export function matchesTool(pattern: string, { id, name, origin }: NamedTool): boolean {
  if (!hasWildcard(pattern)) return pattern === id || pattern === name || pattern === origin.package;
  if (isNameGlob(pattern)) return matchGlob(pattern, name);
  return matchGlob(pattern, id) || (origin.package !== undefined && matchGlob(pattern, origin.package));
}

/** Decides by `tools.enabled` and `tools.disabled`; what is disabled stays out whatever is enabled. */
export function createSelection({ enabled, disabled = [] }: ToolsConfig = {}): ToolSelection {
  return {
    isPackageWanted: (key) =>
      !disabled.some((pattern) => matchesPackage(pattern, key)) &&
      (enabled === undefined || enabled.some((pattern) => mayMeanToolOf(pattern, key))),
    isWanted: (tool) =>
      !disabled.some((pattern) => matchesTool(pattern, tool)) &&
      (enabled === undefined || enabled.some((pattern) => matchesTool(pattern, tool))),
  };
}

/** True when a pattern means every tool of a package, whatever they are called. */
function matchesPackage(pattern: string, key: string): boolean {
  if (!hasWildcard(pattern)) return pattern === key;
  if (isNameGlob(pattern)) return false;
  return matchGlob(pattern, key) || (pattern.endsWith("*") && matchGlob(pattern, `${key}/`));
}

/** True when a pattern may mean a tool of a package: a name may be any package's, anything longer says how the package begins. */
export function mayMeanToolOf(pattern: string, key: string): boolean {
  if (matchesPackage(pattern, key) || !/[/@:]/.test(pattern)) return true;
  const fixed = pattern.split(/[*?]/, 1)[0] ?? "";
  return fixed === pattern
    ? pattern.slice(0, Math.max(pattern.lastIndexOf("/"), 0)) === key
    : `${key}/`.startsWith(fixed) || fixed.startsWith(`${key}/`);
}

function isNameGlob(pattern: string): boolean {
  return !/[/@:]/.test(pattern) && /[^*]/.test(pattern);
}

function hasWildcard(pattern: string): boolean {
  return /[*?]/.test(pattern);
}
