import { defineTool, SessionStore, ToolError, type Tool, type ToolResult } from "@aiw/core";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { makeExecutor, type MadeExecutor } from "../__fixtures__/make-executor.ts";
import type { SuspendedCall, SuspensionAnswers } from "../call/suspension.ts";
import type { UnifiedToolExecutorOptions } from "../executor-options.ts";
import { ToolManager } from "../tool-manager.ts";
import type { Extension } from "../extend/extension.ts";

interface Made extends MadeExecutor {
  readonly ran: unknown[];
}

const suspend = true;
const yes: SuspensionAnswers = { approval: { decision: "allow" } };

function made(options: UnifiedToolExecutorOptions = {}, more: readonly Tool[] = []): Made {
  const ran: unknown[] = [];
  const remove = defineTool({
    name: "remove",
    description: "Removes a file.",
    input: z.strictObject({ path: z.string(), token: z.string().optional() }),
    effects: { readOnly: false, destructive: true, openWorld: false },
    execute: (input) => {
      ran.push(input);
      return "removed";
    },
  });
  const greet = defineTool({
    name: "greet",
    description: "Greets by name.",
    input: z.strictObject({}),
    effects: "pure",
    execute: async (_input, { requestInput }) => {
      const [name, title] = await Promise.all([
        requestInput("name", { message: "Your name?" }),
        requestInput("title", { message: "Your title?" }),
      ]);
      const mood = await requestInput("approval", { message: "Your mood?" });
      ran.push([name, title, mood]);
      return [name, title, mood];
    },
  });
  return { ...makeExecutor([remove, greet, ...more], options), ran };
}

function toSuspended(outcome: ToolResult | SuspendedCall): SuspendedCall {
  if (!("suspended" in outcome)) throw new Error(`not suspended: ${JSON.stringify(outcome)}`);
  return outcome;
}

afterEach(() => {
  vi.useRealTimers();
});

