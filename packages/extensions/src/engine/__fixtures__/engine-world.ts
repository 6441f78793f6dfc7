import { ActivityStream, ToolRegistry, type ActivityEvent, type Tool, type ToolResult } from "@aiw/core";
import {
  ToolManager,
  UnifiedToolExecutor,
  type ApprovalAnswer,
  type Extension,
  type SuspendedCall,
  type SuspensionAnswers,
} from "@aiw/executor";
import { vi } from "vitest";
import { audit, memorySink, type MemorySink } from "../../audit.ts";
import { rateLimit } from "../../rate-limit.ts";
import type { Answer, FailingHook, ListenerMood, Resumption, Step } from "./engine-steps.ts";
import { forgetSleepers, makeEngineTools, makeMeeting } from "./engine-tools.ts";
import { breathe, holdsSoon } from "./let-happen.ts";

/** Outermost calls that work at once. */
const PLACES = 2;

/** Calls that a listener makes of its own, at most: each is told of, too. */
const MAX_CALLS_OF_LISTENER = 3;

type Outcome = ToolResult | SuspendedCall;

/** An engine with everything on, what happens to it, and all that it said. Wants fake timers. */
export class EngineWorld {
  readonly sink: MemorySink = memorySink();
  readonly events: ActivityEvent[] = [];
  readonly outcomes: Outcome[] = [];
  /** Outcomes asked for, whether they came or not. */
  asked = 0;
  readonly suspended: SuspendedCall[] = [];
  readonly executor: UnifiedToolExecutor;
  closed = false;
  readonly #registry = new ToolRegistry();
  readonly #tools: ToolManager;
  readonly #activity = new ActivityStream();
  readonly #aborts = new Map<number, AbortController>();
  readonly #waiting: ((answer: ApprovalAnswer | Promise<never>) => void)[] = [];
  readonly #probes: Extension[] = [this.#makeProbe("judging"), this.#makeProbe("watching")];
  #failing: { readonly hook: FailingHook | "nothing"; readonly stage: string } = { hook: "nothing", stage: "judging" };
  #listener: ListenerMood = "quiet";
  #callsOfListener = 0;
  #version = 1;

