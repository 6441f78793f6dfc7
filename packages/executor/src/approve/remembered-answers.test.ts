import { defineTool, SessionStore, type JsonObject, type Tool, type ToolRegistry } from "@aiw/core";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { makeExecutor, type MadeExecutor } from "../__fixtures__/make-executor.ts";
import type { ApprovalAnswer, ApprovalRequest, RememberWish } from "../call/approver.ts";
import type { UnifiedToolExecutorOptions } from "../executor-options.ts";
import { ToolManager } from "../tool-manager.ts";

interface Made extends MadeExecutor {
  readonly ran: unknown[];
  readonly asked: ApprovalRequest[];
}

function removeTool(ran: unknown[], description = "Removes a file.") {
  return defineTool({
    name: "remove",
    description,
    input: z.looseObject({ path: z.string() }),
    effects: { readOnly: false, destructive: true, openWorld: false },
    execute: (input) => {
      ran.push(input);
      return "removed";
    },
  });
}

function made(answer: ApprovalAnswer | (() => ApprovalAnswer), options: UnifiedToolExecutorOptions = {}): Made {
  const ran: unknown[] = [];
  const asked: ApprovalRequest[] = [];
  const approver = (request: ApprovalRequest): ApprovalAnswer => {
    asked.push(request);
    return typeof answer === "function" ? answer() : answer;
  };
  return { ...makeExecutor([removeTool(ran)], { approver, ...options }), ran, asked };
}

function always(remember: RememberWish): ApprovalAnswer {
  return { decision: "allow", remember };
}

afterEach(() => {
  vi.useRealTimers();
});

