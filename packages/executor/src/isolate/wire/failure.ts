import { describeThrown, ToolError, type ErrorType, type FailureStatus } from "@aiw/core";
import { decodeValue } from "./decode-value.ts";
import { encodeValue } from "./encode-value.ts";
import { isRecord } from "../../call/is-record.ts";

/** What was thrown on one side, as data for the other. */
export interface WireFailure {
  readonly code: string;
  readonly message: string;
  readonly fields: unknown;
  /** Of what was no `ToolError`; for a log, never for a model (SEC-LOG-4). */
  readonly stack?: string;
  /** The question whose answer it was: the other side knows it better. */
  readonly ask?: number;
}

/** Characters of a message, and of a stack, that cross. */
const MAX_TEXT = 16_000;

/** Says what was thrown; what a model must not see of it is kept apart. */
export function toWireFailure(thrown: unknown): WireFailure {
  try {
    if (ToolError.is(thrown)) return fromToolError(thrown);
  } catch {
    // A getter of a forged error threw.
  }
  const stack = readStack(thrown);
  return {
    code: "internal_error",
    message: `The tool failed unexpectedly: ${describeThrown(thrown)}`,
    fields: {},
    ...(stack !== undefined && { stack }),
  };
}

function fromToolError(error: ToolError): WireFailure {
  const { type, status, retryable, settled, suggestion, details, parameters } = error;
  return {
    code: String(error.code),
    message: String(error.message).slice(0, MAX_TEXT),
    fields: {
      ...encodeFields({ type, status, retryable, settled, suggestion }),
      ...encodeFields({ details }),
      ...encodeFields({ parameters }),
    },
  };
}

/** Facts that cannot be read are no facts, and the failure stands without them. */
function encodeFields(fields: object): object {
  try {
    return encodeValue(fields) as object;
  } catch {
    return {};
  }
}

function readStack(thrown: unknown): string | undefined {
  try {
    return thrown instanceof Error ? String(thrown.stack).slice(0, MAX_TEXT) : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the failure that the other side threw; what it says of itself is taken as a tool's own word is. */
export function fromWireFailure(value: unknown): ToolError {
  const { code, message, fields, stack } = isRecord(value) ? value : {};
  const told = decodeValue(fields);
  const { type, status, retryable, settled, suggestion, details, parameters } = isRecord(told) ? told : {};
  return new ToolError(typeof code === "string" && code !== "" ? code : "internal_error", toText(message), {
    retryable: retryable === true,
    settled: settled !== false,
    ...(typeof type === "string" && { type: type as ErrorType }),
    ...(typeof status === "string" && { status: status as FailureStatus }),
    ...(typeof suggestion === "string" && { suggestion }),
    ...(isRecord(details) && { details }),
    ...(isRecord(parameters) && { parameters }),
    ...(typeof stack === "string" && { cause: { stack: stack.slice(0, MAX_TEXT) } }),
  });
}

function toText(message: unknown): string {
  return typeof message === "string" ? message.slice(0, MAX_TEXT) : "It failed without a reason.";
}
