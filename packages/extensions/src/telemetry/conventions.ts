/**
 * Names of the GenAI conventions (open-telemetry/semantic-conventions-genai, status development), which no package of
 * constants brings, and our own beside them.
 */
export const ATTRIBUTE = {
  operationName: "gen_ai.operation.name",
  toolName: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolDescription: "gen_ai.tool.description",
  callId: "gen_ai.tool.call.id",
  callArguments: "gen_ai.tool.call.arguments",
  callResult: "gen_ai.tool.call.result",
  conversationId: "gen_ai.conversation.id",
  errorType: "error.type",
  toolId: "aiw.tool.id",
  toolVersion: "aiw.tool.version",
  callStatus: "aiw.call.status",
  callSettled: "aiw.call.settled",
  callAttempts: "aiw.call.attempts",
  approvalDecision: "aiw.approval.decision",
  approvalRule: "aiw.approval.rule",
} as const;

/** What the execution of a tool is called. */
export const EXECUTE_TOOL = "execute_tool";

/** Span names, each followed by the tool's. */
export const SPAN = { call: "aiw.tool_call", execution: "execute_tool" } as const;

/** Events of spans. */
export const SPAN_EVENT = {
  approvalRequest: "aiw.approval.request",
  approvalDecision: "aiw.approval.decision",
  repeated: "aiw.call.repeated",
  retry: "aiw.retry",
} as const;

/** Labels of our own metrics beside the tool's name. */
export const LABEL = { status: "status", code: "code", decision: "decision", sink: "sink" } as const;

/** The status of a call that stopped at a question nobody could answer yet; no result has it. */
export const SUSPENDED = "suspended";

/** Stands for every name the registry does not know, since models invent names. */
export const UNKNOWN_TOOL = "_unknown";

/** Seconds: two for quick tools, then those the convention names. */
export const DURATION_BUCKETS: readonly number[] = Object.freeze([
  0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
]);
