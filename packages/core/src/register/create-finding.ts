import { escapeHiddenText } from "../schema/hidden-text.ts";
import { DISCOVERY_CODES } from "./discovery-codes.ts";
import type { Finding } from "./discovery-report.ts";

/** Characters of package text a report repeats. */
const MAX_SHOWN = 200;

/** Makes a finding; what came from a package must have passed {@link toShownText} or {@link quote}. */
export function createFinding(parts: Omit<Finding, "severity">): Finding {
  const { code, package: packageKey, version, dir, tool, tools = [], pointer, reason, fix } = parts;
  return Object.freeze({
    code,
    severity: DISCOVERY_CODES[code],
    package: packageKey,
    ...(version !== undefined && { version: toShownText(version) }),
    ...(dir !== undefined && { dir }),
    ...(tool !== undefined && { tool: toShownText(tool) }),
    ...(tools.length > 0 && { tools: Object.freeze(tools.map(toShownText)) }),
    ...(pointer !== undefined && { pointer: toShownText(pointer) }),
    reason,
    fix,
  });
}

/** Escapes what a person would not see, and cuts the rest. */
export function toShownText(text: string): string {
  const cut = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return escapeHiddenText(cut.toWellFormed()).replaceAll(/[\n\r\t]/g, " ");
}

/** Says what was thrown, escaped and cut: it may be a package's own, and looking at it may throw again. */
export function toShownError(error: unknown): string {
  try {
    return toShownText(String(error instanceof Error ? error.message : error));
  } catch {
    return "a value that cannot be shown";
  }
}

/** Shows a value as JSON, escaped and cut. */
export function quote(value: unknown): string {
  return toShownText(JSON.stringify(value) ?? String(value));
}

/** Sorts findings, so that a report never depends on timing. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => compareText(sortKey(a), sortKey(b)));
}

/** Orders texts by code unit: the same everywhere, whatever the locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function sortKey({ package: packageKey, code, tool = "", pointer = "", reason }: Finding): string {
  return [packageKey, code, tool, pointer, reason].join("\0");
}
