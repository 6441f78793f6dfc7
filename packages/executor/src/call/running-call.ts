import type {
  AbortSource,
  ActivityStream,
  ArgumentRepair,
  BoundedInput,
  CallContext,
  JsonObject,
  Principal,
  Tool,
  ToolError,
  ToolEntry,
  ToolLog,
  ToolRegistry,
  ToolResult,
  ToolSpec,
  TraceContext,
  ValidatedCall,
  WorkspaceRoots,
} from "@aiw/core";
import { AbortNode } from "./abort-tree.ts";
import type { CallChain, CallFacts } from "./call-facts.ts";
import type { BegunCall } from "./begun-call.ts";
import { CallClock } from "./call-clock.ts";
import type { ExecuteOptions } from "./execute-options.ts";
import { SettleOnce } from "./settle-once.ts";
import type { CallSlot } from "./call-slot.ts";
import type { ApprovalOutcome } from "./approver.ts";
import type { SuspendedCall, Suspending } from "./suspension.ts";
import type { GateVerdict, Verdict } from "./verdict.ts";

const NO_OPINIONS: readonly Verdict[] = Object.freeze([]);

const NO_REPAIRS: readonly ArgumentRepair[] = Object.freeze([]);

/** One call on its way through the pipeline; each stage adds what it found out. */
export class RunningCall implements AbortSource {
  readonly callId: string;
  readonly name: string;
  readonly given: unknown;
  readonly options: ExecuteOptions;
  readonly registry: ToolRegistry;
  readonly entry: ToolEntry | undefined;
  readonly parent: RunningCall | undefined;
  readonly workspace: WorkspaceRoots | undefined;
  readonly log: ToolLog | undefined;
  readonly streams: readonly ActivityStream[];
  readonly dryRun: boolean;
  readonly suspending: Suspending | undefined;
  readonly depth: number;
  readonly clock: CallClock<RunningCall> = new CallClock<RunningCall>(this);
  readonly outcome: SettleOnce<ToolResult | SuspendedCall> = new SettleOnce();
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The beginning on the clock that never goes back. */
  readonly since: number;
  /** The place in the pipeline, from 0. */
  stage = 0;
  /** True while the kernel runs the tool: then an abort is the kernel's business. */
  working = false;
  /** True once `tool_call_start` is out, or would be if somebody listened. */
  announced: boolean;
  /** Names of the extensions it came to. */
  entered: string[] | undefined;
  /** The extension at work, which is to blame should it never answer. */
  blamed: string | undefined;
  /** Executions started. */
  attempts = 0;
  /** Its place among the calls that run. */
  slot: CallSlot | undefined;
  /** Milliseconds it waited for its slot and its locks. */
  waitedForSlotMs = 0;
  /** Kept when work that did not stop with the call ends. */
  unsettled: Promise<void> | undefined;
  /** Calls made within this one, all depths together; counted on the outermost call alone. */
  nestedCalls = 0;
  /** The tool, once its definition is known. */
  tool: Tool | undefined;
  refusal: ToolError | undefined;
  /** The arguments within bounds. */
  bounded: BoundedInput | undefined;
  /** What was done to the arguments so that they could be read. */
  repairs: readonly ArgumentRepair[] = NO_REPAIRS;
  /** Why arguments were refused that are now read as what they most likely mean. */
  guessed: ToolError | undefined;
  definitionHash: string | undefined;
  validated: ValidatedCall | undefined;
  running: CallContext | undefined;
  /** What extensions said of the call so far. */
  opinions: readonly Verdict[] = NO_OPINIONS;
  verdict: GateVerdict | undefined;
  /** Absent without a conversation, and before its repetitions were looked for. */
  begun: BegunCall | undefined;
  approval: ApprovalOutcome | undefined;
  /** What an approval was given for; execution must be of exactly this. */
  approved: string | undefined;
  /** When it was given, on the clock that never goes back. */
  approvedAt = 0;
  value: unknown;
  /** What it goes through. */
  chain: CallChain<RunningCall> | undefined;
  /** Neighbours in the list of what runs. */
  preceding: RunningCall | undefined;
  following: RunningCall | undefined;

  readonly #abortParent: AbortNode;
  readonly #onAbort: CallFacts<RunningCall>["onAbort"];
  #abort: AbortNode | undefined;
  /** What watches the call's trace gives its tool to pass on. */
  #trace: (() => TraceContext | undefined) | undefined;
  #releases: Set<() => void> | undefined;
  #pauses = 0;
  #pausedAt = 0;
  #waitedMs = 0;

