import { defineTool, runTool, sessionKey } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { fakeContext } from "./fake-context.ts";

describe("fakeContext", () => {
  it("records what a tool streams, asks, logs and calls", async () => {
    const tool = defineTool({
      name: "busy",
      description: "B.",
      async *execute(_input, context) {
        yield "a\n";
        context.emitOutput("b\n", { channel: "stderr" });
        context.emitProgress({ progress: 1, total: 2 });
        context.log.warn("careful", { why: 1 });
        const answer = await context.requestInput("sure", { message: "Sure?" });
        return [answer.action, (await context.callTool("other", { x: 1 })).success];
      },
    });
    await using fake = fakeContext({
      answers: { sure: { action: "accept", content: {} } },
      callTool: (name) =>
        runTool(defineTool({ name, description: "O.", input: { type: "object" }, execute: () => 1 }), {}),
    });
    expect(await runTool(tool, {}, fake.environment)).toMatchObject({ value: ["accept", true] });
    expect([fake.text(), fake.text("stderr")]).toEqual(["a\nb\n", "b\n"]);
    expect(fake.types()).toEqual([
      "tool_output_chunk",
      "tool_output_chunk",
      "tool_progress",
      "log",
      "question",
      "nested_call",
    ]);
    expect(fake.recorded.events[1]).toEqual({ type: "tool_output_chunk", data: { chunk: "b\n", channel: "stderr" } });
    expect(fake.recorded.output[1]).toEqual({ chunk: "b\n", channel: "stderr" });
    expect(fake.recorded).toMatchObject({
      progress: [{ progress: 1, total: 2 }],
      logs: [{ level: "warn", message: "careful", fields: { why: 1 } }],
      questions: [{ key: "sure", request: { message: "Sure?" } }],
      calls: [{ name: "other", input: { x: 1 } }],
    });
  });

  it("declines questions without an answer", async () => {
    await using fake = fakeContext();
    for (const key of ["x", "toString"])
      await expect(fake.context.requestInput(key, { message: "?" })).resolves.toEqual({ action: "decline" });
  });

  it("disposes session values at its end", async () => {
    const disposed: number[] = [];
    const key = sessionKey("test/value", { create: () => 7, dispose: (value) => void disposed.push(value) });
    const fake = fakeContext();
    expect(await fake.context.session.get(key)).toBe(7);
    await fake[Symbol.asyncDispose]();
    expect(disposed).toEqual([7]);
  });
});
