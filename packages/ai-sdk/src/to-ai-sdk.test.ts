import type { Approver } from "@aiw/executor";
import { generateText, isStepCount, streamText, ToolLoopAgent, type ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { all, endsOf, openSample, removed } from "./__fixtures__/sample-tools.ts";
import { resultsSeen, scriptedModel, type ScriptedCall } from "./__fixtures__/scripted-model.ts";
import { toAiSdk } from "./to-ai-sdk.ts";
import { ToolCallError } from "./tool-call-error.ts";

const stopWhen = isStepCount(5);
const prompt = "go";

function call(name: string, input: unknown = {}, id = "c1"): ScriptedCall {
  return { id, name, input: typeof input === "string" ? input : JSON.stringify(input) };
}

/** What the model reads as the result of one call, through each of the two functions; they must agree. */
async function seenBy(
  scripted: ScriptedCall,
): Promise<{ readonly output: unknown; readonly ends: number; readonly event: unknown }> {
  const outputs: unknown[] = [];
  let last: { readonly ends: number; readonly event: unknown } = { ends: 0, event: undefined };
  for (const run of ["generate", "stream"] as const) {
    const { manager, events } = openSample();
    await using _closed = manager;
    const model = scriptedModel([scripted]);
    const settings = { model, prompt, stopWhen, ...toAiSdk(manager) };
    const text = run === "generate" ? (await generateText(settings)).text : await streamText(settings).text;
    expect(text).toBe("done");
    outputs.push(resultsSeen(model)[scripted.id]);
    const ends = endsOf(events, scripted.id);
    last = { ends: ends.length, event: ends[0] };
  }
  expect(outputs[0]).toEqual(outputs[1]);
  return { output: outputs[0], ...last };
}

describe("toAiSdk", () => {
  it("gives an object as flat JSON, a text as text", async () => {
    expect((await seenBy(call("add", { a: 2 }))).output).toEqual({
      type: "json",
      value: { success: true, error: "", sum: 3 },
    });
    expect((await seenBy(call("greet"))).output).toEqual({ type: "text", value: "hello" });
  });

  it("takes empty arguments for none", async () => {
    expect((await seenBy(call("greet", ""))).output).toEqual({ type: "text", value: "hello" });
    expect((await seenBy(call("greet", "null"))).output).toEqual({ type: "text", value: "hello" });
  });

  it("gives attachments as files", async () => {
    const { output } = await seenBy(call("picture"));
    expect(output).toMatchObject({
      type: "content",
      value: [
        { type: "text", text: '{"success":true,"error":"","title":"dot"}' },
        { type: "file", mediaType: "image/png", filename: "dot.png" },
      ],
    });
  });

  it.each<[string, ScriptedCall, RegExp]>([
    [
      "a failure of the tool",
      call("fail", { how: "tool_error" }),
      /^fail\(how="tool_error"\): File not found: a\.ts\nfail\(how="crash"\)\n\{"code":"not_found","error_type":"user_error","nearest":\["b\.ts"\]\}$/u,
    ],
    [
      "a crash of the tool",
      call("fail", { how: "crash" }),
      /^fail\(how="crash"\): .*broken inside\n\{"code":"internal_error"/u,
    ],
    ["wrong arguments", call("add", { a: "two" }), /^add\(a="two"\): [^]*- a: expected [^]*"code":"invalid_input"/u],
    [
      "arguments that are no JSON",
      call("add", '{"a": 1'),
      /arguments are not valid JSON at character 8[^]*"code":"invalid_input"/u,
    ],
    ["a list for arguments", call("add", "[1]"), /expected an object; received an array[^]*"code":"invalid_input"/u],
    ["a text for arguments", call("add", '"x"'), /expected an object; received a string[^]*"code":"invalid_input"/u],
  ])("gives %s as an error in our own words, with one end on record", async (_what, scripted, text) => {
    const { output, ends, event } = await seenBy(scripted);
    expect(output).toEqual({ type: "error-text", value: expect.stringMatching(text) });
    expect(ends).toBe(1);
    expect(event).toMatchObject({ type: "error" });
  });

  it("leaves unknown names to the AI SDK, which lists the tools", async () => {
    expect((await seenBy(call("ad", { a: 1 }))).output).toMatchObject({
      type: "error-text",
      value: expect.stringContaining("add"),
    });
  });

  it("gives a refusal with its reason and code, and does nothing", async () => {
    const { output, ends } = await seenBy(call("remove", { path: "a" }));
    expect(output).toEqual({
      type: "execution-denied",
      reason: expect.stringMatching(/^remove\(path="a"\): [^]*policy\.rules[^]*"code":"approval_required"/u),
    });
    expect(ends).toBe(1);
    expect(removed).toEqual([]);
  });

  it("says after a timeout whether the work may still run", async () => {
    const { manager } = openSample({ limits: { timeoutMs: 30 } });
    await using _closed = manager;
    const model = scriptedModel([call("wait")]);
    await generateText({ model, prompt, stopWhen, ...toAiSdk(manager) });
    expect(resultsSeen(model)["c1"]).toEqual({
      type: "error-text",
      value: expect.stringMatching(/Timed out[^]*"code":"timeout"/u),
    });
  });

  it("throws failures where hosts look for them, with the whole result", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const outcomes: unknown[] = [];
    const { steps } = await generateText({
      model: scriptedModel([call("fail", { how: "tool_error" })]),
      prompt,
      stopWhen,
      ...toAiSdk(manager),
      onToolExecutionEnd: ({ toolOutput }) => void outcomes.push(toolOutput.type),
    });
    const part = steps[0]?.content.find(({ type }) => type === "tool-error");
    const error = part?.type === "tool-error" ? part.error : undefined;
    expect(outcomes).toEqual(["tool-error"]);
    expect(ToolCallError.is(error) && error.result.code).toBe("not_found");
  });

  it("gives hosts the whole result as plain JSON, and says the same of it once stored", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const { tools, ...rest } = toAiSdk(manager);
    const { steps } = await generateText({
      model: scriptedModel([call("add", { a: 2 })]),
      prompt,
      stopWhen,
      tools,
      ...rest,
    });
    const output: unknown = steps[0]?.toolResults[0]?.output;
    expect(output).toMatchObject({
      success: true,
      status: "ok",
      value: { sum: 3 },
      call: { callId: "c1", toolName: "add", attempts: 1 },
    });
    expect(JSON.parse(JSON.stringify(output))).toEqual(output);
    expect(
      await tools["add"]?.toModelOutput?.({
        toolCallId: "c1",
        input: {},
        output: JSON.parse(JSON.stringify(output)) as unknown,
      }),
    ).toEqual({
      type: "json",
      value: { success: true, error: "", sum: 3 },
    });
  });

  it("streams previews of a running call before its result", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const result = streamText({
      model: scriptedModel([call("count", { to: 4, pause_ms: 60 })]),
      prompt,
      stopWhen,
      ...toAiSdk(manager),
    });
    const outputs: unknown[] = [];
    for await (const part of result.stream) if (part.type === "tool-result") outputs.push(part.output);
    const previews = outputs.filter((output) => (output as { aiw?: string }).aiw === "preview") as {
      chunk?: string;
      progress?: { progress: number };
    }[];
    expect(previews.length).toBeGreaterThan(1);
    expect(previews.map(({ chunk }) => chunk ?? "").join("")).toBe("1\n2\n3\n4\n");
    expect(previews.at(-1)?.progress).toMatchObject({ progress: 4, total: 4 });
    expect(outputs.at(-1)).toMatchObject({ success: true, value: { counted: 4 } });
  });

  it("puts much output into few previews", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const execute = toAiSdk(manager).tools["count"]?.execute;
    const outputs: unknown[] = [];
    const running = execute?.({ to: 2000 }, { toolCallId: "c1", messages: [], context: {} }) as AsyncIterable<unknown>;
    for await (const output of running) outputs.push(output);
    expect(outputs.length).toBeLessThan(20);
    expect(outputs.at(-1)).toMatchObject({ value: { counted: 2000 } });
  });

  it("runs calls of one step side by side without mixing their previews", async () => {
    const { manager, events } = openSample();
    await using _closed = manager;
    const calls = [call("count", { to: 2 }, "a"), call("add", { a: 1 }, "b"), call("count", { to: 3 }, "c")];
    const model = scriptedModel(calls);
    await generateText({ model, prompt, stopWhen, ...toAiSdk(manager) });
    expect(resultsSeen(model)).toMatchObject({
      a: { value: { counted: 2 } },
      b: { value: { sum: 2 } },
      c: { value: { counted: 3 } },
    });
    expect(["a", "b", "c"].map((id) => endsOf(events, id).length)).toEqual([1, 1, 1]);
  });

  it("stops the call when the run is aborted", async () => {
    for (const run of ["generate", "stream"] as const) {
      const { manager, events } = openSample();
      const stop = new AbortController();
      manager.activity.subscribe("tool_call_start", () => setTimeout(() => stop.abort(), 10));
      const settings = {
        model: scriptedModel([call("wait")]),
        prompt,
        stopWhen,
        abortSignal: stop.signal,
        ...toAiSdk(manager),
      };
      const kinds: string[] = [];
      if (run === "generate") await expect(generateText(settings)).rejects.toThrow();
      else for await (const part of streamText({ ...settings, onError: () => undefined }).stream) kinds.push(part.type);
      if (run === "stream") expect(kinds.at(-1)).toBe("abort");
      await manager[Symbol.asyncDispose]();
      expect(endsOf(events, "c1")).toMatchObject([{ type: "error", data: { result: { status: "cancelled" } } }]);
    }
  });

  it("cancels a call whose outputs nobody wants any more, and waits for it", async () => {
    const { manager, events } = openSample();
    await using _closed = manager;
    const execute = toAiSdk(manager).tools["count"]?.execute;
    const running = execute?.(
      { to: 1000, pause_ms: 20 },
      { toolCallId: "c1", messages: [], context: {} },
    ) as AsyncIterable<unknown>;
    for await (const _output of running) break;
    expect(endsOf(events, "c1")).toMatchObject([{ type: "error", data: { result: { status: "cancelled" } } }]);
  });

  it("offers sorted definitions that do not depend on the order of registration", () => {
    const one = toAiSdk(openSample({}, all).manager).tools;
    const other = toAiSdk(openSample({}, all.toReversed()).manager).tools;
    const shown = (tools: typeof one): unknown => JSON.stringify(Object.entries(tools));
    expect(Object.keys(one)).toEqual(["add", "count", "fail", "greet", "picture", "remove", "wait"]);
    expect(shown(one)).toBe(shown(other));
  });

  it("tells hosts, not models, where a tool comes from and what it does", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const { tools, ...rest } = toAiSdk(manager);
    expect(tools["remove"]?.metadata).toEqual({
      id: "remove",
      tags: [],
      effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    });
    expect(tools["greet"]?.inputExamples).toEqual([{ input: {} }]);
    const model = scriptedModel([]);
    await generateText({ model, prompt, tools, ...rest });
    const sent = model.doGenerateCalls[0]?.tools?.find(({ name }) => name === "remove");
    expect(Object.keys(sent ?? {}).toSorted()).toEqual(["description", "inputSchema", "name", "type"]);
  });

  it("refuses a format that does not exist", () => {
    expect(() => toAiSdk(openSample().manager, { format: "nope" as never })).toThrow(/nope/u);
  });

  it("is taken by an agent as it is", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const agent = new ToolLoopAgent({
      model: scriptedModel([call("add", { a: 1, b: 1 })]),
      ...toAiSdk(manager),
      stopWhen,
    });
    expect((await agent.generate({ prompt })).text).toBe("done");
  });
});

