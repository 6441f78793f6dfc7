import type { ActivityStream, ToolLog, WorkspaceRoots } from "@aiw/core";
import type { Answerer } from "./call/answerer.ts";
import type { Approver } from "./call/approver.ts";
import type { Isolation } from "./call/isolation.ts";
import type { ApprovalMode, ApprovalTerms } from "./call/approval-settings.ts";
import type { SuspensionOptions } from "./call/suspension.ts";
import type { RuleSource } from "./decide/policy-rules.ts";
import type { Extension } from "./extend/extension.ts";
import type { ExtensionManager } from "./extend/extension-manager.ts";
import type { RepeatMode } from "./repeat/compared-call.ts";
import type { Executor } from "./execute/executor.ts";
import type { ExecutorLimits } from "./executor-limits.ts";

/** What an executor is made of; everything has a safe default. */
export interface UnifiedToolExecutorOptions {
  /** Asked for unsafe calls; without one they are denied. */
  readonly approver?: Approver;
  /** Answers questions of running tools; without it they end with `input_unavailable`. */
  readonly answerer?: Answerer;
  /** The operator's rules, or what gives the list that holds now; deny beats ask beats allow, whatever their order. */
  readonly rules?: RuleSource;
  /** Which calls are asked about beside those that rules ask for, or what gives the mode that holds now; `unsafe_only` unless named. */
  readonly approvalMode?: ApprovalMode | (() => ApprovalMode | undefined);
  /** How long answers about calls count, and how far they may reach. */
  readonly approvalTerms?: ApprovalTerms;
  /** How calls are suspended that need an answer nobody can give right now. */
  readonly suspension?: SuspensionOptions;
  /** Roles, records, limits and whatever else stands around calls; closed with the executor. */
  readonly extensions?: readonly Extension[] | ExtensionManager;
  readonly limits?: ExecutorLimits;
  /**
   * Whether arguments are repaired that cannot be read as they come: text that is nearly JSON, values that arrived as text;
   * `on` unless named. What is a guess counts only for read-only calls and for calls a person is asked about.
   */
  readonly argumentRepair?: "on" | "off";
  /** What becomes of read-only calls of a conversation that come to the same again within a turn; `block` unless named. */
  readonly repeatedCalls?: RepeatMode;
  /** Told of every call. */
  readonly activity?: ActivityStream;
  /** Executors by the type of tool they run, beside and in place of `builtInExecutors()`. */
  readonly executors?: { readonly [type: string]: Executor };
  /** The folders calls may touch; without it tools are given none. */
  readonly workspace?: WorkspaceRoots;
  /** Says which tools run in processes of their own; closed with the executor. */
  readonly isolation?: Isolation;
  readonly log?: ToolLog;
}
