import { defineTool, ToolRegistry, type Tool } from "@aiw/core";
import { ToolManager, UnifiedToolExecutor } from "@aiw/executor";
import { generateText, isStepCount, streamText, ToolLoopAgent, type ModelMessage } from "ai";
import type { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { all, endsOf, openSample, removed } from "./__fixtures__/sample-tools.ts";
import { resultsSeen, scriptedModel, type ScriptedCall } from "./__fixtures__/scripted-model.ts";
import { toAiSdk } from "./to-ai-sdk.ts";

const stopWhen = isStepCount(6);
const prompt = "go";

function call(id: string, name: string, input: unknown = {}): ScriptedCall {
  return { id, name, input: JSON.stringify(input) };
}

const findAdd = call("f1", "find_tools", { query: "add two numbers", limit: 1 });

/** The names of the tools each step was offered. */
function offeredBy({ doGenerateCalls, doStreamCalls }: MockLanguageModelV4): string[][] {
  return [...doGenerateCalls, ...doStreamCalls].map(({ tools = [] }) => tools.map(({ name }) => name));
}

describe("createToolFinder", () => {
  it.each(["generate", "stream", "agent"] as const)(
    "offers find_tools alone, and what it found from the next step on (%s)",
    async (run) => {
      const { manager, events } = openSample();
      await using _closed = manager;
      const model = scriptedModel([findAdd], [call("c1", "add", { a: 2, b: 3 })]);
      const settings = { model, stopWhen, ...toAiSdk(manager, { offer: "search" }) };
      if (run === "generate") await generateText({ ...settings, prompt });
      else if (run === "stream") await streamText({ ...settings, prompt }).text;
      else await new ToolLoopAgent(settings).generate({ prompt });
      expect(offeredBy(model)).toEqual([["find_tools"], ["add", "find_tools"], ["add", "find_tools"]]);
      expect(resultsSeen(model)).toEqual({
        f1: {
          type: "json",
          value: {
            success: true,
            error: "",
            tools: [{ name: "add", description: "Adds two numbers.", parameters: "a: number, b?: number" }],
            hint: expect.any(String),
          },
        },
        c1: { type: "json", value: { success: true, error: "", sum: 5 } },
      });
      expect([endsOf(events, "f1"), endsOf(events, "c1")]).toEqual([
        [expect.objectContaining({ type: "tool_call_end" })],
        [expect.objectContaining({ type: "tool_call_end" })],
      ]);
    },
  );

  it("finds nothing that came after the tools were handed over", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const model = scriptedModel([call("f1", "find_tools", { query: "multiply two numbers" })]);
    const settings = toAiSdk(manager, { offer: "search" });
    const late = defineTool({ name: "multiply", description: "Multiplies two numbers.", execute: () => 1 });
    manager.registry.register(late as Tool);
    await generateText({ model, prompt, stopWhen, ...settings });
    const { tools } = (resultsSeen(model)["f1"] as { value: { tools: { name: string }[] } }).value;
    expect(tools.map(({ name }) => name)).not.toContain("multiply");
    expect(tools.map(({ name }) => name)).toContain("add");
  });

  it("tells how to find a tool that was not found yet, and calls nothing", async () => {
    const { manager, events } = openSample();
    await using _closed = manager;
    const model = scriptedModel(
      [call("c1", "remove", { path: "a" })],
      [call("c2", "nothing_like_it")],
      [call("c3", "remov")],
    );
    await generateText({ model, prompt, stopWhen, ...toAiSdk(manager, { offer: "search" }) });
    expect(resultsSeen(model)["c1"]).toMatchObject({
      type: "error-text",
      value:
        "AI_ToolCallRepairError: Error repairing tool call: remove was not called: it is not offered yet. " +
        'Call find_tools with {"query":"remove"} first, then call it in the step after.',
    });
    expect(resultsSeen(model)["c2"]).toMatchObject({
      type: "error-text",
      value: expect.stringContaining('No tool is called "nothing_like_it". Call find_tools with words'),
    });
    expect(resultsSeen(model)["c3"]).toMatchObject({
      type: "error-text",
      value: expect.stringContaining('No tool is called "remov". Did you mean remove?'),
    });
    expect(offeredBy(model)).toEqual([["find_tools"], ["find_tools"], ["find_tools"], ["find_tools"]]);
    expect([removed, events]).toEqual([[], []]);
  });

  it("leaves policy and approval to the executor for what is found", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const find = call("f1", "find_tools", { query: "remove" });
    const model = scriptedModel([find], [call("c1", "remove", { path: "a" })]);
    await generateText({ model, prompt, stopWhen, ...toAiSdk(manager, { offer: "search" }) });
    expect(resultsSeen(model)["c1"]).toMatchObject({
      type: "execution-denied",
      reason: expect.stringContaining("approval_required"),
    });
    expect(removed).toEqual([]);
  });

  it("lets the framework ask about what is found, and about nothing else", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const find = call("f1", "find_tools", { query: "deletes" });
    const model = scriptedModel([find], [call("c1", "remove", { path: "a" })]);
    const settings = { model, stopWhen, ...toAiSdk(manager, { offer: "search", approvals: "framework" }) };
    const { content } = await generateText({ ...settings, prompt });
    expect(content).toContainEqual(
      expect.objectContaining({
        type: "tool-approval-request",
        toolCall: expect.objectContaining({ toolCallId: "c1" }),
      }),
    );
    expect(removed).toEqual([]);
  });

  it("offers from the start what is always wanted", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const model = scriptedModel([call("c1", "greet")]);
    await generateText({
      model,
      prompt,
      stopWhen,
      ...toAiSdk(manager, { offer: "search", always: ["greet", "greet"] }),
    });
    expect(offeredBy(model)[0]).toEqual(["find_tools", "greet"]);
    expect(resultsSeen(model)["c1"]).toEqual({ type: "text", value: "hello" });
    expect(() => toAiSdk(manager, { offer: "search", always: ["gret"] })).toThrow(
      expect.objectContaining({ code: "tool_not_found", message: expect.stringContaining("greet") }),
    );
  });

  it("refuses settings that would silently not hold", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const refused = expect.objectContaining({ code: "config_invalid" });
    expect(() => toAiSdk(manager, { always: ["greet"] })).toThrow(refused);
    expect(() => toAiSdk(manager, { offer: "serach" as "search" })).toThrow(refused);
  });

  it("remembers by the messages what an earlier run found", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const first = scriptedModel([findAdd]);
    const { responseMessages } = await generateText({
      model: first,
      prompt,
      stopWhen,
      ...toAiSdk(manager, { offer: "search" }),
    });
    const stored = JSON.parse(JSON.stringify(responseMessages)) as ModelMessage[];
    const messages: ModelMessage[] = [{ role: "user", content: prompt }, ...stored, { role: "user", content: "on" }];
    const second = scriptedModel([call("c9", "add", { a: 1, b: 1 })]);
    await generateText({ model: second, messages, stopWhen, ...toAiSdk(manager, { offer: "search" }) });
    expect(offeredBy(second)[0]).toEqual(["add", "find_tools"]);
    expect(resultsSeen(second)["c9"]).toMatchObject({ value: { sum: 2 } });
  });

  it("finds and offers the tools of the conversation's toolset alone", async () => {
    const registry = new ToolRegistry({ config: { toolsets: { sums: { include: ["add"] } } } });
    for (const tool of all) registry.register(tool);
    await using executor = new UnifiedToolExecutor(registry);
    await using manager = new ToolManager(executor, undefined, { toolset: "sums" });
    const find = call("f1", "find_tools", { query: "add, greet, count, deletes, draws" });
    const model = scriptedModel([find], [call("c1", "add", { a: 1, b: 1 })]);
    await generateText({ model, prompt, stopWhen, ...toAiSdk(manager, { offer: "search" }) });
    expect(offeredBy(model)).toEqual([["find_tools"], ["add", "find_tools"], ["add", "find_tools"]]);
    expect(resultsSeen(model)["c1"]).toMatchObject({ value: { sum: 2 } });
  });

  it("works within a host's own prepareStep", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const model = scriptedModel([findAdd]);
    const offered = toAiSdk(manager, { offer: "search" });
    await generateText({
      model,
      prompt,
      stopWhen,
      ...offered,
      prepareStep: (step) => ({
        ...offered.prepareStep?.(step),
        toolChoice: step.stepNumber === 0 ? "required" : "auto",
      }),
    });
    expect(offeredBy(model)).toEqual([["find_tools"], ["add", "find_tools"]]);
    expect(model.doGenerateCalls.map(({ toolChoice }) => toolChoice?.type)).toEqual(["required", "auto"]);
  });

  it("takes another name where a tool of the project is called find_tools", async () => {
    const own = defineTool({
      name: "find_tools",
      description: "Finds spanners.",
      effects: "pure",
      execute: () => "spanner",
    });
    const { manager } = openSample({}, [...all, own]);
    await using _closed = manager;
    const find = call("f1", "find_tools_2", { query: "spanners" });
    const model = scriptedModel([find], [call("c1", "find_tools")]);
    await generateText({ model, prompt, stopWhen, ...toAiSdk(manager, { offer: "search" }) });
    expect(offeredBy(model).slice(0, 2)).toEqual([["find_tools_2"], ["find_tools", "find_tools_2"]]);
    expect(resultsSeen(model)["c1"]).toEqual({ type: "text", value: "spanner" });
  });

  it("takes more tools than a provider does, and never offers more than one takes", async () => {
    const many: Tool[] = Array.from({ length: 300 }, (_, index) =>
      defineTool({
        name: `paint_${index}`,
        description: "Paints a wall.",
        input: z.object({}),
        effects: "pure",
        execute: () => "",
      }),
    );
    const { manager } = openSample({}, many);
    await using _closed = manager;
    expect(() => toAiSdk(manager)).toThrow(expect.objectContaining({ code: "too_many_tools" }));
    const { prepareStep, tools } = toAiSdk(manager, { offer: "search" });
    expect(Object.keys(tools)).toHaveLength(301);
    const found = (names: readonly unknown[]): ModelMessage => ({
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "f",
          toolName: "find_tools",
          output: { type: "json", value: JSON.parse(JSON.stringify({ tools: names })) as null },
        },
      ],
    });
    const messages = [
      found(many.slice(0, 100).map(({ spec }) => ({ name: spec.name }))),
      found([{ name: "paint_200" }, { name: "made_up" }, { name: 1 }, null, "paint_201"]),
      { role: "user" as const, content: "x" },
    ];
    const active = prepareStep?.({ messages }).activeTools ?? [];
    expect(active).toHaveLength(64);
    expect(active).toEqual(expect.arrayContaining(["find_tools", "paint_200", "paint_0"]));
    expect(active).not.toContain("paint_99");
    expect(active).not.toContain("made_up");
  });
});
