import { AiwError } from "@aiw/core";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { RefusedError } from "../refused-error.ts";
import { UsageError } from "../usage-error.ts";

/** A failure of a whole command, for programs and people. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly fix?: string;
  readonly exitCode: ExitCode;
}

/** Says what was thrown: wrong use, a known fault of the project, or one nobody foresaw. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof UsageError) return { code: "wrong_use", message: error.message, exitCode: EXIT.usage };
  if (error instanceof RefusedError)
    return { code: "tool_not_offered", message: error.message, fix: error.fix, exitCode: EXIT.refused };
  const message = error instanceof Error ? error.message : String(error);
  if (!AiwError.is(error)) return { code: "internal_error", message, exitCode: EXIT.failed };
  const fix = readFix(error);
  const exitCode = error.code === "tool_not_found" ? EXIT.failed : EXIT.configuration;
  return { code: error.code, message, ...(fix !== undefined && { fix }), exitCode };
}

/** The way out as somebody at this command line types it; core speaks to whoever starts Node. */
export function readFix({ code, fix }: Pick<AiwError, "code" | "fix">): string | undefined {
  if (code !== "pnp_not_active" || fix === undefined) return fix;
  if (fix.includes("yarn node")) return `Run this command with: yarn aiw … (a script of your own with: yarn node)`;
  const hook = /--require ("(?:[^"\\]|\\.)*")/.exec(fix)?.[1];
  return hook === undefined ? fix : `Run with: NODE_OPTIONS='--require ${hook}' aiw …`;
}