describe("suspension", () => {
  it("gives back a call that needs an approval nobody can give, and goes on with the answer under the same id", async () => {
    const { executor, ran, typesOf, events } = made();
    const suspended = toSuspended(await executor.execute("remove", { path: "a" }, { suspend, callId: "c" }));
    expect(suspended).toMatchObject({
      suspended: true,
      callId: "c",
      requests: [
        {
          key: "approval",
          request: { message: expect.stringContaining("remove"), schema: { required: ["decision"] } },
          approval: { toolId: "remove", arguments: { path: "a" }, effects: { destructive: true } },
        },
      ],
      expiresAt: expect.any(Number),
    });
    expect(JSON.parse(JSON.stringify(suspended))).toEqual(suspended);
    expect(executor.running).toBe(0);
    expect(typesOf("c")).toEqual(["tool_call_start", "tool_approval_request"]);
    const result = await executor.resume("c", suspended.state, yes);
    expect(result).toMatchObject({ success: true, value: "removed", call: { callId: "c", toolId: "remove" } });
    expect(ran).toEqual([{ path: "a" }]);
    expect(typesOf("c")).toEqual([
      "tool_call_start",
      "tool_approval_request",
      "tool_approval_decision",
      "tool_call_end",
    ]);
    expect(events.at(-2)?.data).toMatchObject({ decision: "allow", by: "approver", scope: "once" });
  });

  it("denies by the answer, also where nobody would have to be asked any more", async () => {
    let mode: "unsafe_only" | "never" = "unsafe_only";
    const { executor, ran, typesOf } = made({ approvalMode: () => mode });
    const { state } = toSuspended(await executor.execute("remove", { path: "a" }, { suspend, callId: "c" }));
    mode = "never";
    const answers: SuspensionAnswers = { approval: { decision: "deny", reason: "Keep it." } };
    expect(await executor.resume("c", state, answers)).toMatchObject({
      code: "approval_denied",
      error: expect.stringContaining("Keep it."),
    });
    expect(ran).toEqual([]);
    expect(typesOf("c").filter((type) => type === "error" || type === "tool_call_end")).toEqual(["error"]);
  });

  it("takes an edit under another name for a no, not for a plain yes", async () => {
    const { executor, ran } = made();
    const { state } = toSuspended(await executor.execute("remove", { path: "a" }, { suspend, callId: "c" }));
    const answers = { approval: { decision: "allow", arguments: { path: "b" } } } as unknown as SuspensionAnswers;
    expect(await executor.resume("c", state, answers)).toMatchObject({ code: "approval_denied" });
    expect(ran).toEqual([]);
  });

  it("runs an edit, and judges it", async () => {
    const { executor, ran } = made({
      rules: [{ match: { tool: "remove", input: { path: "b" } }, decision: "deny" }],
    });
    for (const [path, expected] of [
      ["c", { success: true }],
      ["b", { code: "denied_by_policy" }],
      [5, { code: "approval_denied" }],
    ] as const) {
      const { state } = toSuspended(await executor.execute("remove", { path: "a" }, { suspend, callId: "c" }));
      const answers: SuspensionAnswers = { approval: { decision: "allow", input: { path } } };
      expect(await executor.resume("c", state, answers)).toMatchObject(expected);
    }
    expect(ran).toEqual([{ path: "c" }]);
  });

  it("collects the questions a tool asks at once, and replays answers by key", async () => {
    const { executor, typesOf } = made();
    const first = toSuspended(await executor.execute("greet", {}, { suspend, callId: "c" }));
    expect(first.requests).toEqual([
      { key: "name", request: { message: "Your name?" } },
      { key: "title", request: { message: "Your title?" } },
    ]);
    const ada = { action: "accept", content: { name: "Ada" } } as const;
    const second = toSuspended(await executor.resume("c", first.state, { name: ada, unasked: ada, approval: ada }));
    expect(second.requests.map(({ key }) => key)).toEqual(["title"]);
    const third = toSuspended(await executor.resume("c", second.state, { title: { action: "decline" } }));
    expect(third.requests.map(({ key }) => key)).toEqual(["approval"]);
    const result = await executor.resume("c", third.state, { approval: { nonsense: true } as never });
    expect(result).toMatchObject({ value: [ada, { action: "decline" }, { action: "cancel" }] });
    expect(typesOf("c")).toEqual(["tool_call_start", "tool_call_end"]);
  });

  it("keeps an approval over a later suspension, telling it once", async () => {
    const ask = defineTool({
      name: "ask",
      description: "Asks before it destroys.",
      input: z.strictObject({ what: z.string() }),
      effects: { destructive: true },
      execute: async ({ what }, { requestInput }) => [what, await requestInput("sure", { message: "Sure?" })],
    });
    const { executor, typesOf } = made({}, [ask]);
    const first = toSuspended(await executor.execute("ask", { what: "a" }, { suspend, callId: "c" }));
    const edited: SuspensionAnswers = { approval: { decision: "allow", input: { what: "b" } } };
    const second = toSuspended(await executor.resume("c", first.state, edited));
    expect(second.requests.map(({ key }) => key)).toEqual(["sure"]);
    const sure = { action: "accept", content: {} } as const;
    expect(await executor.resume("c", second.state, { sure })).toMatchObject({ value: ["b", sure] });
    expect(typesOf("c")).toEqual([
      "tool_call_start",
      "tool_approval_request",
      "tool_approval_decision",
      "tool_call_end",
    ]);
  });

  it("lets a tool do without an answer, and tells a failure that is not the question's", async () => {
    const tools = [
      defineTool({
        name: "optional",
        description: "Asks, and goes on without.",
        effects: "pure",
        execute: (_input, { requestInput }) => requestInput("k", { message: "?" }).catch(() => "without"),
      }),
      defineTool({
        name: "wrapping",
        description: "Words failures anew.",
        effects: "pure",
        execute: async (_input, { requestInput }) => {
          try {
            return await requestInput("k", { message: "?" });
          } catch (cause) {
            throw new ToolError("failed", "No answer.", { cause });
          }
        },
      }),
      defineTool({
        name: "failing",
        description: "Asks, and fails otherwise.",
        effects: "pure",
        execute: async (_input, { requestInput }) => {
          await requestInput("k", { message: "?" }).catch(() => undefined);
          throw new ToolError("not_found", "Nothing there.");
        },
      }),
    ];
    const { executor } = made({}, tools);
    expect(await executor.execute("optional", {}, { suspend })).toMatchObject({ value: "without" });
    expect(await executor.execute("wrapping", {}, { suspend })).toMatchObject({ suspended: true });
    expect(await executor.execute("failing", {}, { suspend })).toMatchObject({ code: "not_found" });
  });

  it("refuses where the host did not ask for suspensions, and within calls, which cannot suspend those around them", async () => {
    const outer = defineTool({
      name: "outer",
      description: "Calls another tool.",
      input: z.strictObject({ name: z.string(), input: z.looseObject({}) }),
      effects: "pure",
      execute: ({ name, input }, { callTool }) => callTool(name, input),
    });
    const { executor } = made({}, [outer]);
    expect(await executor.execute("remove", { path: "a" })).toMatchObject({ code: "approval_required" });
    expect(await executor.execute("greet", {})).toMatchObject({ code: "input_unavailable" });
    expect(await executor.execute("outer", { name: "remove", input: { path: "a" } }, { suspend })).toMatchObject({
      value: { code: "approval_required" },
    });
    expect(await executor.execute("outer", { name: "greet", input: {} }, { suspend })).toMatchObject({
      value: { code: "input_unavailable" },
    });
  });

  it("asks who is there before it suspends", async () => {
    const { executor } = made({
      approver: () => ({ decision: "allow" }),
      answerer: () => ({ action: "accept", content: { ok: 1 } }),
    });
    expect(await executor.execute("remove", { path: "a" }, { suspend })).toMatchObject({ success: true });
    expect(await executor.execute("greet", {}, { suspend })).toMatchObject({ success: true });
  });

  it("ends what the call holds, and tells extensions in place of the hooks after the work", async () => {
    const told: string[] = [];
    const watch: Extension = {
      name: "watch",
      stage: "audit_open",
      beforeExecute: ({ callId, resumed }) => void told.push(`before ${callId} ${resumed}`),
      afterExecute: ({ callId }) => void told.push(`after ${callId}`),
      onError: ({ callId }) => void told.push(`error ${callId}`),
      onSuspend: ({ callId }) => {
        told.push(`suspended ${callId}`);
        throw new Error("ignored");
      },
    };
    const { executor } = made({ extensions: [watch] });
    const { state } = toSuspended(await executor.execute("remove", { path: "a" }, { suspend, callId: "c" }));
    expect(told).toEqual(["before c false", "suspended c"]);
    await executor.resume("c", state, yes);
    expect(told).toEqual(["before c false", "suspended c", "before c true", "after c"]);
  });

  it("passes wrappers as the end of what they stand around, and takes no rejection of those told", async () => {
    const seen: string[] = [];
    const wrapper = (stage: "trace" | "concurrency"): Extension => ({
      name: stage,
      stage,
      wrap: async (_call, next) => {
        seen.push(`in ${stage}`);
        await next().finally(() => seen.push(`out ${stage}`));
      },
      onSuspend: async ({ approval, ended }) => {
        seen.push(`suspended ${stage} ${approval === undefined} ${ended}`);
        throw new Error("ignored");
      },
    });
    const { executor } = made({ extensions: [wrapper("trace"), wrapper("concurrency")] });
    expect(await executor.execute("greet", {}, { suspend })).toMatchObject({ suspended: true });
    expect(await executor.execute("remove", { path: "a" }, { suspend })).toMatchObject({ suspended: true });
    expect(seen).toEqual([
      "in trace",
      "in concurrency",
      "out concurrency",
      "out trace",
      "suspended trace true true",
      "suspended concurrency true true",
      "in trace",
      "out trace",
      "suspended trace true true",
    ]);
  });

  it("is no failure that is tried again", async () => {
    const { executor, typesOf } = made({ limits: { retry: { attempts: 3 } } });
    await executor.execute("greet", {}, { suspend, callId: "c" });
    expect(typesOf("c")).toEqual(["tool_call_start"]);
  });

  it("counts as duration neither the wait nor less than the work", async () => {
    const { executor } = made();
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const { state } = toSuspended(await executor.execute("remove", { path: "a" }, { suspend, callId: "c" }));
    const startedAt = Date.now();
    vi.advanceTimersByTime(3_600_000);
    const result = await executor.resume("c", state, yes);
    expect(result).toMatchObject({ success: true, call: { startedAt } });
    expect("call" in result && result.call.durationMs).toBeLessThan(1000);
  });
});