  // Copied, since facts kept as an object of their own would be one more that outlives the call.
  constructor(facts: CallFacts<RunningCall>) {
    this.callId = facts.callId;
    this.name = facts.name;
    this.given = facts.given;
    this.options = facts.options;
    this.registry = facts.registry;
    this.entry = facts.entry;
    this.tool = facts.tool;
    this.parent = facts.parent;
    this.workspace = facts.workspace;
    this.log = facts.log;
    this.streams = facts.streams;
    this.dryRun = facts.dryRun;
    this.suspending = facts.suspending;
    const before = facts.suspending?.resumption;
    // One that comes back to find its id taken is another call to those who listen.
    this.announced = before !== undefined && facts.callId === facts.options.callId;
    this.startedAt = before?.startedAt ?? Date.now();
    this.since = performance.now() - (before?.workedMs ?? 0);
    this.refusal = facts.refusal;
    this.depth = facts.parent === undefined ? 0 : facts.parent.depth + 1;
    this.#abortParent = facts.abortParent;
    this.#onAbort = facts.onAbort;
  }

  get toolId(): string {
    return this.entry?.id ?? this.name;
  }

  get toolName(): string {
    return this.entry?.name ?? this.name;
  }

  /** True when the short name leads to this very tool, as things are now. */
  get ownsName(): boolean {
    return this.registry.getEntry(this.toolName)?.id === this.toolId;
  }

  get spec(): ToolSpec | undefined {
    return this.tool?.spec ?? this.entry?.spec;
  }

  /** True for a call that goes on after it was suspended; what came before its question happens again. */
  get resumed(): boolean {
    return this.suspending?.resumption !== undefined;
  }

  get parentCallId(): string | undefined {
    return this.parent?.callId;
  }

  /** The arguments as they stand: bounded first, then valid ones, then a person's edit. */
  get arguments(): JsonObject | undefined {
    return this.validated?.input ?? (this.bounded?.value as JsonObject | undefined);
  }

  /** What the tool's own schema made of the arguments. */
  get parsedArguments(): unknown {
    return this.validated?.arguments;
  }

  /** The call that no other call made. */
  get outermost(): RunningCall {
    let call: RunningCall = this;
    while (call.parent !== undefined) call = call.parent;
    return call;
  }

  get turn(): number | undefined {
    return this.options.turn;
  }

  get principal(): Principal | undefined {
    return this.options.principal;
  }

  /** Its place in the tree of aborts, taken when somebody first needs it: most calls end before. */
  get abort(): AbortNode {
    if (this.#abort !== undefined) return this.#abort;
    // Work that goes on after its call hangs on nothing: nobody would take it off again.
    const node = new AbortNode(this.ended ? undefined : this.#abortParent);
    this.#abort = node;
    node.onAbort = (reason) => this.#onAbort(this, reason);
    return node;
  }

  get aborted(): boolean {
    return this.#abort?.aborted === true;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  subscribe(listener: () => void): () => void {
    return this.abort.subscribe(listener);
  }

  get sessionId(): string | undefined {
    return this.options.sessionId ?? this.options.session?.id;
  }

  /** The trace that requests of the tool belong to: what an extension gave, or the trace of whoever called. */
  get traceContext(): TraceContext | undefined {
    return this.#trace?.() ?? this.options.traceContext ?? this.parent?.traceContext;
  }

  get ended(): boolean {
    return this.outcome.settled;
  }

  /** Milliseconds since the call began, waiting for people and for its slot left out. */
  get durationMs(): number {
    const until = this.#pauses > 0 ? this.#pausedAt : performance.now();
    return until - this.since - this.#waitedMs;
  }

  /** Says what `traceContext` is from now on; asked only when the tool asks. */
  setTraceContext(source: () => TraceContext | undefined): void {
    this.#trace = source;
  }

  /** Stops the clocks of this call and of those that wait for it, until released or until the call ends. */
  pauseClocks(): () => void {
    // Nobody waits for a call that has ended: a pause would stop its parents for good.
    if (this.ended) return () => undefined;
    const paused = this.#chain();
    for (const call of paused) call.#pause();
    const release = (): void => {
      if (this.#releases?.delete(release) !== true) return;
      for (const call of paused) call.#resume();
    };
    (this.#releases ??= new Set()).add(release);
    return release;
  }

  /** Called by the pipeline when a stage has to be waited for: time limits need a timer from now on. */
  wait(): void {
    this.clock.arm();
  }

  /** Lets go of clocks, signals and nested calls. */
  end(): void {
    for (const release of this.#releases ?? []) release();
    this.clock.stop();
    this.#abort?.end();
    this.slot?.end(this.unsettled);
  }

  #pause(): void {
    if (this.#pauses === 0) this.#pausedAt = performance.now();
    this.#pauses += 1;
    this.clock.pause();
  }

  /** Waits that overlap count once. */
  #resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.#waitedMs += performance.now() - this.#pausedAt;
    this.clock.resume();
  }

  #chain(): RunningCall[] {
    const calls: RunningCall[] = [];
    for (let call: RunningCall | undefined = this; call !== undefined; call = call.parent) calls.push(call);
    return calls;
  }
}
