import type { ToolResult, ToolSpec } from "@aiw/core";
import { toRecordedArguments, toRecordedValue, type ExtensionCall } from "@aiw/executor";
import type { Attributes } from "@opentelemetry/api";
import { ATTRIBUTE, EXECUTE_TOOL, UNKNOWN_TOOL } from "./conventions.ts";

/** Types of tools whose work is done by somebody else. */
const REMOTE_TYPES: ReadonlySet<string> = new Set(["http", "mcp"]);

/** A category, or a tag, of tools that look things up. */
const RETRIEVAL = "retrieval";

/** The tool's name where names have to be few. */
export function toToolLabel({ entry, toolName }: ExtensionCall): string {
  return entry === undefined ? UNKNOWN_TOOL : toolName;
}

/** What is known of a call when it begins. */
export function describeCall(call: ExtensionCall): Attributes {
  const { sessionId, spec } = call;
  return {
    [ATTRIBUTE.toolName]: call.toolName,
    [ATTRIBUTE.callId]: call.callId,
    [ATTRIBUTE.toolId]: call.toolId,
    ...(sessionId !== undefined && { [ATTRIBUTE.conversationId]: sessionId }),
    ...(spec?.metadata.version !== undefined && { [ATTRIBUTE.toolVersion]: spec.metadata.version }),
  };
}

/** What is known of an execution when it begins. */
export function describeExecution(call: ExtensionCall): Attributes {
  const { spec } = call;
  return {
    [ATTRIBUTE.operationName]: EXECUTE_TOOL,
    ...describeCall(call),
    ...(spec !== undefined && {
      [ATTRIBUTE.toolType]: toToolType(spec),
      [ATTRIBUTE.toolDescription]: spec.description,
    }),
  };
}

/** What became of a call. */
export function describeEnd(call: ExtensionCall, result: ToolResult): Attributes {
  const { approval, verdict } = call;
  return {
    [ATTRIBUTE.callStatus]: result.status,
    [ATTRIBUTE.callSettled]: isSettled(result),
    [ATTRIBUTE.callAttempts]: result.call.attempts,
    ...(approval !== undefined && { [ATTRIBUTE.approvalDecision]: approval.decision }),
    ...(approval !== undefined && verdict?.rule !== undefined && { [ATTRIBUTE.approvalRule]: verdict.rule }),
  };
}

/** The arguments as JSON of an object, as the convention asks: bounded, secrets masked. */
export function describeArguments(call: ExtensionCall): Attributes {
  return toContent(ATTRIBUTE.callArguments, () => toRecordedArguments(call));
}

/** The value of a result in the same way; a failure has none. */
export function describeResult({ spec }: ExtensionCall, result: ToolResult): Attributes {
  if (!result.success) return {};
  const schema = spec?.outputSchema;
  return toContent(ATTRIBUTE.callResult, () => toRecordedValue(result.value, schema === undefined ? {} : { schema }));
}

/** True unless the work may still run. */
export function isSettled(result: ToolResult): boolean {
  return result.success || result.settled;
}

function toToolType({ type, metadata }: ToolSpec): "function" | "extension" | "datastore" {
  if (metadata.category === RETRIEVAL || metadata.tags.includes(RETRIEVAL)) return "datastore";
  return REMOTE_TYPES.has(type) ? "extension" : "function";
}

/** What cannot be written as JSON is left out. */
function toContent(name: string, read: () => unknown): Attributes {
  try {
    const value = read();
    if (value === undefined) return {};
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return { [name]: JSON.stringify(isObject ? value : { value }) };
  } catch {
    return {};
  }
}
