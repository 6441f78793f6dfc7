import type {
  ActivityStream,
  JsonObject,
  OfferFacts,
  Principal,
  ToolEntry,
  ToolFailure,
  ToolLog,
  ToolResult,
  ToolSpec,
  ToolSuccess,
  TraceContext,
  WorkspaceRoots,
} from "@aiw/core";
import type { ApprovalOutcome } from "../call/approver.ts";
import type { CallEvent } from "../call/call-event.ts";
import type { ApprovalSettings } from "../call/approval-settings.ts";
import type { Decision, GateVerdict } from "../call/verdict.ts";
import type { PipelineStage } from "../pipeline/stages.ts";

/** Stages an extension can belong to; the later ones belong to the result. */
export type ExtensionStage = Exclude<PipelineStage, "bound_input" | "validate_output" | "bound_result" | "audit_close">;

/** The place of an extension among those of its stage. */
export type ExtensionPriority = "highest" | "high" | "normal" | "low" | "lowest";

/** Priorities by their constant names. */
export const ExtensionPriority = {
  HIGHEST: "highest",
  HIGH: "high",
  NORMAL: "normal",
  LOW: "low",
  LOWEST: "lowest",
} as const;

/** Which tools an extension is active for: what any of the lists names; every tool unless one is given. */
export interface ExtensionScope {
  /** Globs on full ids or names. */
  readonly tools?: readonly string[];
  /** Categories, exactly. */
  readonly categories?: readonly string[];
}

/** What an extension sees of a call; one object for the whole call, so it can be the key of a `WeakMap`. */
export interface ExtensionCall {
  readonly callId: string;
  /** The call whose tool made this one. */
  readonly parent: ExtensionCall | undefined;
  readonly parentCallId: string | undefined;
  /** `package/tool`, or the bare name of a tool that no package owns. */
  readonly toolId: string;
  readonly toolName: string;
  /** True when the short name leads to this very tool now. */
  readonly ownsName: boolean;
  /** Where the tool comes from; absent for a tool nobody has. */
  readonly entry: ToolEntry | undefined;
  /** Absent until its definition is known. */
  readonly spec: ToolSpec | undefined;
  /** `sha256-…`; absent before validation. */
  readonly definitionHash: string | undefined;
  /** The arguments as they stand: bounded first, then valid ones, then a person's edit; undefined for what cannot be read. */
  readonly arguments: JsonObject | undefined;
  /** What the tool's own schema made of valid arguments, and its code is given; not for changing. */
  readonly parsedArguments: unknown;
  readonly sessionId: string | undefined;
  /** Counts from 1 within a conversation. */
  readonly turn: number | undefined;
  readonly principal: Principal | undefined;
  readonly workspace: WorkspaceRoots | undefined;
  /** What was decided on these arguments; absent before `authorize_arguments`. */
  readonly verdict: GateVerdict | undefined;
  /** What a person, or a remembered approval, answered; absent where nobody was asked. */
  readonly approval: ApprovalOutcome | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds so far, waiting for people and for a slot left out. */
  readonly durationMs: number;
  /** Milliseconds it waited for its slot and its locks. */
  readonly waitedForSlotMs: number;
  /** Executions started. */
  readonly attempts: number;
  /** True for a call that goes on after it was suspended: hooks before the work see it again, its identity is the same. */
  readonly resumed: boolean;
  /** Judged only: no effect may follow. */
  readonly dryRun: boolean;
  /** True once the result stands. */
  readonly ended: boolean;
  /** Aborts when the call is cancelled or out of time. */
  readonly signal: AbortSignal;
  readonly log: ToolLog | undefined;
  /** Streams that are told of the call. */
  readonly streams: readonly ActivityStream[];
  /** The trace that requests of the tool belong to: what an extension gave, or the trace of whoever called. */
  readonly traceContext: TraceContext | undefined;
  /** Says what `traceContext` is from now on; asked only when the tool asks. */
  setTraceContext(source: () => TraceContext | undefined): void;
}

/** An opinion on a call: deny beats ask beats allow, whoever says it; `allow` lifts what only effects would ask for. */
export interface ExtensionVerdict {
  readonly decision: Decision;
  readonly reason: string;
  /** Names the rule that decided; the extension's name unless given. */
  readonly rule?: string;
}

/** What a hook may give back. */
type Hook<Given> = void | undefined | Given | Promise<void | undefined | Given>;

/**
 * Behaviour around calls, at one stage of the pipeline. Hooks may be synchronous or not.
 *
 * One that throws is reported under its name. What fails closed refuses the call then, or withholds its result; what fails
 * open is passed over. A `ToolError` from what fails closed is a refusal in the extension's own words.
 */
export interface Extension {
  /** Unique within an executor. */
  readonly name: string;
  readonly stage: ExtensionStage;
  /** `normal` unless named; those of equal priority keep the order of registration. */
  readonly priority?: ExtensionPriority;
  /** Whether its failure refuses the call; `open` for `trace` and `audit_open`, `closed` for every other stage, unless named. */
  readonly failure?: "closed" | "open";
  /**
   * Before the later stages. Opinions count from the `authorize_` stages and `validate_input`; others can only deny. Arguments that a
   * person edited are put before those of `authorize_tool` to `approval` again, `rate_limit` left out: a call is counted once.
   */
  beforeExecute?(call: ExtensionCall): Hook<ExtensionVerdict>;
  /** Around the later stages, once for a call that runs; must call `next` once and not hide how it ends. */
  wrap?(call: ExtensionCall, next: () => Promise<void>): Promise<void>;
  /**
   * Around each attempt of the execution, whatever the stage; must call `execute` once and at once, and can neither change
   * nor hide what it gives. What the tool starts is started within.
   */
  executeWithin?(call: ExtensionCall, execute: () => unknown): void;
  /** Told of approvals, retries, output and progress as they happen; quick, and without effect on the call. */
  onEvent?(call: ExtensionCall, event: CallEvent): void;
  /** After the work succeeded, later stages first; a result it gives replaces the call's. */
  afterExecute?(call: ExtensionCall, result: ToolSuccess): Hook<ToolResult>;
  /** After the call failed, was refused or was cancelled; a result it gives replaces the call's. */
  onError?(call: ExtensionCall, failure: ToolFailure): Hook<ToolResult>;
  /**
   * After the call stopped at a question nobody can answer now, in place of the hooks after the work: it has no result yet, and goes
   * on as another object under the same call id, maybe in another process, or never. What it throws is reported and changes nothing.
   */
  onSuspend?(call: ExtensionCall): void | Promise<void>;
  /**
   * False for a tool that the caller may not even see, as is all but `true`; such a tool is neither listed nor found, and a call of
   * it is refused before its code is loaded. Asked of every tool: quick, and without effect.
   */
  isOffered?(tool: ToolEntry, principal: Principal | undefined, facts: OfferFacts): boolean;
  /** How people are asked; of several extensions the strictest mode holds, and the first approver asks. */
  readonly approval?: ApprovalSettings;
  /** Takes what the executor and running tools log, where the host opens a project's tools and names no log. */
  readonly log?: ToolLog;
  /** Lets go of what outlives a call; called once, when the executor closes or the extension is unregistered. */
  close?(): void | Promise<void>;
}
