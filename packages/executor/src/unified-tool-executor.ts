import {
  ToolError,
  type ActivityStream,
  type SessionStore,
  type ToolLog,
  type ToolRegistry,
  type ToolResult,
} from "@aiw/core";
import { ApprovalMemory } from "./approve/approval-memory.ts";
import { closeResult, ENDED_WELL, type CallEnd } from "./bound/close-result.ts";
import { FullResults } from "./bound/full-results.ts";
import { toCharacterBound } from "./bound/truncate-output.ts";
import { AbortNode } from "./call/abort-tree.ts";
import { CallDisposals } from "./call/call-disposals.ts";
import type { ExecuteOptions, SuspendableOptions } from "./call/execute-options.ts";
import { awaitExpansion, expandFor } from "./call/expand-for.ts";
import { hashDefinition } from "./call/hash-definition.ts";
import { guardLog } from "./call/guard-log.ts";
import { isCurrent } from "./call/is-current.ts";
import { openCall, type AskedCall, type CallHost } from "./call/open-call.ts";
import type { ResultReader } from "./call/result-reader.ts";
import type { RunningCall } from "./call/running-call.ts";
import { RunningCalls } from "./call/running-calls.ts";
import { SessionAborts } from "./call/session-aborts.ts";
import type { SuspendedCall, SuspensionAnswers } from "./call/suspension.ts";
import { toEnvironment, type EnvironmentHost } from "./call/to-environment.ts";
import { withinTime } from "./call/within-time.ts";
import { ChainCache } from "./chain-cache.ts";
import type { Chain, ChainParts } from "./create-chain.ts";
import { toAuthorization, type Authorization } from "./decide/authorization.ts";
import { resolveChoices, resolveExecutors, toExecutor } from "./resolve-choices.ts";
import { compileRules } from "./decide/policy-rules.ts";
import type { Executor } from "./execute/executor.ts";
import { resolveLimits, type ResolvedLimits } from "./executor-limits.ts";
import { Slots } from "./limit/slots.ts";
import { ToolLimits } from "./limit/tool-limits.ts";
import type { UnifiedToolExecutorOptions } from "./executor-options.ts";
import { ExtensionManager } from "./extend/extension-manager.ts";
import { isSuspended, toRefusal, toResult, toSuspending } from "./suspend/suspended-calls.ts";
import { Suspensions } from "./suspend/suspensions.ts";
import { toOffers } from "./to-offers.ts";

/** Runs calls of registered tools under policy; every call id gets exactly one result. */
export class UnifiedToolExecutor implements AsyncDisposable {
  readonly registry: ToolRegistry;
  readonly activity: ActivityStream | undefined;
  /** What stands around calls; changes hold for calls that begin later. */
  readonly extensions: ExtensionManager;
  readonly #options: UnifiedToolExecutorOptions;
  readonly #log: ToolLog | undefined;
  readonly #limits: ResolvedLimits;
  readonly #executors: Map<string, Executor>;
  readonly #running = new RunningCalls();
  readonly #root = new AbortNode();
  readonly #host: CallHost;
  readonly #slots: Slots;
  readonly #full: FullResults;
  readonly #disposals = new CallDisposals();
  readonly #chains: ChainCache;
  readonly #suspensions: Suspensions;
  #closing: Promise<void> | undefined;

