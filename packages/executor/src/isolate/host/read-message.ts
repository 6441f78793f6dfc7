import { isRecord } from "../../call/is-record.ts";
import type { ProcessMessage, ToolParts, WireIssue } from "../wire/messages.ts";

/** Things one list of issues names, and characters of a text that is shown or logged. */
const MAX_ISSUES = 50;
const MAX_TEXT = 16_000;

const TYPES = ["ready", "opened", "parsed", "done", "failed", "output", "progress", "log", "ask"] as const;

/** What a process said, field by field as it must be; undefined for anything else. */
export function readMessage(message: unknown): ProcessMessage | undefined {
  if (!isRecord(message)) return undefined;
  const type = TYPES.find((known) => known === message["t"]);
  if (type === "ready") return { t: "ready" };
  const { id } = message;
  if (type === undefined || typeof id !== "number") return undefined;
  switch (type) {
    case "opened":
      return { t: type, id, parts: readParts(message["parts"]), ...readIssues(message) };
    case "parsed":
      return { t: type, id, ...readIssues(message) };
    case "done":
      return { t: type, id, value: message["value"], ...readIssues(message), ...readPreview(message) };
    case "failed":
      // Read whole by `fromWireFailure`.
      return { t: type, id, failure: message["failure"] as never, ...readPreview(message) };
    case "output":
      return readOutput(id, message);
    case "progress":
      return { t: type, id, progress: message["progress"] };
    case "log":
      return {
        t: type,
        id,
        level: toText(message["level"]),
        message: toText(message["message"]),
        fields: message["fields"],
      };
    case "ask":
      return readQuestion(id, message);
  }
}

function readParts(value: unknown): ToolParts {
  const parts = isRecord(value) ? value : {};
  return {
    parseInput: parts["parseInput"] === true,
    parseOutput: parts["parseOutput"] === true,
    assess: parts["assess"] === true,
    preview: parts["preview"] === true,
  };
}

function readIssues({ issues }: Readonly<Record<string, unknown>>): { readonly issues?: readonly WireIssue[] } {
  if (!Array.isArray(issues)) return {};
  return { issues: issues.slice(0, MAX_ISSUES).map(toIssue) };
}

function toIssue(value: unknown): WireIssue {
  const { message, path } = isRecord(value) ? value : {};
  const isPath = Array.isArray(path) && path.every((key) => typeof key === "string" || typeof key === "number");
  return { message: toText(message), ...(isPath && { path: path as (string | number)[] }) };
}

function readPreview({ preview }: Readonly<Record<string, unknown>>): { readonly preview?: readonly string[] } {
  return Array.isArray(preview) ? { preview: preview.slice(0, 10).map(toText) } : {};
}

function readOutput(id: number, { chunk, channel }: Readonly<Record<string, unknown>>): ProcessMessage | undefined {
  if (typeof chunk !== "string" || typeof channel !== "string") return undefined;
  return { t: "output", id, chunk, channel };
}

function readQuestion(id: number, message: Readonly<Record<string, unknown>>): ProcessMessage | undefined {
  const { ask, kind, key, name, request, input } = message;
  if (typeof ask !== "number") return undefined;
  if (kind === "session") return { t: "ask", id, ask, kind };
  if (kind === "input" && typeof key === "string") return { t: "ask", id, ask, kind, key, request };
  if (kind === "call" && typeof name === "string") return { t: "ask", id, ask, kind, name, input };
  return undefined;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value.slice(0, MAX_TEXT) : "";
}