describe("remembered approvals", () => {
  it("say to the person what each choice would cover, and offer none without a conversation", async () => {
    const { executor, asked, events } = made({ decision: "allow" });
    await executor.execute("remove", { path: "a" });
    await executor.execute("remove", { path: "a" }, { session: new SessionStore(), turn: 1 });
    expect(asked.map(({ choices }) => choices?.map(({ scope }) => scope))).toEqual([
      ["once"],
      ["once", "turn", "session", "rule"],
    ]);
    expect(asked[1]?.choices?.every(({ covers }) => covers.length > 0)).toBe(true);
    expect(asked[1]?.expiresAt).toBeGreaterThan(Date.now());
    const told = events.filter(({ type }) => type === "tool_approval_request");
    expect(told[1]?.data).toMatchObject({ scopes: ["once", "turn", "session", "rule"], expiresAt: expect.any(Number) });
  });

  it("answer for the turn, and tell so without a question", async () => {
    const { executor, asked, events, typesOf } = made(always("turn"));
    const tools = new ToolManager(executor);
    await tools.executeTool("remove", { path: "a" });
    await tools.executeTool("remove", { path: "a" }, { callId: "again" });
    expect(asked).toHaveLength(1);
    expect(typesOf("again")).toEqual(["tool_call_start", "tool_approval_decision", "tool_call_end"]);
    const decision = events.find(({ type, callId }) => type === "tool_approval_decision" && callId === "again");
    expect(decision?.data).toMatchObject({ decision: "allow", scope: "turn", by: "remembered", waitedMs: 0 });
    tools.clearCurrentTurn();
    await tools.executeTool("remove", { path: "a" });
    expect(asked).toHaveLength(2);
  });

  it("answer for the session until its state is cleared", async () => {
    const { executor, asked } = made(always("session"));
    const tools = new ToolManager(executor);
    await tools.executeTool("remove", { path: "a" });
    tools.clearCurrentTurn();
    await tools.executeTool("remove", { path: "a" });
    expect(asked).toHaveLength(1);
    await tools.clearState();
    await tools.executeTool("remove", { path: "a" });
    expect(asked).toHaveLength(2);
    await new ToolManager(executor).executeTool("remove", { path: "a" });
    expect(asked).toHaveLength(3);
  });

  it("cover no call that does or touches something else by now, whatever its arguments (SEC-APR-6)", async () => {
    const now = { destructive: false, resource: "a" };
    const change = defineTool({
      name: "change",
      description: "Changes what it is told.",
      effects: { readOnly: false, destructive: true, openWorld: false },
      assess: () => ({
        decision: "ask",
        reason: "It changes something.",
        effects: { readOnly: false, destructive: now.destructive, idempotent: false, openWorld: false },
        resources: [now.resource],
      }),
      execute: () => "changed",
    }) as Tool;
    let asked = 0;
    const { executor } = makeExecutor([change], {
      approver: () => {
        asked += 1;
        return { decision: "allow", remember: "session" };
      },
    });
    const tools = new ToolManager(executor);
    const counts: number[] = [];
    for (const next of [{}, {}, { destructive: true }, {}, { resource: "b" }, {}]) {
      Object.assign(now, next);
      expect(await tools.executeTool("change", {})).toMatchObject({ success: true });
      counts.push(asked);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3]);
    await tools.close();
  });

  it("by rule compare the named arguments exactly, and no others", async () => {
    const { executor, asked } = made(always({ rule: { parameters: ["path", "mode"] } }));
    const tools = new ToolManager(executor);
    const askedFor = async (input: JsonObject): Promise<boolean> => {
      const before = asked.length;
      expect(await tools.executeTool("remove", input)).toMatchObject({ success: true });
      return asked.length > before;
    };
    expect(await askedFor({ path: "a", note: 1 })).toBe(true);
    expect(await askedFor({ path: "a", note: 2 })).toBe(false);
    expect(await askedFor({ path: "a" })).toBe(false);
    for (const near of ["a/", "a/b", "A", "", "a ", "*"]) expect(await askedFor({ path: near })).toBe(true);
    expect(await askedFor({ path: "a", mode: null })).toBe(true);
    expect(await askedFor({ path: "a", mode: "x" })).toBe(true);
  });

  it("by rule know an argument by the name it was shown by", async () => {
    const { executor, asked } = made(always({ rule: { parameters: ["pa\\u{200b}th"] } }));
    const tools = new ToolManager(executor);
    const input = (value: string): JsonObject => ({ path: "a", "pa\u200Bth": value });
    await tools.executeTool("remove", input("x"));
    expect(asked[0]?.arguments).toHaveProperty(["pa\\u{200b}th"], "x");
    await tools.executeTool("remove", { ...input("x"), path: "b" });
    expect(asked).toHaveLength(1);
    await tools.executeTool("remove", input("y"));
    expect(asked).toHaveLength(2);
  });

  it("end with their definition (SEC-APR-6), their time, another caller and other folders", async () => {
    vi.useFakeTimers({ toFake: ["performance", "Date"] });
    const { executor, registry, asked, ran } = made(always("session"), { approvalTerms: { rememberMs: 1000 } });
    const tools = new ToolManager(executor);
    const call = async (options: object = {}): Promise<number> => {
      await tools.executeTool("remove", { path: "a" }, options);
      return asked.length;
    };
    expect(await call()).toBe(1);
    expect(await call()).toBe(1);
    expect(await call({ principal: { id: "eve" } })).toBe(2);
    expect(await call({ workspace: { cwd: "/b", roots: ["/b"] } })).toBe(3);
    registry.register(removeTool(ran, "Removes anything."), { override: true });
    expect(await call()).toBe(4);
    expect(await call()).toBe(4);
    vi.advanceTimersByTime(1001);
    expect(await call()).toBe(5);
  });

  it("lift no denial, and answer the ask of a rule", async () => {
    let decision: "ask" | "deny" = "ask";
    const rule = () => [{ match: { tool: "remove" }, decision }];
    const { executor, asked } = made(always("session"), { rules: () => rule() });
    const tools = new ToolManager(executor);
    await tools.executeTool("remove", { path: "a" });
    expect(await tools.executeTool("remove", { path: "a" })).toMatchObject({ success: true });
    expect(asked).toHaveLength(1);
    decision = "deny";
    expect(await tools.executeTool("remove", { path: "a" })).toMatchObject({ code: "denied_by_policy" });
  });

  it("are for what ran where the person edited", async () => {
    const { executor, asked, ran } = made({ decision: "allow", input: { path: "b" }, remember: "session" });
    const tools = new ToolManager(executor);
    await tools.executeTool("remove", { path: "a" });
    await tools.executeTool("remove", { path: "b" });
    expect(asked).toHaveLength(1);
    await tools.executeTool("remove", { path: "a" });
    expect(asked).toHaveLength(2);
    expect(ran).toEqual([{ path: "b" }, { path: "b" }, { path: "b" }]);
  });

  it("reach no further than was offered", async () => {
    const { executor, asked, events } = made(always("session"), { approvalTerms: { remember: ["turn"] } });
    const tools = new ToolManager(executor);
    await tools.executeTool("remove", { path: "a" });
    await tools.executeTool("remove", { path: "a" });
    expect(asked).toHaveLength(2);
    expect(asked[0]?.choices?.map(({ scope }) => scope)).toEqual(["once", "turn"]);
    expect(events.find(({ type }) => type === "tool_approval_decision")?.data).toMatchObject({ scope: "once" });
  });

  it.each<[string, unknown]>([
    ["another word", "always"],
    ["true", true],
    ["a rule without parameters", { rule: {} }],
    ["a rule of patterns", { rule: { parameters: [{ glob: "*" }] } }],
    ["a text as rule", { rule: "path" }],
    ["null", null],
  ])("make no yes of %s", async (_what, remember) => {
    const { executor, ran } = made({ decision: "allow", remember } as never);
    const tools = new ToolManager(executor);
    expect(await tools.executeTool("remove", { path: "a" })).toMatchObject({ code: "approval_denied" });
    expect(ran).toEqual([]);
  });

  it("never run a call that no answer covers exactly, whatever changes between calls", async () => {
    await fc.assert(fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 25 }), runAgainstModel), { numRuns: 60 });
  });
});

