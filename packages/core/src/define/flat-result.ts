import type { ErrorType, ToolResult } from "../contract/tool-result.ts";
import type { CoreErrorCode } from "../errors/error-codes.ts";
import { ToolError } from "../errors/tool-error.ts";

/** A success as flat fields. */
export interface FlatSuccess {
  readonly success: true;
  readonly error: "";
  readonly [field: string]: unknown;
}

/** A failure as flat fields. */
export interface FlatFailure {
  readonly success: false;
  readonly error: string;
  readonly error_type: ErrorType;
  readonly suggestion?: string;
  readonly [field: string]: unknown;
}

/** How class-based and foreign tools say what happened. */
export type FlatResult = FlatSuccess | FlatFailure;

const CODES: { readonly [Type in ErrorType]: CoreErrorCode } = {
  validation_error: "invalid_input",
  user_error: "failed",
  system_error: "internal_error",
  permission_error: "permission_denied",
  security_error: "denied_by_tool",
};

/**
 * Gives the output of what a tool returned: the fields of a flat success, or the value itself.
 * @throws ToolError for a flat failure.
 */
export function toOutput(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || !("success" in answer)) return answer;
  if (answer.success === false) throw toToolError(answer as Partial<FlatFailure>);
  if (answer.success !== true) return answer;
  const { success: _success, error: _error, ...fields } = answer as FlatSuccess;
  return fields;
}

/** Gives the flat form of a result; a value that is no object appears as `value`. */
export function toFlatResult(result: ToolResult): FlatResult {
  if (!result.success) {
    const { error, error_type, suggestion, details } = result;
    return { ...details, success: false, error, error_type, ...(suggestion !== undefined && { suggestion }) };
  }
  const { value } = result;
  const fields = typeof value === "object" && value !== null && !Array.isArray(value) ? value : { value };
  return { ...fields, success: true, error: "" };
}

function toToolError(failure: Partial<FlatFailure>): ToolError {
  const { success: _success, error, error_type, suggestion, parameters, code, ...details } = failure;
  const type: ErrorType = error_type !== undefined && Object.hasOwn(CODES, error_type) ? error_type : "user_error";
  return new ToolError(
    typeof code === "string" ? code : CODES[type],
    String(error ?? "The tool failed without a reason."),
    {
      type,
      ...(typeof suggestion === "string" && { suggestion }),
      ...(isFields(parameters) && { parameters }),
      ...(Object.keys(details).length > 0 && { details }),
    },
  );
}

function isFields(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
