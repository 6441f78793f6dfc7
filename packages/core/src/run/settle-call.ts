import type { Tool } from "../contract/tool.ts";
import type { CallRecord, ToolFailure, ToolResult, ToolSuccess } from "../contract/tool-result.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import { escapeHiddenText } from "../schema/hidden-text.ts";
import { cut, showValue } from "../schema/show-value.ts";
import { formatCall } from "../validate/format-call.ts";
import { MAX_ERROR_LENGTH, readFailure } from "./read-failure.ts";

/** Lines a preview has at most, and characters of a line. */
const PREVIEW_LINES = 3;
const PREVIEW_LINE_LENGTH = 200;

/** Characters of a value that a preview looks at. */
const MAX_PREVIEW_TEXT = 10_000;

/** Makes the result of a call that gave a value. */
export function toSuccess<Value>(value: Value, call: CallRecord, tool?: Pick<Tool, "preview">): ToolSuccess<Value> {
  const result: ToolSuccess<Value> = {
    success: true,
    status: "ok",
    error: "",
    value,
    preview: tool?.preview === undefined ? previewValue(value) : [],
    call: freezeRecord(call),
  };
  return tool?.preview === undefined ? result : { ...result, preview: previewOf(result, tool) };
}

function freezeRecord(call: CallRecord): CallRecord {
  return Object.isFrozen(call) ? call : Object.freeze({ ...call });
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

/** Makes the result of a call that threw, whatever was thrown; its message opens with the call as the model wrote it. */
export function toFailure(thrown: unknown, { spec, input, call, tool, secrets }: FailedCall): ToolFailure {
  const { message, status, type, parameters, suggestion, ...failure } = readFailure(thrown);
  const head = formatCall(spec, parameters ?? input, { secretNames: secrets?.names ?? [] });
  const said = cut(`${head}: ${message}`, MAX_ERROR_LENGTH);
  const mask = (text: string): string => secrets?.mask(text) ?? text;
  const result: ToolFailure = {
    success: false,
    status,
    error: mask(said),
    error_type: type,
    ...failure,
    ...(suggestion !== undefined && { suggestion: mask(suggestion) }),
    preview: [],
    call: freezeRecord(call),
  };
  return { ...result, preview: previewOf(result, tool) };
}

/** A preview is for people: one that throws or is no list of lines is replaced, never a reason to fail. */
function previewOf(result: ToolResult, tool: Pick<Tool, "preview"> | undefined): string[] {
  try {
    const lines: unknown = tool?.preview?.(result, PREVIEW_LINES);
    if (Array.isArray(lines)) return lines.slice(0, PREVIEW_LINES).map(toLine);
    // An async one by mistake; nobody else would see it fail.
    if (lines instanceof Promise) lines.catch(() => undefined);
  } catch {
    // Falls through to the default preview.
  }
  return defaultPreview(result);
}

function defaultPreview(result: ToolResult): string[] {
  return result.success ? previewValue(result.value) : toLines(result.error);
}

function previewValue(value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  // What is no text is shown in one line, made for showing.
  return typeof value === "string" ? toLines(value) : [showValue(value, { max: PREVIEW_LINE_LENGTH })];
}

function toLines(text: string): string[] {
  const lines = text
    .slice(0, MAX_PREVIEW_TEXT)
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.slice(0, PREVIEW_LINES).map(toLine);
}

/** One line that moves no cursor and hides nothing. */
function toLine(value: unknown): string {
  return cut(
    escapeHiddenText(
      String(value)
        .slice(0, MAX_PREVIEW_TEXT)
        .replaceAll(/[\r\n]+/g, " "),
    ),
    PREVIEW_LINE_LENGTH,
  );
}
