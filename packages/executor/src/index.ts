/** Hosts enter here, on any runtime: calls under policy, and conversations. */
export { UnifiedToolExecutor } from "./unified-tool-executor.ts";
export type { UnifiedToolExecutorOptions } from "./executor-options.ts";
export {
  ToolManager,
  type ExecuteToolOptions,
  type FunctionDefinitionsOptions,
  type ToolManagerOptions,
} from "./tool-manager.ts";
export type { Answerer, AskedQuestion } from "./call/answerer.ts";
export type { ApprovalAnswer, ApprovalRequest, Approver } from "./call/approver.ts";
export type { ExecuteOptions } from "./call/execute-options.ts";
export type { DecidedBy, Decision, GateVerdict, Verdict } from "./call/verdict.ts";
export type { Authorization } from "./decide/authorization.ts";
export { combineDecisions } from "./decide/combine-decisions.ts";
export type { PolicyMatch, PolicyRule } from "@aiw/core";
export type { Executor } from "./execute/executor.ts";
export type { ExecutorLimits } from "./executor-limits.ts";
export { PIPELINE_STAGES, type PipelineStage, type StageDescription } from "./pipeline/stages.ts";
