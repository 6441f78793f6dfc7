import { AiwError, assertKnownOptions } from "@aiw/core";
import type { CreateLoggerOptions, LoggingOptions } from "./logging-options.ts";

const KNOWN: ReadonlySet<string> = new Set<keyof LoggingOptions>(["name", "logger", "levels", "secrets", "close"]);
const KNOWN_OF_LOGGERS: ReadonlySet<string> = new Set<keyof CreateLoggerOptions>(["level", "file"]);

const LEVELS = ["debug", "info", "warn", "error"] as const;
const STATUSES = ["ok", "error", "denied", "cancelled", "timed_out", "unknown_outcome"];

/** Refuses options that cannot be meant; a misspelt one would silently not hold. @throws AiwError `config_invalid` */
export function assertLoggingOptions(options: LoggingOptions): void {
  assertKnownOptions("logging", options, KNOWN);
  const { logger, levels = {}, secrets = [] } = options;
  const functions: Readonly<Record<string, unknown>> = { ...toFunctions(logger) };
  if (LEVELS.some((level) => typeof functions[level] !== "function"))
    throw invalid(
      "The logger of logging() lacks one of debug, info, warn and error.",
      "Pass (await createLogger()).logger.",
    );
  assertKnownOptions("logging.levels", levels, STATUSES);
  for (const level of Object.values(levels)) assertLevel(level, LEVELS);
  if (!Array.isArray(secrets) || secrets.some((one) => typeof one !== "string"))
    throw invalid("secrets of logging() is no list of texts.", "Correct it.");
}

/** The same for loggers that are made here. @throws AiwError `config_invalid` */
export function assertLoggerOptions(options: CreateLoggerOptions): void {
  assertKnownOptions("createLogger", options, KNOWN_OF_LOGGERS);
  if (options.level !== undefined) assertLevel(options.level, [...LEVELS, "silent"]);
}

/** Methods may be inherited. */
function toFunctions(logger: unknown): object {
  if (typeof logger !== "object" || logger === null) return {};
  return Object.fromEntries(LEVELS.map((level) => [level, Reflect.get(logger, level) as unknown]));
}

function assertLevel(level: unknown, levels: readonly string[]): void {
  if (levels.some((known) => known === level)) return;
  throw invalid(`${JSON.stringify(level)} is no level of a log.`, `Levels: ${levels.join(", ")}.`);
}

function invalid(message: string, fix: string): AiwError {
  return new AiwError("config_invalid", message, { fix });
}
