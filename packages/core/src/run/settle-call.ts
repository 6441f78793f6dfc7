import type { Tool } from "../contract/tool.ts";
import type { CallRecord, ToolFailure, ToolResult, ToolSuccess } from "../contract/tool-result.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { ToolError } from "../errors/tool-error.ts";
import { formatCall } from "../validate/format-call.ts";
import { describeThrown } from "./describe-thrown.ts";

/** Lines a preview has at most, and characters of a line. */
const PREVIEW_LINES = 3;
const PREVIEW_LINE_LENGTH = 200;

/** Characters of an error message, and of a suggestion, that a model sees. */
const MAX_ERROR_LENGTH = 4000;

/** Makes the result of a call that gave a value. */
export function toSuccess<Value>(value: Value, call: CallRecord, tool?: Pick<Tool, "preview">): ToolSuccess<Value> {
  const result: ToolSuccess<Value> = { success: true, status: "ok", error: "", value, preview: [], call };
  return { ...result, preview: previewOf(result, tool) };
}

/** The call a failure speaks of. */
export interface FailedCall {
  readonly spec: Pick<ToolSpec, "name"> & Partial<ToolSpec>;
  /** The arguments as given. */
  readonly input: unknown;
  readonly call: CallRecord;
  readonly tool?: Pick<Tool, "preview">;
  /** What the host knows of secrets beyond what the schema marks. */
  readonly secrets?: KnownSecrets;
}

/** Secrets a host recognises. */
export interface KnownSecrets {
  /** Parameters whose values are secret wherever they occur. */
  readonly names: readonly string[];
  /** Masks what looks like a secret inside of a text. */
  mask(text: string): string;
}

/**
 * Makes the result of a call that threw; its message opens with the call as the model wrote it.
 * What is no `ToolError` is the tool's own fault: said in one bounded line, without its stack.
 */
export function toFailure(thrown: unknown, { spec, input, call, tool, secrets }: FailedCall): ToolFailure {
  const error = ToolError.is(thrown)
    ? thrown
    : new ToolError("internal_error", `The tool failed unexpectedly: ${describeThrown(thrown)}`, { cause: thrown });
  const head = formatCall(spec, error.parameters ?? input, { secretNames: secrets?.names ?? [] });
  const said = cut(`${head}: ${error.message}`, MAX_ERROR_LENGTH);
  const result: ToolFailure = {
    success: false,
    status: error.status,
    error: secrets === undefined ? said : secrets.mask(said),
    error_type: error.type,
    code: error.code,
    ...(error.suggestion !== undefined && { suggestion: cut(String(error.suggestion), MAX_ERROR_LENGTH) }),
    retryable: error.retryable,
    settled: error.settled,
    ...(error.details !== undefined && { details: error.details }),
    preview: [],
    call,
  };
  return { ...result, preview: previewOf(result, tool) };
}

/** A preview is for people: one that throws or is no list of lines is replaced, never a reason to fail. */
function previewOf(result: ToolResult, tool: Pick<Tool, "preview"> | undefined): string[] {
  try {
    const lines: unknown = tool?.preview?.(result, PREVIEW_LINES);
    if (Array.isArray(lines)) return lines.slice(0, PREVIEW_LINES).map((line) => cut(String(line), PREVIEW_LINE_LENGTH));
  } catch {
    // Falls through to the default preview.
  }
  return defaultPreview(result);
}

function defaultPreview(result: ToolResult): string[] {
  const text = result.success ? textOf(result.value) : result.error;
  const lines = text.split("\n", PREVIEW_LINES + 1).filter((line) => line.trim() !== "");
  return lines.slice(0, PREVIEW_LINES).map((line) => cut(line, PREVIEW_LINE_LENGTH));
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return String(value);
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