describe("suspension in a conversation", () => {
  it("goes on in the call's own turn, and not once the conversation's state is cleared", async () => {
    const { executor, typesOf } = made();
    const tools = new ToolManager(executor);
    const first = toSuspended(await tools.executeTool("remove", { path: "a" }, { suspend, callId: "c" }));
    tools.clearCurrentTurn();
    expect(await tools.resume("c", first.state, yes)).toMatchObject({
      success: true,
      call: { callId: "c", turn: 1, sessionId: tools.sessionId },
    });
    const second = toSuspended(await tools.executeTool("remove", { path: "a" }, { suspend, callId: "d" }));
    await tools.clearState();
    expect(await tools.resume("d", second.state, yes)).toMatchObject({ code: "suspension_invalid" });
    expect(typesOf("d")).toEqual(["tool_call_start", "tool_approval_request"]);
    expect(await tools.executeTool("greet", {}, { suspend, callId: "d" })).toMatchObject({ callId: "d" });
  });

  it("holds no place among running calls", async () => {
    const { executor, ran } = made({ limits: { concurrency: 1 } });
    const tools = new ToolManager(executor);
    const waiting = ["c", "d"].map((callId) => tools.executeTool("greet", {}, { suspend, callId }));
    for (const outcome of await Promise.all(waiting)) {
      const { callId, state } = toSuspended(outcome);
      const answer = { action: "accept", content: { callId } } as const;
      const next = toSuspended(await tools.resume(callId, state, { name: answer, title: answer }));
      expect(await tools.resume(callId, next.state, { approval: answer })).toMatchObject({
        success: true,
        call: { callId },
      });
    }
    expect(ran).toHaveLength(2);
  });

  it("keeps the id of a call that waits from other calls", async () => {
    const { executor } = made();
    const { state } = toSuspended(await executor.execute("remove", { path: "a" }, { suspend, callId: "c" }));
    const taken = await executor.execute(
      "remove",
      { path: "b" },
      { callId: "c", approver: () => ({ decision: "allow" }) },
    );
    expect(taken).toMatchObject({ code: "conflict" });
    expect(taken.call.callId).not.toBe("c");
    await executor.resume("c", state, yes);
    expect(await executor.execute("remove", { path: "b" }, { callId: "c" })).toMatchObject({
      code: "approval_required",
      call: { callId: "c" },
    });
  });

  it("remembers what a resumption says for the turn and the session", async () => {
    const { executor, ran } = made();
    const tools = new ToolManager(executor);
    const { state, requests } = toSuspended(await tools.executeTool("remove", { path: "a" }, { suspend, callId: "c" }));
    expect(requests[0]?.approval?.choices?.map(({ scope }) => scope)).toEqual(["once", "turn", "session", "rule"]);
    await tools.resume("c", state, { approval: { decision: "allow", remember: "session" } });
    expect(await tools.executeTool("remove", { path: "a" }, { suspend })).toMatchObject({ success: true });
    expect(await tools.executeTool("remove", { path: "b" }, { suspend })).toMatchObject({ suspended: true });
    expect(ran).toHaveLength(2);
  });
});

