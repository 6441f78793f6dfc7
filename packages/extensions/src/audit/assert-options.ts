import { AiwError, assertKnownOptions } from "@aiw/core";
import type { AuditOptions } from "./audit-options.ts";

const KNOWN: ReadonlySet<string> = new Set<keyof AuditOptions>([
  "name",
  "file",
  "database",
  "sink",
  "onFailure",
  "maxBytes",
  "maxFiles",
  "sync",
  "key",
  "secrets",
  "arguments",
  "maxPending",
  "retryMs",
  "log",
]);

/** Options that say how files, or files and databases, are written. */
const OF_FILES = ["maxBytes", "maxFiles"] as const;
const OF_WRITING = [...OF_FILES, "sync", "key"] as const;

/**
 * Refuses options that cannot be meant: a record that is not what its operator believes must not be begun.
 * @throws AiwError `config_invalid`
 */
export function assertAuditOptions(options: AuditOptions): void {
  assertKnownOptions("audit", options, KNOWN);
  const { file, database, sink, onFailure, secrets, arguments: recorded, maxPending, retryMs } = options;
  if ([file, database, sink].filter((one) => one !== undefined).length !== 1)
    throw invalid(
      "audit() needs exactly one of file, database and sink.",
      'Write audit({ file: ".aiw/audit.jsonl" }).',
    );
  assertWritten("audit", options);
  if (sink !== undefined && typeof (sink as { readonly append?: unknown } | null)?.append !== "function")
    throw invalid("The sink of audit() has no function append.", "Write it like { append(entries) {} }.");
  if (onFailure !== undefined && onFailure !== "block" && onFailure !== "warn")
    throw invalid("onFailure of audit() is neither.", 'Name "block" or "warn".');
  if (secrets !== undefined && !isTexts(secrets))
    throw invalid("secrets of audit() is no list of texts.", "Correct it.");
  if (recorded !== undefined && typeof recorded !== "boolean")
    throw invalid("arguments of audit() is neither true nor false.", "Correct it.");
  assertCount("maxPending", maxPending, 1);
  assertCount("retryMs", retryMs, 0);
}

/** Refuses what says how something else would be written: it would silently not hold. @throws AiwError `config_invalid` */
export function assertWritten(where: string, options: Omit<AuditOptions, "key"> & { readonly key?: unknown }): void {
  const idle = options.sink !== undefined ? OF_WRITING : options.database !== undefined ? OF_FILES : [];
  const [found] = idle.filter((name) => options[name] !== undefined);
  if (found === undefined) return;
  const what = options.sink === undefined ? "a database" : "a sink of your own";
  throw invalid(`${where} names ${what}, for which ${found} would have no effect.`, `Leave ${found} out.`);
}

function assertCount(name: string, value: unknown, least: number): void {
  if (value === undefined || (typeof value === "number" && value >= least && value <= Number.MAX_SAFE_INTEGER)) return;
  throw invalid(`${name} of audit() must be a number from ${least}.`, "Correct it, or leave it out for the default.");
}

function isTexts(list: unknown): boolean {
  return Array.isArray(list) && list.every((one) => typeof one === "string");
}

function invalid(message: string, fix: string): AiwError {
  return new AiwError("config_invalid", message, { fix });
}
