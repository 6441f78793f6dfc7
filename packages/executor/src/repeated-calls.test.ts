import { defineTool, toModelResult, type ToolResult } from "@aiw/core";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { makeExecutor } from "./__fixtures__/make-executor.ts";
import { createReadResult } from "./converse/read-result.ts";
import type { UnifiedToolExecutorOptions } from "./executor-options.ts";
import { ToolManager } from "./tool-manager.ts";

const named = z.strictObject({ name: z.string() });

function makeWorld(options: UnifiedToolExecutorOptions = {}) {
  const world = new Map<string, unknown>();
  const ran: string[] = [];
  const read = (name: string, effects: Parameters<typeof defineTool>[0]["effects"] & {} = "read") =>
    defineTool({
      name,
      description: "Looks.",
      input: named,
      effects,
      execute: (input) => {
        ran.push(`${name} ${input.name}`);
        return { held: world.get(input.name) ?? null, duration_ms: ran.length };
      },
    });
  const set = defineTool({
    name: "set",
    description: "Sets.",
    input: z.strictObject({ name: z.string(), to: z.unknown() }),
    effects: { readOnly: false, destructive: false, openWorld: false },
    execute: (input) => void world.set(input.name, input.to),
  });
  const fail = defineTool({
    name: "fail",
    description: "Fails.",
    input: named,
    effects: { readOnly: false, destructive: false, openWorld: false },
    execute: (input) => {
      throw new TypeError(`no ${input.name}`);
    },
  });
  const poll = read("poll", { readOnly: true, idempotent: false, openWorld: false });
  const fetch = read("fetch", { readOnly: true, openWorld: true });
  const twice = defineTool({
    name: "twice",
    description: "Looks twice.",
    input: named,
    effects: "read",
    execute: async (input, { callTool }) => [await callTool("read", input), await callTool("read", input)],
  });
  const made = makeExecutor([read("read"), set, fail, poll, fetch, twice], options);
  made.registry.register(createReadResult(made.executor));
  return { world, ran, ...made, tools: new ToolManager(made.executor) };
}

const codeOf = (result: ToolResult): string => (result.success ? "ok" : result.code);

afterEach(() => vi.restoreAllMocks());