  /** @throws AiwError `config_invalid` for an option that could not mean what its author thinks. */
  constructor(registry: ToolRegistry, options: UnifiedToolExecutorOptions = {}) {
    this.registry = registry;
    this.activity = options.activity;
    this.#options = options;
    this.#log = options.log && guardLog(options.log);
    this.#limits = resolveLimits(options.limits);
    this.extensions = ExtensionManager.from(options.extensions);
    this.#suspensions = new Suspensions({ registry, workspace: options.workspace }, options.suspension);
    this.#host = {
      registry,
      offers: toOffers(registry, this.extensions),
      root: this.#root,
      // Before its tool runs, an abort is a call's end, and afterwards the kernel's business.
      onAbort: (call, thrown) => {
        if (!call.working) this.#finish(call, { ok: false, thrown });
      },
      sessions: new SessionAborts(),
      running: this.#running,
      suspended: this.#suspensions,
      maxDepth: this.#limits.depth,
      maxNestedCalls: this.#limits.nestedCalls,
      activity: options.activity,
      workspace: options.workspace,
      isolation: options.isolation,
      log: this.#log,
    };
    this.#slots = new Slots(this.#limits);
    this.#full = new FullResults(this.#limits.fullResultBytes);
    this.#executors = resolveExecutors(options.executors);
    this.#chains = new ChainCache(this.extensions, this.#toParts());
  }

  /** Calls that have no result yet. */
  get running(): number {
    return this.#running.size;
  }

  /** Runs one call of the tool that owns `name` or has it as full id; never throws. */
  execute(name: string, input: unknown, options: SuspendableOptions): Promise<ToolResult | SuspendedCall>;
  execute(name: string, input: unknown, options?: ExecuteOptions): Promise<ToolResult>;
  execute(
    name: string,
    input: unknown,
    options: ExecuteOptions & { readonly suspend?: boolean } = {},
  ): Promise<ToolResult | SuspendedCall> {
    const asked: AskedCall = { name, input, options };
    return this.#execute(options?.suspend === true ? { ...asked, suspending: toSuspending() } : asked);
  }

  /** Goes on with a suspended call, once, under its call id; what it was bound to must be as it was. Never throws. */
  // eslint-disable-next-line max-params -- the three facts of a resumption have an order of their own; options come last everywhere
  async resume(
    callId: string,
    state: unknown,
    answers: SuspensionAnswers = {},
    options: ExecuteOptions = {},
  ): Promise<ToolResult | SuspendedCall> {
    const asked = await this.#suspensions.resume({ callId, state, answers, options: options ?? {} });
    return ToolError.is(asked) ? toRefusal(asked, callId) : this.#execute(asked);
  }

  /** Says what would become of a call, as far as a person's answer; no event, no effect. */
  async authorize(name: string, input: unknown, options: ExecuteOptions = {}): Promise<Authorization> {
    const { callId: _callId, activity: _activity, ...rest } = options ?? {};
    const call = this.#start(await this.#expanded({ name, input, options: rest, dryRun: true }));
    return toAuthorization(call, toResult(await call.outcome.promise));
  }

  /** Sets who runs the tools of a type, replacing whoever did. @throws AiwError `config_invalid` for what is no executor. */
  registerExecutor(type: string, executor: Executor): void {
    this.#executors.set(type, toExecutor(type, executor));
  }

  /** Gives the whole of a result that was shortened for a model; undefined once it gave way to others, or when it is not the reader's. */
  async readFullResult(reference: string, reader?: ResultReader): Promise<unknown> {
    return this.#full.read(reference, reader);
  }

  /** Aborts the calls of a conversation, forgets what it kept, and waits for its end, a little longer than the grace at most. */
  async abortSession(session: SessionStore): Promise<void> {
    this.#full.forget(session.id);
    const calls = [...this.#running].filter(({ options }) => options.session === session);
    for (const { abort } of calls) abort.abort(new ToolError("cancelled", "The conversation has ended."));
    await this.#settled(calls);
    this.#suspensions.forget(session);
  }

  /** Aborts what runs, waits for its results, and refuses new calls; returns within a few times what the limits give calls and extensions to end. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #execute(asked: AskedCall): Promise<ToolResult | SuspendedCall> {
    const known = this.#expanded(asked);
    if (known instanceof Promise) return known.then((late) => this.#start(late).outcome.promise);
    return this.#start(known).outcome.promise;
  }

  #expanded(asked: AskedCall): AskedCall | Promise<AskedCall> {
    const expanding = expandFor(this.registry, asked.name);
    return expanding === undefined ? asked : awaitExpansion(this.#host, asked, expanding);
  }

  #toParts(): ChainParts {
    const { approver, approvalTerms, rules = [], approvalMode } = this.#options;
    const lent: EnvironmentHost = {
      maxResultCharacters: toCharacterBound(this.#limits.result),
      answerer: this.#options.answerer,
      callTool: async (asked) => toResult(await this.#execute(asked)),
    };
    return {
      registry: this.registry,
      ...resolveChoices(this.#options),
      limits: this.#limits,
      toolLimits: new ToolLimits(this.#limits),
      slots: this.#slots,
      rules: compileRules(rules),
      approver,
      approvalTerms,
      approvals: new ApprovalMemory(),
      executors: this.#executors,
      full: this.#full,
      approvalMode: () => (typeof approvalMode === "function" ? approvalMode() : approvalMode),
      offers: this.#host.offers,
      toEnvironment: (call) => toEnvironment(call, lent),
      follow: (call) => this.#follow(call),
      isCurrent: (call) => isCurrent(this.registry, call),
      onFault: (error, { callId }) => this.#log?.error("A closing stage failed.", { callId, error }),
    };
  }

  #start(asked: AskedCall): RunningCall {
    const call = openCall(this.#host, asked);
    const chain = this.#chains.chainOf(call.entry);
    call.chain = chain;
    this.#running.add(call);
    void this.#run(call, chain);
    return call;
  }

  async #run(call: RunningCall, chain: Chain): Promise<void> {
    let end: CallEnd = ENDED_WELL;
    try {
      const running = call.dryRun ? chain.judge(call) : chain.run(call);
      if (running !== undefined) await running;
    } catch (thrown) {
      if (isSuspended(call, thrown)) return this.#suspend(call);
      end = { ok: false, thrown };
    }
    this.#finish(call, end);
  }

  /** Hangs the call on what may abort it; closing goes through all calls, so that most need hang on nothing. */
  #follow(call: RunningCall): void {
    const { signal, session } = call.options;
    if (signal === undefined && session === undefined && call.parent === undefined && !this.#root.aborted) return;
    call.abort.follow(signal);
  }

  /** Ends a call; whoever comes second finds it ended. */
  #finish(call: RunningCall, end: CallEnd): void {
    const settle = call.outcome.claim();
    if (settle === undefined) return;
    call.end();
    this.#disposals.dispose(call);
    if (call.definitionHash !== undefined || call.spec === undefined) return this.#settle(call, end, settle);
    void hashDefinition(call, call.spec).then(() => this.#settle(call, end, settle));
  }

  /** Lets go of a call that stopped at a question; it ends for good when it has gone on. */
  #suspend(call: RunningCall): void {
    const settle = call.outcome.claim();
    if (settle === undefined) return;
    call.end();
    this.#disposals.dispose(call);
    this.#suspensions.suspend(call).then(
      (suspended) => {
        call.chain?.suspend(call);
        this.#running.delete(call);
        settle(suspended);
      },
      (thrown: unknown) => this.#settle(call, { ok: false, thrown }, settle),
    );
  }

  /** Makes the result and takes it through the closing stages; a dry run is told to nobody. */
  #settle(call: RunningCall, end: CallEnd, settle: (result: ToolResult) => void): void {
    const result = closeResult(call, end);
    if (!end.ok && !result.success && result.code === "internal_error") {
      this.#log?.error("A tool failed by its own fault.", {
        tool: call.toolId,
        callId: call.callId,
        error: end.thrown,
      });
    }
    const closed = call.dryRun ? result : (call.chain?.close(call, result) ?? result);
    if (closed instanceof Promise) void closed.then((last) => this.#release(call, last, settle));
    else this.#release(call, closed, settle);
  }

  #release(call: RunningCall, result: ToolResult, settle: (result: ToolResult) => void): void {
    this.#running.delete(call);
    settle(result);
  }

  async #settled(calls: readonly RunningCall[]): Promise<void> {
    const { graceMs, extensionMs } = this.#limits;
    await withinTime(Promise.all(calls.map(({ outcome }) => outcome.promise)), graceMs + extensionMs);
  }

  async #close(): Promise<void> {
    const { graceMs, extensionMs } = this.#limits;
    const reason = new ToolError("cancelled", "The executor was closed.");
    const calls = [...this.#running];
    this.#root.abort(reason);
    for (const { abort } of calls) abort.abort(reason);
    await this.#settled(calls);
    await this.#disposals.settled(graceMs);
    const closings = [...new Set(this.#executors.values())].map(async (executor) => executor.close?.());
    const extensions = this.extensions.close().catch((error: unknown) => {
      this.#log?.error("Extensions could not be closed.", { error });
    });
    await withinTime(
      Promise.all([...closings.map((one) => one.catch(() => undefined)), extensions]),
      graceMs + extensionMs,
    );
    await this.#options.isolation?.close();
    this.#slots.close();
    this.#full.clear();
  }
}
