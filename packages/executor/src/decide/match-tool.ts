import { matchGlob } from "@aiw/core";

/** The tool a rule is matched against. */
export interface PolicySubject {
  readonly toolId: string;
  readonly toolName: string;
  /** True when the short name leads to this very tool. */
  readonly ownsName: boolean;
}

/** True when a glob is one of the tool's full id or of its name: what a rule that asks or denies means by it. */
export function namesTool(pattern: string, { toolId, toolName }: PolicySubject): boolean {
  return matchGlob(pattern, toolId) || matchGlob(pattern, toolName);
}

/**
 * True when an allowance for a glob means the tool. It must reach neither a tool that shares the name with the one its
 * author thought of, nor every tool of a package whose name begins like it: `read*` is no word on `reader-pack/wipe`.
 */
export function allowsTool(pattern: string, { toolId, toolName, ownsName }: PolicySubject): boolean {
  return (ownsName && matchGlob(pattern, toolName)) || (!isShortPattern(pattern) && matchGlob(pattern, toolId));
}

function isShortPattern(pattern: string): boolean {
  return !/[/@]/.test(pattern) && /[^*]/.test(pattern);
}
