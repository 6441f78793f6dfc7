/** Hosts enter here, on any runtime: calls under policy, and conversations. */
export { UnifiedToolExecutor } from "./unified-tool-executor.ts";
export type { UnifiedToolExecutorOptions } from "./executor-options.ts";
export {
  ToolManager,
  type ExecuteToolOptions,
  type FunctionDefinitionsOptions,
  type SuspendableToolOptions,
  type RevertOptions,
  type ToolManagerOptions,
} from "./tool-manager.ts";
export type { Answerer, AskedQuestion } from "./call/answerer.ts";
export {
  APPROVAL_MODES,
  ApprovalMode,
  assertApprovalSettings,
  REMEMBERED_SCOPES,
  type ApprovalSettings,
  type ApprovalTerms,
} from "./call/approval-settings.ts";
export {
  toApprovalAnswer,
  type ApprovalAnswer,
  type ApprovalChoice,
  type ApprovalNo,
  type ApprovalOutcome,
  type ApprovalRequest,
  type ApprovalScope,
  type ApprovalYes,
  type Approver,
  type RememberedRule,
  type RememberedScope,
  type RememberWish,
} from "./call/approver.ts";
export type { CallEvent, CallEventType } from "./call/call-event.ts";
export type { SuspendedCall, SuspendedRequest, SuspensionAnswers, SuspensionOptions } from "./call/suspension.ts";
export type { ExecuteOptions, SuspendableOptions } from "./call/execute-options.ts";
export type { DecidedBy, Decision, GateVerdict, Verdict } from "./call/verdict.ts";
export {
  createReadResult,
  type ReadResultInput,
  type ReadResultOptions,
  type ReadResultOutput,
  type ResultKeeper,
} from "./converse/read-result.ts";
export type { Authorization } from "./decide/authorization.ts";
export { combineDecisions } from "./decide/combine-decisions.ts";
export { allowsTool, namesTool, type PolicySubject } from "./decide/match-tool.ts";
export type { PolicyMatch, PolicyRule } from "@aiw/core";
export { builtInExecutors, type BuiltInExecutorOptions, type ExecutorGrants } from "./execute/built-in-executors.ts";
export type { Executor } from "./execute/executor.ts";
export type { HttpGrants } from "./execute/http/http-executor.ts";
export type { ShellGrants } from "./execute/shell/shell-executor.ts";
export type { HostEnvironment, SecretGrants } from "./execute/data/environment-reference.ts";
export {
  ExtensionPriority,
  type Extension,
  type ExtensionCall,
  type ExtensionScope,
  type ExtensionStage,
  type ExtensionVerdict,
} from "./extend/extension.ts";
export type { ConfigureExtension, ExtensionHost } from "./extend/extension-host.ts";
export { ExtensionManager, type RegisteredExtension } from "./extend/extension-manager.ts";
export type { ExecutorLimits } from "./executor-limits.ts";
export { findRecordedSecrets, toRecordedArguments } from "./bound/to-recorded-arguments.ts";
export { toRecordedText, toRecordedValue, type RecordedValueOptions } from "./bound/to-recorded-value.ts";
export type { RepeatMode } from "./repeat/compared-call.ts";
export { PIPELINE_STAGES, type PipelineStage, type StageDescription } from "./pipeline/stages.ts";