  constructor(attended: boolean) {
    for (const tool of makeEngineTools()) this.#registry.register(tool);
    this.#activity.subscribe("*", (event) => {
      this.events.push(event);
    });
    this.#activity.subscribe("*", () => this.#hear() as never);
    this.executor = new UnifiedToolExecutor(this.#registry, {
      activity: this.#activity,
      ...(attended && {
        approver: () => new Promise<ApprovalAnswer>((resolve) => this.#waiting.push(resolve)),
      }),
      approvalTerms: { expiresMs: 60, rememberMs: 200 },
      suspension: { expiresMs: 1000 },
      extensions: [
        audit({ sink: this.sink }),
        rateLimit({ limits: [{ calls: 4, seconds: 1, by: [], tools: ["value", "slow", "nest", "locked"] }] }),
        ...this.#probes,
      ],
      limits: {
        timeoutMs: 25,
        graceMs: 4,
        preparationMs: 40,
        concurrency: PLACES,
        queue: 3,
        queueMs: 50,
        unsettledMs: 300,
        depth: 3,
        nestedCalls: 6,
        retry: { attempts: 3, baseMs: 2, maxMs: 6 },
      },
    });
    this.#tools = new ToolManager(this.executor);
  }

  /** Lets one thing happen. */
  async take(step: Step): Promise<void> {
    if (step.do === "call") return this.#call(step);
    if (step.do === "abort") return this.#aborts.get(step.id)?.abort();
    if (step.do === "answer") return this.#waiting.shift()?.(toAnswer(step.answer));
    if (step.do === "resume") return this.#resume(step.which, step.answer);
    if (step.do === "tick") return this.pass(step.ms);
    if (step.do === "settle") return breathe();
    if (step.do === "jump") return void vi.setSystemTime(Date.now() + step.hours * 3_600_000);
    if (step.do === "fail") return void (this.#failing = step);
    if (step.do === "extension") return this.#changeExtension(step.change);
    if (step.do === "tools") return this.#changeTools(step.change);
    if (step.do === "listen") return void (this.#listener = step.mood);
    if (step.do === "turn") return this.#tools.clearCurrentTurn();
    if (step.do === "clear") return void this.#tools.clearState();
    if (step.what === "conversation") return void this.#tools.close();
    this.closed = true;
    void this.executor.close();
  }

  async pass(ms: number): Promise<void> {
    await breathe(1);
    await vi.advanceTimersByTimeAsync(ms);
  }

  /** Waits for every outcome asked for. @throws Error that names the calls which have none */
  async settle(): Promise<void> {
    this.#failing = { hook: "nothing", stage: "judging" };
    this.#listener = "quiet";
    const isOver = await holdsSoon(
      () => this.#isQuiet,
      async () => {
        this.#waiting.shift()?.({ decision: "deny" });
        await this.pass(10);
      },
    );
    if (isOver) return;
    const ended = new Set(this.events.filter(({ data }) => "result" in data).map(({ callId }) => callId));
    const open = this.events.map(({ callId }) => callId).filter((callId) => !ended.has(callId));
    throw new Error(`${this.asked - this.outcomes.length} calls have no outcome: ${[...new Set(open)].join(", ")}`);
  }

  /** Fills every place at once, which works only if each was given back; then the one lock. */
  async fillPlaces(): Promise<Outcome[]> {
    // Work that did not stop keeps its place for as long as it may.
    await this.pass(350);
    this.#registry.register(makeMeeting(PLACES), { override: true });
    this.#registry.register(locked(), { override: true });
    // So that no limit of calls is in the way.
    await this.pass(2000);
    const before = this.outcomes.length;
    for (let place = 0; place < PLACES; place += 1) this.#follow(this.executor.execute("meet", { n: place }));
    await this.#settleAtOnce();
    this.#follow(this.executor.execute("locked", { n: 0 }));
    await this.#settleAtOnce();
    return this.outcomes.slice(before);
  }

  /** Closes everything, with as little time as it takes. */
  async close(): Promise<void> {
    this.closed = true;
    const closing = Promise.all([this.#tools.close(), this.executor.close()]);
    let done = false;
    void closing.finally(() => (done = true));
    if (!(await holdsSoon(() => done, async () => this.pass(10)))) throw new Error("close() never came to an end");
    await closing;
    await this.settle();
    for (const answer of this.#waiting.splice(0)) answer({ decision: "allow" });
    await breathe();
    forgetSleepers();
  }

  /** The same without time going by, as long as nobody waits for it. */
  async #settleAtOnce(): Promise<void> {
    await holdsSoon(
      () => this.#isQuiet,
      async () => breathe(1),
    );
    await this.settle();
  }

  get #isQuiet(): boolean {
    return this.outcomes.length === this.asked && this.executor.running === 0;
  }

  #call({ tool, id, n, how, timeoutMs, key, wrong }: Extract<Step, { do: "call" }>): void {
    const abort = new AbortController();
    this.#aborts.set(id, abort);
    const input = wrong === true ? { m: n } : { n };
    const options = {
      callId: `call-${id}`,
      signal: abort.signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(key === true && { idempotencyKey: `key-${id}` }),
    };
    if (how === "alone") this.#follow(this.executor.execute(tool, input, options));
    else if (how === "conversation") this.#follow(this.#tools.executeTool(tool, input, options));
    else this.#follow(this.#tools.executeTool(tool, input, { ...options, suspend: true }));
  }

  #resume(which: number, answer: Resumption): void {
    const found = this.suspended.at(-1 - which);
    if (found === undefined) return;
    const { callId, state } = found;
    this.#follow(this.#tools.resume(callId, answer === "altered" ? `A${state}` : state, toAnswers(answer)));
  }

  #follow(outcome: Promise<Outcome>): void {
    this.asked += 1;
    void outcome.then((one) => {
      this.outcomes.push(one);
      if ("suspended" in one) this.suspended.push(one);
    });
  }

  /** What one of the listeners does: it may do anything to the engine that speaks to it. */
  #hear(): unknown {
    if (this.#listener === "throws") throw new Error("a listener fails");
    if (this.#listener === "rejects") return Promise.reject(new Error("a listener fails later"));
    if (this.#listener === "aborts") for (const abort of this.#aborts.values()) abort.abort();
    if (this.#listener === "closes") {
      this.closed = true;
      void this.executor.close();
    }
    if (this.#listener !== "calls" || this.#callsOfListener >= MAX_CALLS_OF_LISTENER) return undefined;
    this.#callsOfListener += 1;
    this.#follow(this.#tools.executeTool("value", { n: 1 }, { callId: "call-0" }));
    return undefined;
  }

  async #changeExtension(change: "suspend" | "resume" | "unregister" | "register"): Promise<void> {
    const { extensions } = this.executor;
    const known = new Set(extensions.list().map(({ extension }) => extension.name));
    for (const probe of this.#probes) {
      if (!known.has(probe.name)) {
        // Nobody would close what is registered with a closed executor, which refuses it.
        if (change === "register" && !this.closed) extensions.register(probe);
      } else if (change === "unregister") await extensions.unregister(probe.name);
      else if (change !== "register") extensions[change](probe.name);
    }
  }

  #changeTools(change: "override" | "unregister" | "register"): void {
    this.#version += 1;
    if (change === "unregister") for (const name of ["changing", "value"]) this.#registry.unregister(name);
    else
      for (const tool of makeEngineTools(this.#version))
        if (change === "override" || this.#registry.getToolByName(tool.spec.name) === undefined)
          this.#registry.register(tool, { override: true });
  }

  #makeProbe(stage: "judging" | "watching"): Extension {
    const fail = (hook: FailingHook): undefined => {
      if (this.#failing.hook !== hook || this.#failing.stage !== stage) return undefined;
      throw new Error(`${hook} of ${stage} fails`);
    };
    return {
      name: stage,
      stage: stage === "judging" ? "authorize_arguments" : "trace",
      beforeExecute: async () => fail("beforeExecute"),
      wrap: async (_call, next) => {
        await next();
        fail("wrap");
      },
      executeWithin: (_call, execute) => {
        execute();
        fail("executeWithin");
      },
      onEvent: () => fail("onEvent"),
      afterExecute: () => fail("afterExecute"),
      onError: async () => fail("onError"),
      onSuspend: () => fail("onSuspend"),
    };
  }
}

function locked(): Tool {
  const found = makeEngineTools().find(({ spec }) => spec.name === "locked");
  if (found === undefined) throw new Error("there is no tool to lock");
  return found;
}

function toAnswer(answer: Answer): ApprovalAnswer | Promise<never> {
  if (answer === "edit") return { decision: "allow", input: { n: 9 } };
  if (answer === "edit_wrong") return { decision: "allow", input: { m: "wrong" } };
  if (answer === "throw") return Promise.reject(new Error("the approver failed"));
  if (answer === "nonsense") return "maybe" as never;
  if (answer === "deny" || answer === "allow") return { decision: answer };
  return { decision: "allow", remember: answer };
}

function toAnswers(answer: Resumption): SuspensionAnswers {
  if (answer === "none") return {};
  const approval: ApprovalAnswer =
    answer === "deny"
      ? { decision: "deny" }
      : { decision: "allow", ...(answer === "edit" && { input: { n: 8 } }) };
  return { approval, name: { action: "accept", content: { name: "Ada" } } as never };
}
