/** Hosts that run an agent on the AI SDK enter here. */
export { completeHistory } from "./complete-history.ts";
export type { ToolApproval } from "./create-tool-approval.ts";
export type { ApprovalMode } from "./execute-call.ts";
export { isCallPreview, type CallPreview } from "./preview-buffer.ts";
export { toAiSdk, type AiSdkOptions, type AiSdkTool, type AiSdkTools } from "./to-ai-sdk.ts";
export { ToolCallError } from "./tool-call-error.ts";