describe("refusals", () => {
  it("hold for the same call in the same turn, without another question", async () => {
    const { executor, asked, ran, events } = made({ decision: "deny", reason: "Not this one." });
    const tools = new ToolManager(executor);
    const first = await tools.executeTool("remove", { path: "a" });
    const again = await tools.executeTool("remove", { path: "a" }, { callId: "again" });
    expect(asked).toHaveLength(1);
    expect(first).toMatchObject({ code: "approval_denied", suggestion: expect.stringContaining("Do not repeat") });
    expect(again).toMatchObject({
      code: "approval_denied",
      error: expect.stringMatching(/Not this one\..*refused before in this turn/),
    });
    const told = events.find(({ callId, type }) => callId === "again" && type === "tool_approval_decision");
    expect(told?.data).toMatchObject({ decision: "deny", by: "remembered" });
    await tools.executeTool("remove", { path: "b" });
    expect(asked).toHaveLength(2);
    tools.clearCurrentTurn();
    await tools.executeTool("remove", { path: "a" });
    expect(asked).toHaveLength(3);
    expect(ran).toEqual([]);
  });

  it("are a person's: what failed or could ask nobody is asked again", async () => {
    for (const answer of [{ decision: "deny", unasked: true }, "nonsense"]) {
      const { executor, asked, events } = made(answer as ApprovalAnswer);
      const tools = new ToolManager(executor);
      await tools.executeTool("remove", { path: "a" });
      await tools.executeTool("remove", { path: "a" });
      expect(asked).toHaveLength(2);
      expect(events.find(({ type }) => type === "tool_approval_decision")?.data).toMatchObject({ by: "nobody" });
    }
  });

  it("and approvals answer equal calls that wait for the same person", async () => {
    for (const [answer, expected] of [
      [always("turn"), { success: true }],
      [{ decision: "deny" }, { code: "approval_denied" }],
    ] as const) {
      const { executor, asked } = made(() => answer);
      const tools = new ToolManager(executor);
      const calls = [1, 2, 3].map(() => tools.executeTool("remove", { path: "a" }));
      for (const result of await Promise.all(calls)) expect(result).toMatchObject(expected);
      expect(asked).toHaveLength(1);
    }
    const once = made({ decision: "allow" });
    const tools = new ToolManager(once.executor);
    await Promise.all([1, 2, 3].map(() => tools.executeTool("remove", { path: "a" })));
    expect(once.asked).toHaveLength(3);
  });
});

describe("expiry", () => {
  it("ends a question nobody answers, and the approver's signal with it", async () => {
    let given: AbortSignal | undefined;
    const { executor, ran, typesOf, events } = made(
      { decision: "deny" },
      {
        approvalTerms: { expiresMs: 20 },
        approver: (_request, { signal }) => {
          given = signal;
          return new Promise(() => undefined);
        },
      },
    );
    expect(await executor.execute("remove", { path: "a" }, { callId: "c" })).toMatchObject({
      status: "denied",
      code: "approval_expired",
      error: expect.stringContaining("Nobody answered within 20 ms"),
    });
    expect(given?.aborted).toBe(true);
    expect(ran).toEqual([]);
    expect(typesOf("c")).toEqual(["tool_call_start", "tool_approval_request", "tool_approval_decision", "error"]);
    expect(events[2]?.data).toMatchObject({ decision: "deny", by: "nobody" });
  });

  it("leaves no timer behind, however the question ends", async () => {
    vi.useFakeTimers();
    const stop = new AbortController();
    const asked = Promise.withResolvers<void>();
    const silent = made(
      { decision: "deny" },
      {
        approver: () => {
          asked.resolve();
          return new Promise(() => undefined);
        },
      },
    );
    const waiting = silent.executor.execute("remove", { path: "a" }, { signal: stop.signal });
    await asked.promise;
    expect(vi.getTimerCount()).toBe(1);
    stop.abort();
    expect(await waiting).toMatchObject({ status: "cancelled" });
    await made({ decision: "allow" }).executor.execute("remove", { path: "a" });
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0));
  });

  it("ends a yes whose call waited too long before it ran", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { executor, ran } = made(
      { decision: "allow" },
      {
        extensions: [
          { name: "queue", stage: "concurrency", beforeExecute: () => void vi.advanceTimersByTime(600_001) },
        ],
      },
    );
    expect(await executor.execute("remove", { path: "a" })).toMatchObject({
      code: "approval_expired",
      error: expect.stringContaining("10 minutes after it was approved"),
    });
    expect(ran).toEqual([]);
  });

  it.each([
    { expiresMs: 0 },
    { expiresMs: NaN },
    { rememberMs: "1h" },
    { remember: ["once"] },
    { remember: "turn" },
    null,
  ])("refuses terms that could not mean what their author thinks: %j", (terms) => {
    const approvalTerms = terms as never;
    expect(() => made({ decision: "allow" }, { approvalTerms })).toThrow(
      expect.objectContaining({ code: "config_invalid" }),
    );
    const extension = { name: "x", stage: "approval", approval: approvalTerms } as const;
    expect(() => made({ decision: "allow" }, { extensions: [extension] })).toThrow(
      expect.objectContaining({ code: "config_invalid" }),
    );
  });

  it("takes the shortest time anybody names", async () => {
    const terms = (expiresMs: number) =>
      ({ name: `x${expiresMs}`, stage: "approval", approval: { expiresMs } }) as const;
    const { executor } = made(
      { decision: "deny" },
      {
        approvalTerms: { expiresMs: 60_000 },
        extensions: [terms(50_000), terms(15), terms(40_000)],
        approver: () => new Promise(() => undefined),
      },
    );
    expect(await executor.execute("remove", { path: "a" })).toMatchObject({ code: "approval_expired" });
  });
});

