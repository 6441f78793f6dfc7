import type { ToolLog } from "@aiw/core";
import type { LogLevel, StructuredLogger } from "./structured-logger.ts";
import { toLogFields, toLogMessage } from "./to-log-fields.ts";

/** How lines are copied. */
export interface ToolLogOptions {
  /** Texts that are masked wherever they occur. */
  readonly secrets?: readonly string[];
}

/** Makes a structured logger the log of an executor and of its tools; lines of tools say which call they are of. */
export function toToolLog(logger: StructuredLogger, { secrets = [] }: ToolLogOptions = {}): ToolLog {
  const write =
    (level: LogLevel): ToolLog["info"] =>
    (message, fields = {}) => {
      try {
        logger[level](toLogFields(fields, secrets), toLogMessage(message, secrets));
      } catch {
        // A logger that fails must not fail a call, and there is nowhere left to say it.
      }
    };
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
