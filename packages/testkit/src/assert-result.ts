import { AssertionError } from "node:assert/strict";
import type { ErrorType, FailureStatus, ToolFailure, ToolResult, ToolSuccess } from "@aiw/core";

/** What a failure must be; what is left out may be anything. */
export interface ExpectedFailure {
  readonly code?: string;
  readonly error_type?: ErrorType;
  readonly status?: FailureStatus;
  readonly retryable?: boolean;
  readonly settled?: boolean;
  /** Text in the message for the model, or a pattern it has. */
  readonly error?: string | RegExp;
  readonly suggestion?: string | RegExp;
}

/** What was streamed, as a fake context or `callTool` has it. */
interface Streamed {
  text(channel?: string): string;
}

/** Asserts that a call gave a value. @throws AssertionError with the failure's words, code and suggestion. */
export function assertSuccess<Value>(result: ToolResult<Value>): asserts result is ToolSuccess<Value> {
  if (result.success) return;
  throw new AssertionError({ message: `The call failed. ${describeResult(result)}`, stackStartFn: assertSuccess });
}

/** Asserts that a call failed, and how. @throws AssertionError with what came instead. */
export function assertFailure(result: ToolResult, expected: ExpectedFailure = {}): asserts result is ToolFailure {
  if (result.success) {
    throw new AssertionError({ message: `The call succeeded. ${describeResult(result)}`, stackStartFn: assertFailure });
  }
  const other = Object.entries(expected).filter(([field, wanted]) => !isAsExpected(result, field, wanted));
  if (other.length === 0) return;
  throw new AssertionError({
    message: `The call failed otherwise: ${other.map(([field]) => field).join(", ")}. ${describeResult(result)}`,
    actual: Object.fromEntries(other.map(([field]) => [field, Reflect.get(result, field) as unknown])),
    expected: Object.fromEntries(other),
    operator: "deepStrictEqual",
    stackStartFn: assertFailure,
  });
}

/** Asserts that a call was refused by policy, by a person, or by its own assessment. @throws AssertionError with what came instead. */
export function assertDenied(
  result: ToolResult,
  expected: Omit<ExpectedFailure, "status"> = {},
): asserts result is ToolFailure & { readonly status: "denied" } {
  assertFailure(result, { status: "denied", ...expected });
}

/** Asserts that a text, or what a pattern describes, was streamed. @throws AssertionError with everything that was. */
export function assertStreamed(streamed: Streamed, expected: string | RegExp, channel?: string): void {
  const text = streamed.text(channel);
  if (contains(text, expected)) return;
  const where = channel === undefined ? "" : ` on ${channel}`;
  throw new AssertionError({
    message: `${typeof expected === "string" ? JSON.stringify(expected) : String(expected)} was not streamed${where}, but:\n${text || "nothing"}`,
    actual: text,
    expected,
    operator: "match",
    stackStartFn: assertStreamed,
  });
}

/** Messages are long and quoted in part; everything else is what it is. */
function isAsExpected(result: ToolFailure, field: string, wanted: unknown): boolean {
  const actual: unknown = Reflect.get(result, field);
  if (wanted === undefined) return true;
  if (field === "error" || field === "suggestion") return contains(String(actual ?? ""), wanted as string | RegExp);
  return actual === wanted;
}

function contains(text: string, wanted: string | RegExp): boolean {
  return typeof wanted === "string" ? text.includes(wanted) : text.search(wanted) >= 0;
}

/** What a result says, for the message of a failing test. */
function describeResult(result: ToolResult): string {
  if (result.success) return `It gave: ${shorten(JSON.stringify(result.value) ?? "undefined")}`;
  const { error, code, error_type, status, suggestion } = result;
  const advice = suggestion === undefined ? "" : `\nsuggestion: ${suggestion}`;
  return `${error}\ncode: ${code} (${error_type}, ${status})${advice}`;
}

function shorten(text: string): string {
  return text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
}