type Step =
  | { readonly do: "call"; readonly input: JsonObject; readonly answer: ApprovalAnswer; readonly session: number }
  | { readonly do: "turn" }
  | { readonly do: "redefine" };

const wishArbitrary = fc.constantFrom<(RememberWish | undefined)[]>(
  undefined,
  "turn",
  "session",
  { rule: { parameters: ["path"] } },
  { rule: { parameters: ["path", "mode"] } },
  { rule: { parameters: [] } },
);

const answerArbitrary: fc.Arbitrary<ApprovalAnswer> = fc.oneof(
  {
    weight: 3,
    arbitrary: wishArbitrary.map((remember) => ({ decision: "allow", ...(remember && { remember }) }) as const),
  },
  { weight: 1, arbitrary: fc.constant({ decision: "deny" } as const) },
);

const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("call" as const),
      input: fc.record(
        { path: fc.constantFrom("a", "b"), mode: fc.constantFrom("x", "y") },
        { requiredKeys: ["path"] },
      ),
      answer: answerArbitrary,
      session: fc.nat({ max: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom({ do: "turn" } as const, { do: "redefine" } as const) },
);

interface ModelEntry {
  readonly answer: ApprovalAnswer;
  readonly input: JsonObject;
  readonly turn: number;
  readonly session: number;
  readonly definition: number;
}

/** The same in the plainest words: does what was answered cover this call? */
function covers({ answer, ...entry }: ModelEntry, call: Omit<ModelEntry, "answer">): boolean {
  if (entry.session !== call.session || entry.definition !== call.definition) return false;
  const same = (name: string): boolean => entry.input[name] === call.input[name];
  const all = same("path") && same("mode");
  if (answer.decision === "deny") return all && entry.turn === call.turn;
  const { remember } = answer;
  if (remember === "turn") return all && entry.turn === call.turn;
  if (remember === "session") return all;
  return remember !== undefined && remember.rule.parameters.every(same);
}

async function runAgainstModel(steps: readonly Step[]): Promise<void> {
  let next: ApprovalAnswer = { decision: "deny" };
  const { executor, registry, asked, ran } = made(() => next);
  const sessions = [new SessionStore("0"), new SessionStore("1")];
  const model: ModelEntry[] = [];
  let turn = 1;
  let definition = 0;
  for (const step of steps) {
    if (step.do === "turn") turn += 1;
    else if (step.do === "redefine") redefine(registry, ran, (definition += 1));
    else {
      next = step.answer;
      const session = sessions[step.session];
      if (session === undefined) throw new Error("no session");
      const facts = { input: step.input, turn, session: step.session, definition };
      const covering = model.filter((entry) => covers(entry, facts));
      const before = { asked: asked.length, ran: ran.length };
      const result = await executor.execute("remove", step.input, { session, turn });
      const stands = covering.find(({ answer }) => answer.decision === "deny") ?? covering[0];
      const decisive = stands?.answer ?? next;
      expect(asked.length - before.asked).toBe(stands === undefined ? 1 : 0);
      expect(result.success).toBe(decisive.decision === "allow");
      expect(ran.length - before.ran).toBe(result.success ? 1 : 0);
      if (stands === undefined) model.push({ ...facts, answer: next });
    }
  }
}

function redefine(registry: ToolRegistry, ran: unknown[], definition: number): void {
  registry.register(removeTool(ran, `Removes a file, version ${definition}.`), { override: true });
}
