import { defineTool, ToolError, type Tool, type ToolResult } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeExecutor } from "./__fixtures__/make-executor.ts";
import type { ApprovalAnswer } from "./call/approver.ts";

const KINDS = [
  "value",
  "throw",
  "hang",
  "obey",
  "late",
  "stream",
  "nest",
  "nest_and_leave",
  "unknown",
  "invalid",
  "nothing",
] as const;
type Kind = (typeof KINDS)[number];

type Step =
  | { readonly do: "call"; readonly kind: Kind; readonly ask: boolean; readonly id: number; readonly timeoutMs: number }
  | { readonly do: "abort"; readonly id: number }
  | { readonly do: "answer"; readonly answer: "allow" | "deny" | "edit" | "throw" | "nonsense" }
  | { readonly do: "tick"; readonly ms: number }
  | { readonly do: "close" };

const id = fc.integer({ min: 0, max: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("call" as const),
      kind: fc.constantFrom(...KINDS),
      ask: fc.boolean(),
      id,
      timeoutMs: fc.integer({ min: 1, max: 6 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("abort" as const), id }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("answer" as const),
      answer: fc.constantFrom("allow", "deny", "edit", "throw", "nonsense"),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("tick" as const), ms: fc.integer({ min: 0, max: 4 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: "close" as const }) },
);

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const timers = (): number => process.getActiveResourcesInfo().filter((resource) => resource === "Timeout").length;

function makeTools(): Tool[] {
  const input = z.strictObject({ n: z.number() });
  const make = (name: string, execute: Tool["execute"]): Tool[] =>
    [false, true].map((ask) =>
      defineTool({
        name: ask ? `ask_${name}` : name,
        description: "Does it.",
        input,
        effects: ask ? { destructive: true } : "pure",
        execute,
      }),
    ) as Tool[];
  return [
    make("value", ({ n }: { n: number }) => n),
    make("nothing", () => undefined),
    make("throw", ({ n }: { n: number }) => {
      throw [null, "text", new Error("e"), new ToolError("failed", "f")][n % 4];
    }),
    make("hang", () => new Promise(() => undefined)),
    make(
      "obey",
      (_input, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("obeyed")))),
    ),
    make("late", () => sleep(8)),
    make("stream", async function* () {
      yield "a";
      await sleep(1);
      yield "b";
      return "c";
    }),
    make("nest", (_input, { callTool }) => callTool("ask_value", { n: 1 })),
    make("nest_and_leave", (_input, { callTool }) => void callTool("hang", { n: 1 })),
  ].flat();
}

async function play(steps: readonly Step[]): Promise<void> {
  const waiting: ((answer: ApprovalAnswer | Promise<never>) => void)[] = [];
  const { executor, events } = makeExecutor(makeTools(), {
    limits: { graceMs: 2, timeoutMs: 5, preparationMs: 1000 },
    approver: () => new Promise<ApprovalAnswer>((resolve) => waiting.push(resolve)),
  });
  const results: Promise<ToolResult>[] = [];
  const controllers = new Map<number, AbortController>();
  for (const current of steps) {
    if (current.do === "call") {
      const controller = new AbortController();
      controllers.set(current.id, controller);
      const name = current.ask ? `ask_${current.kind}` : current.kind;
      const input = current.kind === "invalid" ? { m: 1 } : { n: current.id };
      const options = { callId: `call-${current.id}`, signal: controller.signal, timeoutMs: current.timeoutMs };
      results.push(executor.execute(current.kind === "invalid" ? "value" : name, input, options));
    } else if (current.do === "abort") controllers.get(current.id)?.abort();
    else if (current.do === "answer") waiting.shift()?.(toAnswer(current.answer));
    else if (current.do === "tick") await sleep(current.ms);
    else if (current.do === "close") void executor.close();
  }
  await executor.close();
  const settled = await Promise.all(results);
  expect(executor.running).toBe(0);
  for (const resolve of waiting) resolve({ decision: "allow" });
  await sleep(1);
  assertOneEnd(settled, events);
}

function toAnswer(answer: "allow" | "deny" | "edit" | "throw" | "nonsense"): ApprovalAnswer | Promise<never> {
  if (answer === "edit") return { decision: "allow", input: { n: 7 } };
  if (answer === "throw") return Promise.reject(new Error("the approver failed"));
  return answer === "nonsense" ? ("maybe" as never) : { decision: answer };
}

function assertOneEnd(results: readonly ToolResult[], events: ReturnType<typeof makeExecutor>["events"]): void {
  const running = new Map<string, number>();
  const ended: string[] = [];
  for (const { type, callId } of events) {
    if (type === "tool_call_start") {
      // Ids are free again once their call has ended, never before.
      expect(running.has(callId)).toBe(false);
      running.set(callId, 1);
      continue;
    }
    expect(running.has(callId)).toBe(true);
    if (type === "tool_call_end" || type === "error") {
      running.delete(callId);
      ended.push(callId);
    }
  }
  expect([...running.keys()]).toEqual([]);
  const told = new Set(events.flatMap(({ data }) => ("result" in data ? [data.result as ToolResult] : [])));
  expect(told.size).toBe(ended.length);
  for (const result of results) expect(told.has(result)).toBe(true);
}

describe("UnifiedToolExecutor", () => {
  it("ends every call with exactly one result and one terminal event, whatever happens in whatever order", async () => {
    const before = timers();
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), play), {
      numRuns: 120,
      timeout: 5000,
    });
    await sleep(20);
    expect(timers()).toBeLessThanOrEqual(before + 1);
  }, 60_000);
});
