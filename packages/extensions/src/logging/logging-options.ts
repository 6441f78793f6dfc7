import type { ToolResult } from "@aiw/core";
import type { LogLevel, StructuredLogger } from "./structured-logger.ts";

/** How calls are logged. */
export interface LoggingOptions {
  /** `logging` unless named; two of one executor need two names. */
  readonly name?: string;
  /** A pino logger, or anything of its shape; `createLogger()` makes one. */
  readonly logger: StructuredLogger;
  /** Levels by how a call ended, in place of the usual ones. */
  readonly levels?: { readonly [status in ToolResult["status"]]?: LogLevel };
  /** Texts that are masked wherever they occur. */
  readonly secrets?: readonly string[];
  /** Ends the logger with the executor; nothing unless named, since a logger that is handed in belongs to whoever made it. */
  close?(): void | Promise<void>;
}

/** Where lines go. */
export interface CreateLoggerOptions {
  /** `info` unless named. */
  readonly level?: LogLevel | "silent";
  /** JSON Lines; standard error unless named. */
  readonly file?: string;
}
