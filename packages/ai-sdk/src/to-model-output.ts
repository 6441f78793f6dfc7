import { toModelResult, type Attachment, type ToolResult } from "@aiw/core";
import type { ToolResultPart } from "ai";
import { toFailureText } from "./failure-text.ts";
import { isCallPreview } from "./preview-buffer.ts";
import { toPlainJson } from "./to-plain-json.ts";

/** What the AI SDK sends to a model as the result of a call. */
export type ModelOutput = ToolResultPart["output"];

type ContentPart = Extract<ModelOutput, { type: "content" }>["value"][number];
type JsonOutput = Extract<ModelOutput, { type: "json" }>["value"];

/** Text of a call whose stored output is no result, because its run was stopped. */
const STOPPED = "The call was stopped before it had a result; what it did until then stands.";

/** Says an output to the model; also runs on outputs that were stored and read back, so it never throws. */
export function toModelOutput({ output }: { readonly output: unknown }): ModelOutput {
  if (isCallPreview(output))
    return { type: "error-text", value: output.chunk === undefined ? STOPPED : `${STOPPED}\n${output.chunk}` };
  if (!isToolResult(output))
    return typeof output === "string"
      ? { type: "text", value: output }
      : { type: "json", value: toPlainJson(output) as JsonOutput };
  if (output.status === "denied") return { type: "execution-denied", reason: toFailureText(output) };
  if (!output.success) return { type: "error-text", value: toFailureText(output) };
  const { value, attachments } = takeAttachments(output.value);
  const bare = { ...output, value };
  // What the host adds has no place in a bare text.
  const isText = typeof value === "string" && output.notices === undefined;
  if (attachments.length === 0)
    return isText ? { type: "text", value } : { type: "json", value: toModelResult(bare) as JsonOutput };
  const text = isText ? value : JSON.stringify(toModelResult(bare));
  return { type: "content", value: [{ type: "text", text }, ...attachments.map(toContentPart)] };
}

/** Takes attachments out of a value; what only looks like a list of them stays where it is. */
function takeAttachments(value: unknown): { readonly value: unknown; readonly attachments: readonly Attachment[] } {
  if (typeof value !== "object" || value === null || !("attachments" in value)) return { value, attachments: [] };
  const { attachments, ...rest } = value;
  if (!Array.isArray(attachments) || attachments.length === 0 || !attachments.every(isAttachment))
    return { value, attachments: [] };
  return { value: rest, attachments };
}

function isAttachment(value: unknown): value is Attachment {
  if (typeof value !== "object" || value === null) return false;
  const { type, media_type, data, uri } = value as Partial<Attachment>;
  return (
    typeof type === "string" && typeof media_type === "string" && (typeof data === "string" || typeof uri === "string")
  );
}

/** A reference is told, not followed: the framework would fetch it past the checks a tool's own connections pass. */
function toContentPart({ type, media_type, data, uri, name }: Attachment): ContentPart {
  if (data === undefined)
    return { type: "text", text: `[${type} ${[name, media_type].filter(Boolean).join(", ")}: ${uri ?? ""}]` };
  return {
    type: "file",
    mediaType: media_type,
    data: { type: "data", data },
    ...(name !== undefined && { filename: name }),
  };
}

function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== "object" || value === null || !("success" in value) || !("status" in value)) return false;
  return value.success === true
    ? value.status === "ok" && "value" in value
    : value.success === false && "error_type" in value;
}
