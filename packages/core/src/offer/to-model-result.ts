import type { Json, JsonObject } from "../contract/json.ts";
import type { ToolFailure, ToolResult, ToolSuccess } from "../contract/tool-result.ts";
import { hasAttachments } from "./attachments.ts";
import { isJsonObject, toJsonValue } from "./to-json-value.ts";

/** Names of the envelope; a value or details that use one of them stay whole. */
const RESERVED = new Set(["success", "error", "error_type", "code", "suggestion"]);

/** Writes a result as the flat JSON a model reads: the envelope and the fields of the value, or of a failure's details. */
export function toModelResult(result: ToolResult): JsonObject {
  return result.success ? fromSuccess(result) : fromFailure(result);
}

function fromSuccess({ value, notices }: ToolSuccess): JsonObject {
  return { success: true, error: "", ...withNotices(flatten(value, "value"), notices, "value") };
}

function fromFailure({ error, error_type, code, suggestion, details, notices }: ToolFailure): JsonObject {
  return {
    success: false,
    error: error.toWellFormed(),
    error_type,
    code,
    ...(suggestion !== undefined && { suggestion: suggestion.toWellFormed() }),
    ...withNotices(flatten(details, "details"), notices, "details"),
  };
}

/** Adds the host's notices after the tool's own; a member of that name that is no list stays whole. */
function withNotices(flat: JsonObject, notices: readonly string[] | undefined, name: "value" | "details"): JsonObject {
  // Results that were stored and read back may hold anything.
  const said = (Array.isArray(notices) ? notices : []).flatMap((notice: unknown) =>
    typeof notice === "string" ? [notice.toWellFormed()] : [],
  );
  if (said.length === 0) return flat;
  const own = flat["notices"];
  if (own === undefined) return { ...flat, notices: said };
  return Array.isArray(own) ? { ...flat, notices: [...own, ...said] } : { [name]: flat, notices: said };
}

function flatten(value: unknown, name: "value" | "details"): JsonObject {
  if (value === undefined) return {};
  const json = withoutAttachments(toJsonValue(value));
  if (!isJsonObject(json) || Object.keys(json).some((key) => RESERVED.has(key))) return { [name]: json };
  return json;
}

/** Attachments travel as content beside the JSON. */
function withoutAttachments(json: Json): Json {
  if (!isJsonObject(json) || !hasAttachments(json)) return json;
  const { attachments: _attachments, ...rest } = json as JsonObject;
  return rest;
}
