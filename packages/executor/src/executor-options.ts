import type { ActivityStream, ToolLog, WorkspaceRoots } from "@aiw/core";
import type { Answerer } from "./call/answerer.ts";
import type { Approver } from "./call/approver.ts";
import type { RuleSource } from "./decide/policy-rules.ts";
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
  readonly limits?: ExecutorLimits;
  /** Told of every call. */
  readonly activity?: ActivityStream;
  /** Executors by the type of tool they run, beside `function`. */
  readonly executors?: { readonly [type: string]: Executor };
  /** The folders calls may touch; without it tools are given none. */
  readonly workspace?: WorkspaceRoots;
  readonly log?: ToolLog;
}