describe("resume", () => {
  async function suspended(options: UnifiedToolExecutorOptions = {}): Promise<Made & { readonly state: string }> {
    const all = made(options);
    const { state } = toSuspended(await all.executor.execute("remove", { path: "a" }, { suspend, callId: "c" }));
    return { ...all, state };
  }

  it("goes on once, however often and however many at a time it is asked to", async () => {
    const { executor, state, ran, typesOf } = await suspended();
    const results = await Promise.all([1, 2, 3].map(() => executor.resume("c", state, yes)));
    results.push(await executor.resume("c", state, yes));
    expect(results.filter((result) => "success" in result && result.success)).toHaveLength(1);
    expect(results.filter((result) => "code" in result && result.code === "suspension_used")).toHaveLength(3);
    expect(ran).toHaveLength(1);
    expect(typesOf("c").filter((type) => type === "tool_call_end" || type === "error")).toEqual(["tool_call_end"]);
  });

  it("refuses a state of which any character is another one, and what is none", async () => {
    const { executor, state, ran, typesOf } = await suspended();
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: state.length - 1 }),
        fc.constantFrom(..."ABCDwxyz0189-_ =é"),
        async (at, other) => {
          fc.pre(state[at] !== other);
          const altered = `${state.slice(0, at)}${other}${state.slice(at + 1)}`;
          expect(await executor.resume("c", altered, yes)).toMatchObject({ code: "suspension_invalid" });
        },
      ),
      { numRuns: 300 },
    );
    for (const none of [undefined, null, 5, {}, "", "A", state.slice(1), `${state}A`, `${state}=`, "x".repeat(5000)])
      expect(await executor.resume("c", none, yes)).toMatchObject({
        status: "denied",
        error_type: "security_error",
        call: { callId: "c" },
      });
    expect(ran).toEqual([]);
    expect(typesOf("c")).toEqual(["tool_call_start", "tool_approval_request"]);
    expect(await executor.resume("c", state, yes)).toMatchObject({ success: true });
  });

  it("refuses a second way to write the same state", async () => {
    for (const path of ["a", "ab", "abc"]) {
      const { executor } = made();
      const { state } = toSuspended(await executor.execute("remove", { path }, { suspend, callId: "c" }));
      for (const last of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
        const written = state.slice(0, -1) + last;
        if (written === state) continue;
        expect(await executor.resume("c", written, yes)).toMatchObject({ code: "suspension_invalid" });
      }
      expect(await executor.resume("c", state, yes)).toMatchObject({ success: true });
    }
  });

  it("refuses the state of another call, and of another executor", async () => {
    const { executor, state } = await suspended();
    expect(await executor.resume("d", state, yes)).toMatchObject({ code: "suspension_invalid" });
    expect(await made().executor.resume("c", state, yes)).toMatchObject({ code: "suspension_invalid" });
  });

  it("lets another process go on that has the key, once where they share their claims", async () => {
    const sealKey = crypto.getRandomValues(new Uint8Array(32));
    const claims = new Set<string>();
    const claim = (nonce: string): boolean => !claims.has(nonce) && claims.add(nonce).has(nonce);
    const { state } = await suspended({ suspension: { sealKey, claim } });
    const other = made({ suspension: { sealKey, claim } });
    const third = made({ suspension: { sealKey, claim } });
    expect(await other.executor.resume("c", state, yes)).toMatchObject({ success: true, call: { callId: "c" } });
    expect(await third.executor.resume("c", state, yes)).toMatchObject({ code: "suspension_used" });
    expect(other.typesOf("c")).toEqual(["tool_approval_decision", "tool_call_end"]);
    expect(third.ran).toEqual([]);
  });

  it("fails closed when nobody can say whether the call went on before", async () => {
    for (const claim of [() => Promise.reject(new Error("no database")), () => "yes" as never]) {
      const { executor, state, ran } = await suspended({ suspension: { claim } });
      expect(await executor.resume("c", state, yes)).toMatchObject({ success: false, status: "denied" });
      expect(ran).toEqual([]);
    }
  });

  it("ends a call that is answered too late", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { executor, state, ran, typesOf } = await suspended({ suspension: { expiresMs: 1000 } });
    vi.advanceTimersByTime(1001);
    expect(await executor.resume("c", state, yes)).toMatchObject({ code: "suspension_expired" });
    expect(ran).toEqual([]);
    expect(typesOf("c")).toEqual(["tool_call_start", "tool_approval_request", "error"]);
  });

  it("tells a beginning and an end of a call that comes too late to its id, which another call has by then", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { promise: stop, resolve } = Promise.withResolvers<string>();
    const wait = defineTool({ name: "wait", description: "Waits.", effects: "pure", execute: () => stop });
    const { executor, state, registry, typesOf } = await suspended({ suspension: { expiresMs: 1000 } });
    registry.register(wait);
    vi.advanceTimersByTime(1001);
    const other = executor.execute("wait", {}, { callId: "c" });
    const late = await executor.resume("c", state, yes);
    expect(late).toMatchObject({ code: "suspension_expired" });
    const { callId } = "call" in late ? late.call : { callId: "c" };
    expect(callId).not.toBe("c");
    expect(typesOf(callId)).toEqual(["tool_call_start", "error"]);
    resolve("done");
    expect(await other).toMatchObject({ success: true, call: { callId: "c" } });
  });

  it("ends a call whose tool, definition or folders changed", async () => {
    const other = defineTool({
      name: "remove",
      description: "Removes everything.",
      input: z.strictObject({ path: z.number() }),
      execute: () => "gone",
    });
    const changed = await suspended();
    changed.registry.register(other, { override: true });
    expect(await changed.executor.resume("c", changed.state, yes)).toMatchObject({ code: "suspension_changed" });
    const gone = await suspended();
    gone.registry.unregister("remove");
    expect(await gone.executor.resume("c", gone.state, yes)).toMatchObject({ code: "tool_not_found" });
    const moved = await suspended();
    const workspace = { cwd: "/b", roots: ["/b"] };
    expect(await moved.executor.resume("c", moved.state, yes, { workspace })).toMatchObject({
      code: "suspension_changed",
    });
    expect(moved.typesOf("c").at(-1)).toBe("error");
    // A question of the tool's own is bound to no folder but by its state.
    const asking = made({ workspace: { cwd: "/a", roots: ["/a"] } });
    const asked = toSuspended(await asking.executor.execute("greet", {}, { suspend, callId: "c" }));
    expect(await asking.executor.resume("c", asked.state, {}, { workspace })).toMatchObject({
      code: "suspension_changed",
    });
    expect(asking.ran).toEqual([]);
    expect([...changed.ran, ...gone.ran, ...moved.ran]).toEqual([]);
  });

  it("does not run a yes for what the call touches now and did not then", async () => {
    let resource = "a";
    const touching = defineTool({
      name: "touching",
      description: "Touches.",
      input: z.strictObject({}),
      effects: { destructive: true },
      assess: () => ({ decision: "allow", reason: "Looked.", resources: [resource] }),
      execute: () => "touched",
    });
    const { executor } = made({}, [touching]);
    const { state } = toSuspended(await executor.execute("touching", {}, { suspend, callId: "c" }));
    resource = "b";
    expect(await executor.resume("c", state, yes)).toMatchObject({ code: "suspension_changed" });
  });

  it("judges the call again: a denial that came meanwhile holds", async () => {
    let rules: { readonly match: { readonly tool: string }; readonly decision: "deny" }[] = [];
    const { executor, state, ran } = await suspended({ rules: () => rules });
    rules = [{ match: { tool: "remove" }, decision: "deny" }];
    expect(await executor.resume("c", state, yes)).toMatchObject({ code: "denied_by_policy" });
    expect(ran).toEqual([]);
  });

  it("is for the same conversation and caller alone, whose call it leaves to them", async () => {
    const { executor, ran } = made();
    const session = new SessionStore("s");
    const ada = { id: "ada" };
    const options = { suspend, callId: "c", session, turn: 3, principal: ada } as const;
    const { state } = toSuspended(await executor.execute("remove", { path: "a" }, options));
    for (const wrong of [
      {},
      { session: new SessionStore("s") },
      { session, sessionId: "t" },
      { session, principal: { id: "eve" } },
      { session, principal: { id: "ada", roles: ["admin"] } },
    ])
      expect(await executor.resume("c", state, yes, wrong)).toMatchObject({ code: "suspension_invalid" });
    expect(ran).toEqual([]);
    expect(await executor.resume("c", state, yes, { session })).toMatchObject({
      success: true,
      call: { sessionId: "s", turn: 3, principal: ada },
    });
  });

  it("goes on in a conversation with what a call had of its own", async () => {
    const { executor, ran } = made();
    const tools = new ToolManager(executor, undefined, { principal: { id: "bob" } });
    const own = { principal: { id: "ada" }, workspace: { cwd: "/other", roots: ["/other"] } };
    const { callId, state } = toSuspended(await tools.executeTool("remove", { path: "a" }, { ...own, suspend }));
    expect(await tools.resume(callId, state, yes)).toMatchObject({ code: "suspension_invalid" });
    expect(ran).toEqual([]);
    expect(await tools.resume(callId, state, yes, own)).toMatchObject({
      success: true,
      call: { principal: { id: "ada" } },
    });
  });

  it("asks again for an answer that is left out, and takes nonsense for a no", async () => {
    const { executor, state, ran } = await suspended();
    const again = toSuspended(await executor.resume("c", state, {}));
    expect(again.requests.map(({ key }) => key)).toEqual(["approval"]);
    for (const answers of [null, 5, { approval: null }, { approval: { decision: "yes" } }]) {
      const one = toSuspended(await executor.execute("remove", { path: "a" }, { suspend }));
      const outcome = await executor.resume(one.callId, one.state, answers as never);
      expect("suspended" in outcome || (!outcome.success && outcome.code === "approval_denied")).toBe(true);
    }
    expect(ran).toEqual([]);
  });

  it("is not used up by answers that cannot be read", async () => {
    const { executor, state, ran } = await suspended();
    const hostile = {
      get decision(): never {
        throw new Error("boom");
      },
    };
    expect(await executor.resume("c", state, { approval: hostile })).toMatchObject({ code: "suspension_invalid" });
    expect(ran).toEqual([]);
    expect(await executor.resume("c", state, yes)).toMatchObject({ success: true });
  });

  it("ends with its signal and with a closed executor like any call", async () => {
    const { executor, state } = await suspended();
    expect(await executor.resume("c", state, yes, { signal: AbortSignal.abort() })).toMatchObject({
      status: "cancelled",
    });
    const closing = await suspended();
    await closing.executor.close();
    expect(await closing.executor.resume("c", closing.state, yes)).toMatchObject({ status: "cancelled" });
    expect(closing.ran).toEqual([]);
  });

  it.each([
    { sealKey: new Uint8Array(16) },
    { sealKey: "secret" as never },
    { expiresMs: 0 },
    { expiresMs: NaN },
    { claim: true as never },
    { expires: 5 } as never,
  ])("refuses settings that could not mean what their author thinks: %j", (suspension) => {
    expect(() => made({ suspension })).toThrow(expect.objectContaining({ code: "config_invalid" }));
  });
});
