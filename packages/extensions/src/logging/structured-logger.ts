/** What lines are written to: pino's loggers are such, and anything of their shape. */
export interface StructuredLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** How severe a line is. */
export type LogLevel = "debug" | "info" | "warn" | "error";