describe("repeated calls", () => {
  it("withholds a result that came before in the turn, and says where it can be read again", async () => {
    const { tools, world, events } = makeWorld();
    world.set("a", "text");
    const first = await tools.executeTool("read", { name: "a" }, { callId: "one" });
    const second = await tools.executeTool("read", { name: "a" });
    expect(codeOf(first)).toBe("ok");
    expect(second).toMatchObject({ code: "repeated_call", status: "error", retryable: false });
    expect(events.find(({ type }) => type === "tool_call_repeated")?.data).toMatchObject({
      earlierCallId: "one",
      times: 2,
      blocked: true,
    });
    const { earlier_call, reference, suggestion } = toModelResult(second);
    expect(earlier_call).toBe("one");
    expect(suggestion).toContain(`read_result(reference=${JSON.stringify(reference)})`);
    const again = { reference, pointer: "/held" };
    for (let times = 0; times < 3; times += 1) {
      expect(await tools.executeTool("read_result", again)).toMatchObject({ value: { content: "text" } });
    }
    await tools.close();
  });

  it("looks again each time, and after the third only once a moment has passed", async () => {
    const { tools, ran, world } = makeWorld();
    const clock = vi.spyOn(performance, "now").mockReturnValue(1000);
    for (let times = 0; times < 5; times += 1) await tools.executeTool("read", { name: "a" });
    expect(ran).toHaveLength(3);
    world.set("a", 1);
    clock.mockReturnValue(4000);
    expect(await tools.executeTool("read", { name: "a" })).toMatchObject({ value: { held: 1 } });
    expect(ran).toHaveLength(4);
    await tools.close();
  });

  it("notices what changes within an object that a tool hands out each time", async () => {
    const job = { done: 0, log: ["begun"] };
    const status = defineTool({ name: "status", description: "Says.", effects: "pure", execute: () => job });
    const { tools, registry } = makeWorld();
    registry.register(status);
    const codes: string[] = [];
    for (const step of [1, 2, 3, 3]) {
      job.done = step;
      if (step === 2) job.log.push("half");
      codes.push(codeOf(await tools.executeTool("status", {})));
    }
    expect(codes).toEqual(["ok", "ok", "ok", "repeated_call"]);
    await tools.close();
  });

  it("gives the result again to a model that has nothing to read it with", async () => {
    const look = defineTool({ name: "look", description: "Looks.", effects: "pure", execute: () => ({ seen: "x" }) });
    await using tools = new ToolManager([look]);
    await tools.executeTool("look", {});
    for (let times = 2; times < 5; times += 1) {
      const result = await tools.executeTool("look", {});
      expect(toModelResult(result)).toMatchObject({ code: "repeated_call", times, result: { seen: "x" } });
      expect(result).toHaveProperty("suggestion", expect.stringContaining("which stands here again"));
    }
  });

  it("gives media again, which nobody can read back as text", async () => {
    const picture = { attachments: [{ type: "image", media_type: "image/png", data: "QUJD" }] };
    const see = defineTool({
      name: "see",
      description: "Shows.",
      effects: "pure",
      execute: () => structuredClone(picture),
    });
    await using tools = new ToolManager([see]);
    await tools.executeTool("see", {});
    expect(await tools.executeTool("see", {})).toMatchObject({ value: picture, notices: [expect.any(String)] });
  });

  it("reads results for their own conversation and caller alone, and while it lasts", async () => {
    const { tools, executor } = makeWorld();
    await using other = new ToolManager(executor);
    await tools.executeTool("read", { name: "a" });
    const repeated = await tools.executeTool("read", { name: "a" });
    const reference = String(toModelResult(repeated)["reference"]);
    const ask = { reference };
    expect(codeOf(await tools.executeTool("read_result", ask))).toBe("ok");
    expect(codeOf(await other.executeTool("read_result", ask))).toBe("not_found");
    expect(codeOf(await tools.executeTool("read_result", ask, { principal: { id: "another" } }))).toBe("not_found");
    expect(await other.readFullResult(reference)).toBeUndefined();
    expect(await tools.readFullResult(reference)).toMatchObject({ held: null });
    await tools.clearState();
    expect(await executor.readFullResult(reference)).toBeUndefined();
    await tools.close();
  });

  it("gives every result that is another one than the one before", async () => {
    const { tools, world } = makeWorld();
    for (const held of [1, 2, 3, 2]) {
      world.set("a", held);
      expect(await tools.executeTool("read", { name: "a" })).toMatchObject({ value: { held } });
    }
    await tools.close();
  });

  it("looks again after any call that may have changed something", async () => {
    const { tools } = makeWorld();
    for (let times = 0; times < 3; times += 1) {
      expect(codeOf(await tools.executeTool("read", { name: "a" }))).toBe("ok");
      await tools.executeTool("set", { name: "b", to: 1 });
    }
    await tools.close();
  });

  it.each(["poll", "fetch"])("bears with a %s that may change by itself once more", async (name) => {
    const { tools, ran } = makeWorld();
    const codes: string[] = [];
    for (let times = 0; times < 5; times += 1) codes.push(codeOf(await tools.executeTool(name, { name: "a" })));
    expect(codes).toEqual(["ok", "ok", "repeated_call", "repeated_call", "repeated_call"]);
    // It was looked every time: whoever waits for a change hears of it.
    expect(ran).toHaveLength(5);
    await tools.close();
  });

  it("warns across turns, and gives the result", async () => {
    const { tools, events } = makeWorld();
    await tools.executeTool("read", { name: "a" }, { callId: "one" });
    tools.clearCurrentTurn();
    const result = await tools.executeTool("read", { name: "a" });
    expect(result).toMatchObject({ success: true, notices: [expect.stringContaining("in turn 1 (call one)")] });
    expect(toModelResult(result)).toMatchObject({ held: null, notices: [expect.any(String)] });
    expect(events.filter(({ type }) => type === "tool_call_repeated").map(({ data }) => data)).toMatchObject([
      { earlierCallId: "one", earlierTurn: 1, blocked: false },
    ]);
    await tools.close();
  });

  it("knows nothing of another conversation, nor of one whose state was cleared", async () => {
    const { tools, executor } = makeWorld();
    await using other = new ToolManager(executor);
    expect(codeOf(await tools.executeTool("read", { name: "a" }))).toBe("ok");
    expect(codeOf(await other.executeTool("read", { name: "a" }))).toBe("ok");
    await tools.clearState();
    expect(await tools.executeTool("read", { name: "a" })).not.toHaveProperty("notices");
    expect(codeOf(await executor.execute("read", { name: "a" }))).toBe("ok");
    await tools.close();
  });

  it("never takes calls that run beside each other for repetitions", async () => {
    const { tools } = makeWorld();
    const calls = Array.from({ length: 5 }, () => tools.executeTool("read", { name: "a" }));
    expect((await Promise.all(calls)).map(codeOf)).toEqual(["ok", "ok", "ok", "ok", "ok"]);
    await tools.close();
  });

  it("leaves calls within calls to their tool", async () => {
    const { tools } = makeWorld();
    const result = await tools.executeTool("twice", { name: "a" });
    expect(result).toMatchObject({ value: [{ success: true }, { success: true }] });
    await tools.close();
  });

  it("says of a failure that repeats itself that trying again is no plan", async () => {
    const { tools } = makeWorld();
    const suggestions: (string | undefined)[] = [];
    for (let times = 0; times < 3; times += 1) {
      const result = await tools.executeTool("fail", { name: "a" });
      suggestions.push(result.success ? "" : result.suggestion);
    }
    expect(suggestions.slice(0, 2)).toEqual([undefined, undefined]);
    expect(suggestions[2]).toContain("failed 3 times");
    await tools.executeTool("set", { name: "a", to: 1 });
    expect(await tools.executeTool("fail", { name: "a" })).not.toHaveProperty("suggestion");
    await tools.close();
  });

  it("says so of arguments that no schema admits, too", async () => {
    const { tools } = makeWorld();
    await tools.executeTool("read", { nam: "a" });
    await tools.executeTool("read", { nam: "a" });
    const third = await tools.executeTool("read", { nam: "a" });
    expect(third).toMatchObject({ code: "invalid_input", suggestion: expect.stringContaining("failed 3 times") });
    await tools.close();
  });

  it("only warns, or is silent, where the host wants it so", async () => {
    const { tools: warned } = makeWorld({ repeatedCalls: "warn" });
    await warned.executeTool("read", { name: "a" });
    expect(await warned.executeTool("read", { name: "a" })).toMatchObject({
      success: true,
      notices: [expect.any(String)],
    });
    const { tools: silent } = makeWorld({ repeatedCalls: "off" });
    await silent.executeTool("read", { name: "a" });
    expect(await silent.executeTool("read", { name: "a" })).not.toHaveProperty("notices");
    await warned.close();
    await silent.close();
  });

  it("refuses a mode that there is not", () => {
    expect(() => makeWorld({ repeatedCalls: "never" } as object)).toThrow("repeatedCalls must be block or warn or off");
    expect(() => makeWorld({ argumentRepair: true } as object)).toThrow("argumentRepair must be on or off");
  });

  it("compares whole results where the model was given a shortened one", async () => {
    const { tools, world } = makeWorld({ limits: { resultCharacters: 500 } });
    world.set("a", "x".repeat(5000));
    await tools.executeTool("read", { name: "a" });
    world.set("a", `${"x".repeat(5000)}y`);
    const second = await tools.executeTool("read", { name: "a" });
    const reference = second.success ? second.truncated?.fullResult : "none";
    expect(await tools.executeTool("read", { name: "a" })).toMatchObject({
      code: "repeated_call",
      details: { reference },
    });
    expect(await tools.readFullResult(String(reference))).toMatchObject({ held: `${"x".repeat(5000)}y` });
    await tools.close();
  });

  type Move = readonly ["read" | "poke" | "set", string, number] | readonly ["turn"];
  const names = fc.constantFrom("a", "b");
  const moves: fc.Arbitrary<Move[]> = fc.array(
    fc.oneof(
      { weight: 6, arbitrary: fc.tuple(fc.constant("read" as const), names, fc.constant(0)) },
      { weight: 2, arbitrary: fc.tuple(fc.constantFrom("poke" as const, "set" as const), names, fc.nat(1)) },
      { weight: 1, arbitrary: fc.constant<Move>(["turn"]) },
    ),
    { maxLength: 25 },
  );

  it("withholds exactly what came to the same in the turn with nothing done in between", async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (sequence) => {
        vi.spyOn(performance, "now").mockReturnValue(1000);
        const { tools, world } = makeWorld();
        // What the model was given last of a name in this turn, until something is done; and how often in a row.
        const given = new Map<string, { held: unknown; times: number }>();
        for (const [kind, name = "", value = 0] of sequence) {
          if (kind === "turn") {
            tools.clearCurrentTurn();
            given.clear();
          } else if (kind === "poke") {
            world.set(name, value);
          } else if (kind === "set") {
            await tools.executeTool("set", { name, to: value });
            given.clear();
          } else {
            const result = await tools.executeTool("read", { name });
            const held = world.get(name) ?? null;
            const known = given.get(name);
            // What came three times is believed for a moment, and time stands still here.
            const isRepeated = known !== undefined && (known.times >= 3 || known.held === held);
            expect(codeOf(result)).toBe(isRepeated ? "repeated_call" : "ok");
            if (!isRepeated) expect(result).toMatchObject({ value: { held } });
            given.set(name, isRepeated ? { ...known, times: known.times + 1 } : { held, times: 1 });
          }
        }
        await tools.close();
      }),
      { numRuns: 60 },
    );
  });
});
