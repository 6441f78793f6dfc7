/** Hosts enter here for structured logs of calls. */
export { configure, type LoggingSettings } from "./logging/configure-logging.ts";
export { createLogger, type OwnLogger } from "./logging/create-logger.ts";
export { logging, type LoggingExtension } from "./logging/logging.ts";
export type { CreateLoggerOptions, LoggingOptions } from "./logging/logging-options.ts";
export type { LogLevel, StructuredLogger } from "./logging/structured-logger.ts";
export { toToolLog, type ToolLogOptions } from "./logging/to-tool-log.ts";
