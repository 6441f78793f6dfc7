import { defineTool, SessionStore, sessionKey } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { assertStreamed, assertSuccess } from "./assert-result.ts";
import { callTool } from "./call-tool.ts";

const disposed: number[] = [];
const counter = sessionKey("test/counter", {
  create: () => ({ count: 0 }),
  dispose: ({ count }) => void disposed.push(count),
});

const tool = defineTool({
  name: "ask",
  description: "Asks, and counts.",
  input: z.strictObject({}),
  options: z.object({ greeting: z.string() }),
  async execute(_input, context) {
    const state = await context.session.get(counter);
    state.count += 1;
    context.emitOutput(`${context.options.greeting}\n`);
    const { action } = await context.requestInput("sure", { message: "Sure?" });
    return { action, count: state.count };
  },
});

describe("callTool", () => {
  it("gives the result and what was recorded, and ends the conversation", async () => {
    const called = await callTool(tool, {}, { options: { greeting: "hi" }, answers: { sure: { action: "cancel" } } });
    assertSuccess(called.result);
    assertStreamed(called, "hi");
    expect(called.result.value).toEqual({ action: "cancel", count: 1 });
    expect(called.recorded.events.map(({ type }) => type)).toEqual(["tool_output_chunk", "question"]);
    expect(disposed).toEqual([1]);
  });

  it("leaves a session that is given open", async () => {
    disposed.length = 0;
    await using session = new SessionStore();
    const options = { session, options: { greeting: "hi" } };
    await callTool(tool, {}, options);
    const { result } = await callTool(tool, {}, options);
    expect([result.success && result.value.count, disposed]).toEqual([2, []]);
  });

  it("checks the options as a host does", async () => {
    expect((await callTool(tool, {})).result).toMatchObject({ success: false, code: "options_invalid" });
  });
});
