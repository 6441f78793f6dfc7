import type { DiscoveryReport, ToolResult } from "@aiw/core";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { explainMissing } from "../../output/explain-missing.ts";

/** How a call ended, for a script; a tool that is not as it is pinned is no decision of a policy. */
export function exitCodeOf(result: ToolResult, name: string, report: DiscoveryReport): ExitCode {
  if (result.success) return EXIT.ok;
  if (result.status === "denied") return EXIT.refused;
  return isOfLock(result, name, report) ? EXIT.configuration : EXIT.failed;
}

const LOCK_CODES: ReadonlySet<unknown> = new Set(["lock_missing", "lock_drift"]);

function isOfLock(result: ToolResult, name: string, report: DiscoveryReport): boolean {
  if (result.success) return false;
  if (result.code === "tool_not_found") return explainMissing(name, report).some(({ code }) => LOCK_CODES.has(code));
  return result.code === "load_failed" && LOCK_CODES.has(result.details?.["finding"]);
}