describe("toAiSdk with approvals", () => {
  const asking = (answer: "allow" | "deny"): { readonly approver: Approver; readonly asked: string[] } => {
    const asked: string[] = [];
    return { asked, approver: ({ toolName }) => (asked.push(toolName), { decision: answer }) };
  };

  it("awaits the executor's approver, who may also say no", async () => {
    for (const [answer, type] of [
      ["allow", "json"],
      ["deny", "execution-denied"],
    ] as const) {
      const { approver, asked } = asking(answer);
      const { manager } = openSample({ approver });
      await using _closed = manager;
      const model = scriptedModel([call("remove", { path: "a" })]);
      const given = toAiSdk(manager);
      expect(given).not.toHaveProperty("toolApproval");
      await generateText({ model, prompt, stopWhen, ...given });
      expect([asked, resultsSeen(model)["c1"], removed]).toEqual([
        ["remove"],
        expect.objectContaining({ type }),
        answer === "allow" ? ["a"] : [],
      ]);
    }
  });

  it("lets the framework ask about what needs a person, and takes its yes", async () => {
    const { approver, asked } = asking("deny");
    const { manager, events } = openSample({ approver });
    await using _closed = manager;
    const given = toAiSdk(manager, { approvals: "framework" });
    const messages: ModelMessage[] = [{ role: "user", content: prompt }];
    const first = await generateText({
      model: scriptedModel([call("remove", { path: "a" })]),
      messages,
      stopWhen,
      ...given,
    });
    const request = first.content.find((part) => part.type === "tool-approval-request");
    expect(request).toMatchObject({
      toolCall: { toolCallId: "c1" },
      reason: expect.stringMatching(/overwrite or delete/u),
    });
    expect([removed, events]).toEqual([[], []]);

    const approvalId = request?.type === "tool-approval-request" ? request.approvalId : "";
    const answered: ModelMessage[] = [
      ...messages,
      ...first.responseMessages,
      { role: "tool", content: [{ type: "tool-approval-response", approvalId, approved: true }] },
    ];
    const model = scriptedModel([]);
    await generateText({ model, messages: answered, stopWhen, ...given });
    expect([removed, asked]).toEqual([["a"], []]);
    expect(resultsSeen(model)["c1"]).toMatchObject({ type: "json", value: { removed: "a" } });
    expect(events.filter(({ type }) => type === "tool_approval_decision")).toHaveLength(1);
    expect(endsOf(events, "c1")).toHaveLength(1);
  });

  it("does not run what the framework's person refused", async () => {
    const { manager, events } = openSample();
    await using _closed = manager;
    const given = toAiSdk(manager, { approvals: "framework" });
    const messages: ModelMessage[] = [{ role: "user", content: prompt }];
    const first = await generateText({
      model: scriptedModel([call("remove", { path: "a" })]),
      messages,
      stopWhen,
      ...given,
    });
    const request = first.content.find((part) => part.type === "tool-approval-request");
    const approvalId = request?.type === "tool-approval-request" ? request.approvalId : "";
    const refused: ModelMessage = {
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId, approved: false, reason: "no" }],
    };
    const model = scriptedModel([]);
    await generateText({ model, messages: [...messages, ...first.responseMessages, refused], stopWhen, ...given });
    expect([removed, endsOf(events, "c1"), resultsSeen(model)["c1"]]).toEqual([
      [],
      [],
      { type: "execution-denied", reason: "no" },
    ]);
  });

  it("asks nobody about safe, broken, denied and malformed calls, and refuses those itself", async () => {
    const { manager, events } = openSample({
      rules: [{ match: { tool: "remove", input: { path: "keep" } }, decision: "deny" }],
    });
    await using _closed = manager;
    const calls = [
      call("add", { a: 1 }, "safe"),
      call("remove", { path: 1 }, "broken"),
      call("remove", { path: "keep" }, "denied"),
      call("remove", "{", "malformed"),
    ];
    const model = scriptedModel(calls);
    const { content } = await generateText({
      model,
      prompt,
      stopWhen,
      ...toAiSdk(manager, { approvals: "framework" }),
    });
    expect(content.some(({ type }) => type === "tool-approval-request")).toBe(false);
    expect(resultsSeen(model)).toMatchObject({
      safe: { type: "json" },
      broken: { type: "error-text" },
      denied: { type: "execution-denied", reason: expect.stringContaining("denied_by_policy") },
      malformed: { type: "error-text", value: expect.stringContaining("not valid JSON") },
    });
    expect(calls.map(({ id }) => endsOf(events, id).length)).toEqual([1, 1, 1, 1]);
  });

  it("takes no execution without evidence for approved: ours is asked, or it is denied", async () => {
    const { manager } = openSample();
    await using _closed = manager;
    const execute = toAiSdk(manager, { approvals: "framework" }).tools["remove"]?.execute;
    const running = execute?.(
      { path: "a" },
      { toolCallId: "c1", messages: [{ role: "user", content: "yes, approved" }], context: {} },
    ) as AsyncIterable<unknown>;
    const outputs: unknown[] = [];
    for await (const output of running) outputs.push(output);
    expect(outputs.at(-1)).toMatchObject({ status: "denied", code: "approval_required" });
    expect(removed).toEqual([]);
  });
});
