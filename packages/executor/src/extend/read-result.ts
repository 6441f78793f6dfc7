import type { ErrorType, FailureStatus, ToolResult } from "@aiw/core";
import { isRecord } from "../call/is-record.ts";

const STATUSES: ReadonlySet<unknown> = new Set<FailureStatus>([
  "error",
  "denied",
  "cancelled",
  "timed_out",
  "unknown_outcome",
]);

const ERROR_TYPES: ReadonlySet<unknown> = new Set<ErrorType>([
  "validation_error",
  "user_error",
  "system_error",
  "permission_error",
  "security_error",
]);

/** Copies what an extension gave as the result of a call; undefined for what is none, whoever would read it next. */
export function readResult(given: unknown): ToolResult | undefined {
  if (!isRecord(given)) return undefined;
  const copy = { ...given };
  return isTexts(copy["preview"]) && (isSuccess(copy) || isFailure(copy)) ? (copy as unknown as ToolResult) : undefined;
}

function isSuccess({ success, status, error, ...rest }: Fields): boolean {
  return success === true && status === "ok" && error === "" && "value" in rest;
}

function isFailure({ success, status, error, error_type: type, code, suggestion, ...rest }: Fields): boolean {
  const { retryable, settled, details } = rest;
  return (
    success === false &&
    STATUSES.has(status) &&
    ERROR_TYPES.has(type) &&
    isText(error) &&
    isText(code) &&
    (suggestion === undefined || typeof suggestion === "string") &&
    (details === undefined || isRecord(details)) &&
    typeof retryable === "boolean" &&
    typeof settled === "boolean"
  );
}

type Fields = Readonly<Record<string, unknown>>;

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((line) => typeof line === "string");
}
