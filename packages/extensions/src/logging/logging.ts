import type { ToolLog, ToolResult } from "@aiw/core";
import { toRecordedArguments, type Extension, type ExtensionCall } from "@aiw/executor";
import { assertLoggingOptions } from "./assert-options.ts";
import type { LoggingOptions } from "./logging-options.ts";
import type { LogLevel, StructuredLogger } from "./structured-logger.ts";
import { toToolLog } from "./to-tool-log.ts";

/** The extension that logs calls. */
export interface LoggingExtension extends Extension {
  /** The same logger as the log of an executor: `new UnifiedToolExecutor(registry, { log: extension.log, … })`. */
  readonly log: ToolLog;
}

/** Refusals and failures somebody may want to look into are warnings; faults of tools and hosts are errors. */
const LEVELS: { readonly [status in ToolResult["status"]]: LogLevel } = {
  ok: "info",
  error: "warn",
  denied: "warn",
  cancelled: "info",
  timed_out: "warn",
  unknown_outcome: "error",
};

/**
 * Writes one line when a call begins (`debug`, with its arguments) and one when it has ended; it never stands in a call's way.
 * @throws AiwError `config_invalid` for options that cannot be meant.
 */
export function logging(options: LoggingOptions): LoggingExtension {
  assertLoggingOptions(options);
  const { name = "logging", logger, levels = {}, secrets = [], close } = options;
  const log = toToolLog(logger, { secrets });
  const after = (call: ExtensionCall, result: ToolResult): void => {
    const level = levelOf(result, levels);
    if (isWritten(logger, level)) log[level](sayEnd(result), { ...toFields(call), ...toOutcome(result) });
  };
  return {
    name,
    stage: "trace",
    // The last to see how a call ended.
    priority: "high",
    log,
    beforeExecute(call) {
      if (!isWritten(logger, "debug")) return;
      log.debug("Call began.", { ...toFields(call), arguments: toRecordedArguments(call, { known: secrets }) });
    },
    afterExecute: after,
    onError: after,
    ...(close !== undefined && { close }),
  };
}

function levelOf(result: ToolResult, levels: NonNullable<LoggingOptions["levels"]>): LogLevel {
  const own = Object.hasOwn(levels, result.status) ? levels[result.status] : undefined;
  if (own !== undefined) return own;
  if (!result.success && result.status === "error" && result.error_type === "system_error") return "error";
  return Object.hasOwn(LEVELS, result.status) ? LEVELS[result.status] : "error";
}

function sayEnd(result: ToolResult): string {
  return result.success ? "Call succeeded." : "Call failed.";
}

/** What every line of a call has. */
function toFields({ callId, parentCallId, sessionId, turn, principal, toolId }: ExtensionCall): object {
  return {
    callId,
    ...(parentCallId !== undefined && { parentCallId }),
    ...(sessionId !== undefined && { sessionId }),
    ...(turn !== undefined && { turn }),
    ...(principal !== undefined && { principal: principal.id }),
    tool: toolId,
  };
}

function toOutcome(result: ToolResult): object {
  const { durationMs, attempts } = result.call;
  const outcome = { status: result.status, durationMs: Math.round(durationMs * 1000) / 1000, attempts };
  return result.success ? outcome : { ...outcome, code: result.code, settled: result.settled };
}

/** Pino knows which levels it writes; another logger gets every line. */
function isWritten(logger: StructuredLogger & { isLevelEnabled?(level: string): boolean }, level: LogLevel): boolean {
  return logger.isLevelEnabled?.(level) !== false;
}
