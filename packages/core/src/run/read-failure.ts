import type { ErrorType, FailureStatus } from "../contract/tool-result.ts";
import { ToolError } from "../errors/tool-error.ts";
import { cut } from "../schema/show-value.ts";
import { describeThrown } from "./describe-thrown.ts";

/** Characters of an error message, and of a suggestion, that a model sees. */
export const MAX_ERROR_LENGTH = 4000;

const MAX_CODE_LENGTH = 64;

const TYPES: readonly ErrorType[] = [
  "validation_error",
  "user_error",
  "system_error",
  "permission_error",
  "security_error",
];
const STATUSES: readonly FailureStatus[] = ["error", "denied", "cancelled", "timed_out", "unknown_outcome"];

/** What a thrown value says of the failure, in the contract's own types. */
export interface ReadFailure {
  readonly message: string;
  readonly status: FailureStatus;
  readonly type: ErrorType;
  readonly code: string;
  readonly suggestion?: string;
  readonly retryable: boolean;
  readonly settled: boolean;
  readonly details?: { readonly [name: string]: unknown };
  readonly parameters?: unknown;
}

/**
 * Reads what a tool threw. A `ToolError` is taken at its word where that is of the right type: another copy of this package,
 * plain JavaScript or a forger made it. Whatever else it is, is the tool's own fault, said in one bounded line without its stack.
 */
export function readFailure(thrown: unknown): ReadFailure {
  try {
    if (ToolError.is(thrown)) return readToolError(thrown);
  } catch {
    // A getter of a forged error threw.
  }
  return readToolError(new ToolError("internal_error", `The tool failed unexpectedly: ${describeThrown(thrown)}`));
}

function readToolError(error: { readonly [Field in keyof ToolError]?: unknown }): ReadFailure {
  const { message, suggestion, details, parameters } = error;
  return {
    message: String(message),
    status: STATUSES.find((status) => status === error.status) ?? "error",
    type: TYPES.find((type) => type === error.type) ?? "system_error",
    code: typeof error.code === "string" && error.code !== "" ? cut(error.code, MAX_CODE_LENGTH) : "internal_error",
    ...(suggestion !== undefined && suggestion !== null && { suggestion: cut(String(suggestion), MAX_ERROR_LENGTH) }),
    retryable: error.retryable === true,
    settled: error.settled !== false,
    ...(details !== undefined && details !== null && { details: isFields(details) ? details : { details } }),
    ...(parameters !== undefined && { parameters }),
  };
}

function isFields(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
