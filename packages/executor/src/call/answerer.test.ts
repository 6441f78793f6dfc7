import { defineTool, type InputAnswer } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { makeExecutor } from "../__fixtures__/make-executor.ts";
import type { Answerer, AskedQuestion } from "./answerer.ts";

const ask = defineTool({
  name: "ask",
  description: "Asks.",
  effects: "pure",
  timeoutMs: 100,
  execute: (_input, context) => context.requestInput("name", { message: "Who are you?" }),
});

async function answer(answerer?: Answerer, signal?: AbortSignal): Promise<unknown> {
  const { executor } = makeExecutor([ask], answerer === undefined ? {} : { answerer });
  const result = await executor.execute("ask", {}, { callId: "c", ...(signal && { signal }) });
  return result.success ? result.value : result.code;
}

describe("askAnswerer", () => {
  it("puts a tool's question to the host, with the call it belongs to", async () => {
    const asked: AskedQuestion[] = [];
    const ada: InputAnswer = { action: "accept", content: { name: "Ada" } };
    expect(await answer((question) => (asked.push(question), ada))).toEqual(ada);
    expect(asked).toEqual([{ message: "Who are you?", key: "name", callId: "c", toolId: "ask", toolName: "ask" }]);
  });

  it("stops the clock while somebody thinks", async () => {
    const slow: Answerer = () => new Promise((resolve) => setTimeout(() => resolve({ action: "decline" }), 250));
    expect(await answer(slow)).toEqual({ action: "decline" });
  });

  it.each<[string, Answerer | undefined, unknown]>([
    ["nobody is there", undefined, "input_unavailable"],
    [
      "the host fails",
      () => {
        throw new Error("no");
      },
      "input_unavailable",
    ],
    ["the host answers nonsense", () => ({ action: "maybe" }) as never, { action: "cancel" }],
  ])("ends where %s", async (_what, answerer, outcome) => {
    expect(await answer(answerer)).toEqual(outcome);
  });

  it("waits no longer than the call", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    expect(await answer(() => new Promise(() => undefined), controller.signal)).toBe("cancelled");
  });
});
