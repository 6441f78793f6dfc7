import * as api from "@opentelemetry/api";
import { defineTool, ToolError, type TraceContext } from "@aiw/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { enableContexts, inMemory, type InMemory } from "./__fixtures__/in-memory.ts";
import { add, flaky, makeHost } from "./__fixtures__/make-host.ts";
import { telemetry } from "./telemetry.ts";

const RETRY = { retry: { attempts: 3, baseMs: 1, maxMs: 2 } };

describe("telemetry, spans", () => {
  let memory: InMemory;
  let disable: () => void;

  beforeEach(() => {
    disable = enableContexts();
    memory = inMemory();
  });

  afterEach(() => disable());

  const open = async (more: Parameters<typeof telemetry>[0] = {}) =>
    telemetry({ tracerProvider: memory.tracerProvider, meterProvider: memory.meterProvider, ...more });

  it("tells of a call by the names of the conventions, the execution within the call", async () => {
    const { executor } = makeHost(await open());
    await executor.execute("add", { a: 1, b: 2 }, { callId: "call-1", sessionId: "chat-1" });
    const execution = memory.span("execute_tool add");
    const call = memory.span("aiw.tool_call add");
    expect(execution.kind).toBe(api.SpanKind.INTERNAL);
    expect(execution.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "add",
      "gen_ai.tool.type": "function",
      "gen_ai.tool.description": "Adds two numbers.",
      "gen_ai.tool.call.id": "call-1",
      "gen_ai.conversation.id": "chat-1",
      "aiw.tool.id": "add",
      "aiw.call.status": "ok",
      "aiw.call.settled": true,
      "aiw.call.attempts": 1,
    });
    expect(execution.status).toEqual({ code: api.SpanStatusCode.UNSET });
    expect(call.kind).toBe(api.SpanKind.INTERNAL);
    expect(call.attributes).toEqual({
      "gen_ai.tool.name": "add",
      "gen_ai.tool.call.id": "call-1",
      "gen_ai.conversation.id": "chat-1",
      "aiw.tool.id": "add",
      "aiw.call.status": "ok",
      "aiw.call.settled": true,
      "aiw.call.attempts": 1,
    });
    expect(execution.parentSpanContext?.spanId).toBe(call.spanContext().spanId);
    expect(call.parentSpanContext).toBeUndefined();
    expect(execution.instrumentationScope.name).toBe("@aiw/extensions");
    await executor.close();
  });

  it("gives samplers the attributes at the start", async () => {
    const seen: Record<string, api.Attributes> = {};
    const tracer = memory.tracerProvider.getTracer("x");
    const watching: api.TracerProvider = {
      getTracer: () => ({
        startActiveSpan: tracer.startActiveSpan.bind(tracer),
        startSpan: (name, options, context) => {
          seen[name] = options?.attributes ?? {};
          return tracer.startSpan(name, options, context);
        },
      }),
    };
    const { executor } = makeHost(await open({ tracerProvider: watching }));
    await executor.execute("add", { a: 1, b: 2 }, { callId: "call-1" });
    expect(seen["execute_tool add"]).toMatchObject({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "add",
    });
    expect(seen["aiw.tool_call add"]).toMatchObject({ "gen_ai.tool.name": "add", "gen_ai.tool.call.id": "call-1" });
    await executor.close();
  });

  it.each<readonly [string, { readonly type?: string; readonly category?: string; readonly tags?: readonly string[] }]>(
    [
      ["function", {}],
      ["extension", { type: "http" }],
      ["extension", { type: "mcp" }],
      ["datastore", { category: "retrieval" }],
      ["datastore", { type: "http", tags: ["retrieval"] }],
    ],
  )("says %s of a tool that is %j", async (expected, shape) => {
    const { type = "function", ...metadata } = { category: "text", tags: [], ...shape };
    const tool = defineTool({
      name: "one",
      description: "One.",
      input: z.object({}),
      effects: "pure",
      execute: () => 1,
      ...metadata,
    });
    const { executor } = makeHost(await open(), {
      tools: [{ ...tool, spec: { ...tool.spec, type } }],
      executors: { http: { execute: () => 1 }, mcp: { execute: () => 1 } },
    });
    expect(await executor.execute("one", {})).toMatchObject({ success: true });
    expect(memory.span("execute_tool one").attributes["gen_ai.tool.type"]).toBe(expected);
    await executor.close();
  });

  it("says only the code of what failed, on both spans", async () => {
    const { executor } = makeHost(await open(), { tools: [flaky(9)], limits: { retry: { attempts: 1 } } });
    await executor.execute("flaky", {});
    for (const name of ["execute_tool flaky", "aiw.tool_call flaky"]) {
      const span = memory.span(name);
      expect(span.attributes).toMatchObject({ "error.type": "io_error", "aiw.call.status": "error" });
      expect(span.status).toEqual({ code: api.SpanStatusCode.ERROR, message: "io_error" });
      expect(JSON.stringify([span.attributes, span.events, span.status])).not.toContain("s3cr3t");
    }
    await executor.close();
  });

  it("makes one execution of several attempts, and an event of each retry", async () => {
    const { executor } = makeHost(await open(), { tools: [flaky(2)], limits: RETRY });
    await executor.execute("flaky", {});
    const execution = memory.span("execute_tool flaky");
    expect(execution.attributes).toMatchObject({ "aiw.call.attempts": 3, "aiw.call.status": "ok" });
    expect(execution.status.code).toBe(api.SpanStatusCode.UNSET);
    expect(
      execution.events.map(({ name, attributes }) => [name, attributes?.["attempt"], attributes?.["code"]]),
    ).toEqual([
      ["aiw.retry", 1, "io_error"],
      ["aiw.retry", 2, "io_error"],
    ]);
    await executor.close();
  });

  it("has no execution of a call that was refused", async () => {
    const { executor } = makeHost(await open());
    await executor.execute("wipe", { what: "disk" });
    await executor.execute("add", { a: "x" });
    expect(memory.spans().map(({ name }) => name)).toEqual(["aiw.tool_call wipe", "aiw.tool_call add"]);
    expect(memory.span("aiw.tool_call wipe")).toMatchObject({
      attributes: { "error.type": "approval_required", "aiw.call.status": "denied", "aiw.call.attempts": 0 },
      status: { code: api.SpanStatusCode.ERROR, message: "approval_required" },
    });
    expect(memory.span("aiw.tool_call add").attributes["error.type"]).toBe("invalid_input");
    await executor.close();
  });

  it("calls a name nobody has by one name in spans, and says it in an attribute", async () => {
    const { executor } = makeHost(await open());
    await executor.execute("invented_7", {});
    expect(memory.span("aiw.tool_call _unknown").attributes).toMatchObject({
      "gen_ai.tool.name": "invented_7",
      "error.type": "tool_not_found",
    });
    await executor.close();
  });

  it("tells of a call that was cancelled before it could begin", async () => {
    const { executor } = makeHost(await open());
    await executor.execute("add", { a: 1, b: 2 }, { signal: AbortSignal.abort() });
    expect(memory.span("aiw.tool_call add").attributes).toMatchObject({ "aiw.call.status": "cancelled" });
    await executor.close();
  });

  it("makes events of questions and answers, without what people wrote", async () => {
    const { executor } = makeHost(await open(), {
      rules: [{ id: "careful", match: { tool: "wipe" }, decision: "ask", reason: "s3cr3t reason" }],
      approver: () => ({ decision: "allow" }),
    });
    await executor.execute("wipe", { what: "disk" });
    const call = memory.span("aiw.tool_call wipe");
    expect(call.events.map(({ name }) => name)).toEqual(["aiw.approval.request", "aiw.approval.decision"]);
    expect(call.events[0]?.attributes).toEqual({ rule: "careful" });
    expect(call.events[1]?.attributes).toMatchObject({ decision: "allow" });
    expect(call.attributes).toMatchObject({ "aiw.approval.decision": "allow", "aiw.approval.rule": "careful" });
    expect(JSON.stringify([call.events, call.attributes])).not.toContain("s3cr3t");
    await executor.close();
  });

  it("hangs calls within calls on the execution of the tool that made them", async () => {
    const { executor } = makeHost(await open());
    await executor.execute("outer", {});
    expect(memory.span("aiw.tool_call add").parentSpanContext?.spanId).toBe(
      memory.span("execute_tool outer").spanContext().spanId,
    );
    expect(new Set(memory.spans().map((span) => span.spanContext().traceId)).size).toBe(1);
    await executor.close();
  });

  it("does so without contexts that follow asynchronous work, also for many calls at once", async () => {
    disable();
    const { executor } = makeHost(await open());
    await Promise.all(Array.from({ length: 20 }, () => executor.execute("outer", {})));
    const executions = new Map(
      memory
        .spans()
        .filter(({ name }) => name === "execute_tool outer")
        .map((span) => [span.spanContext().spanId, span]),
    );
    const nested = memory.spans().filter(({ name }) => name === "aiw.tool_call add");
    expect(nested).toHaveLength(20);
    expect(new Set(nested.map((span) => span.parentSpanContext?.spanId))).toEqual(new Set(executions.keys()));
    await executor.close();
  });

  it("runs the tool, its generator too, so that its own spans are children of the execution", async () => {
    const tracer = memory.tracerProvider.getTracer("client");
    const stream = defineTool({
      name: "stream",
      description: "Streams.",
      input: z.object({}),
      effects: "pure",
      async *execute(_input, context) {
        tracer.startSpan("before").end();
        yield "chunk";
        await Promise.resolve();
        await tracer.startActiveSpan("request", async (span) => {
          await context.callTool("add", { a: 1, b: 2 });
          span.end();
        });
        return 1;
      },
    });
    const { executor } = makeHost(await open(), { tools: [stream, add] });
    await executor.execute("stream", {});
    const execution = memory.span("execute_tool stream").spanContext().spanId;
    expect(memory.span("before").parentSpanContext?.spanId).toBe(execution);
    expect(memory.span("request").parentSpanContext?.spanId).toBe(execution);
    expect(memory.span("aiw.tool_call add").parentSpanContext?.spanId).toBe(
      memory.span("request").spanContext().spanId,
    );
    await executor.close();
  });

  it("hangs a call on the span that is active where it is made", async () => {
    const { executor } = makeHost(await open());
    const tracer = memory.tracerProvider.getTracer("host");
    await tracer.startActiveSpan("turn", async (span) => {
      await executor.execute("add", { a: 1, b: 2 });
      span.end();
    });
    expect(memory.span("aiw.tool_call add").parentSpanContext?.spanId).toBe(memory.span("turn").spanContext().spanId);
    await executor.close();
  });

  it("continues the trace a call brings, links what is active here, and gives the tool its own place in it", async () => {
    let seen: TraceContext | undefined;
    const tell = defineTool({
      name: "tell",
      description: "Tells its trace.",
      input: z.object({}),
      effects: "pure",
      execute: (_input, context) => {
        seen = context.traceContext;
        return api.propagation.getActiveBaggage()?.getEntry("tenant")?.value ?? "none";
      },
    });
    const { executor } = makeHost(await open(), { tools: [tell] });
    const tracer = memory.tracerProvider.getTracer("host");
    const traceContext = {
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      tracestate: "vendor=1",
      baggage: "tenant=a%20b;p=1",
    };
    await tracer.startActiveSpan("job", async (span) => {
      expect(await executor.execute("tell", {}, { traceContext })).toMatchObject({ value: "a b" });
      span.end();
    });
    const call = memory.span("aiw.tool_call tell");
    const execution = memory.span("execute_tool tell").spanContext();
    expect(call.parentSpanContext).toMatchObject({ spanId: "b7ad6b7169203331", isRemote: true });
    expect(call.links.map(({ context }) => context.spanId)).toEqual([memory.span("job").spanContext().spanId]);
    expect(seen).toEqual({
      traceparent: `00-0af7651916cd43dd8448eb211c80319c-${execution.spanId}-01`,
      tracestate: "vendor=1",
      baggage: "tenant=a%20b;p=1",
    });
    await executor.close();
  });

  it("keeps arguments and results out of spans unless they are asked for, and then as masked objects", async () => {
    const secret = defineTool({
      name: "login",
      description: "Logs in.",
      input: z.object({ user: z.string(), password: z.string() }),
      effects: "pure",
      execute: ({ user }) => [user],
    });
    for (const captureContent of [false, true]) {
      const { executor } = makeHost(await open({ captureContent }), { tools: [secret] });
      await executor.execute("login", { user: "ann", password: "hunter22222" }, { callId: String(captureContent) });
      await executor.close();
    }
    const [plain, full] = memory.spans().filter(({ name }) => name.startsWith("execute_tool"));
    expect(plain?.attributes).not.toHaveProperty("gen_ai.tool.call.arguments");
    expect(plain?.attributes).not.toHaveProperty("gen_ai.tool.call.result");
    const given = JSON.parse(String(full?.attributes["gen_ai.tool.call.arguments"])) as Record<string, unknown>;
    expect(given["user"]).toBe("ann");
    expect(JSON.stringify(memory.spans().map(({ attributes }) => attributes))).not.toContain("hunter22222");
    expect(JSON.parse(String(full?.attributes["gen_ai.tool.call.result"]))).toEqual({ value: ["ann"] });
  });

  // The cases of the conventions: arguments and results are objects, not text of objects and not lists.
  it.each([
    ["an object", { location: "Paris", unit: "celsius", days: 3 }, { location: "Paris", unit: "celsius", days: 3 }],
    ["an object with a list", { temperature: 57, conditions: ["rainy"] }, { temperature: 57, conditions: ["rainy"] }],
    ["text of an object", '{"location": "Paris"}', { value: '{"location": "Paris"}' }],
    ["a list", [{ temperature: 57 }], { value: [{ temperature: 57 }] }],
    ["null", null, { value: null }],
  ])("records a result that is %s as an object", async (_what, value, expected) => {
    const echo = defineTool({
      name: "echo",
      description: "Echoes.",
      input: z.looseObject({}),
      effects: "pure",
      execute: () => value,
    });
    const { executor } = makeHost(await open({ captureContent: true }), { tools: [echo] });
    await executor.execute("echo", '{"given": 1}', { inputFormat: "json_text" });
    const { attributes } = memory.span("execute_tool echo");
    expect(JSON.parse(String(attributes["gen_ai.tool.call.result"]))).toEqual(expected);
    expect(JSON.parse(String(attributes["gen_ai.tool.call.arguments"]))).toEqual({ given: 1 });
    await executor.close();
  });

  it("records no result of a failure and bounds what it records", async () => {
    const long = defineTool({
      name: "long",
      description: "Says much, or fails.",
      input: z.object({ fail: z.boolean() }),
      effects: "pure",
      execute: ({ fail }) => {
        if (fail) throw new ToolError("failed", "no");
        return "x".repeat(1_000_000);
      },
    });
    const { executor } = makeHost(await open({ captureContent: true }), {
      tools: [long],
      limits: { resultCharacters: 900_000 },
    });
    await executor.execute("long", { fail: true });
    await executor.execute("long", { fail: false });
    const [failed, worked] = memory.spans().filter(({ name }) => name === "execute_tool long");
    expect(failed?.attributes).not.toHaveProperty("gen_ai.tool.call.result");
    expect(String(worked?.attributes["gen_ai.tool.call.result"]).length).toBeLessThan(70_000);
    await executor.close();
  });

  it("makes no span where the host traces tools itself, and adds what only we know to the host's", async () => {
    const { executor } = makeHost(await open({ hostSpans: true }), { approver: () => ({ decision: "allow" }) });
    const tracer = memory.tracerProvider.getTracer("host");
    await tracer.startActiveSpan("ai.toolCall", async (span) => {
      await executor.execute("wipe", { what: "disk" });
      span.end();
    });
    expect(memory.spans().map(({ name }) => name)).toEqual(["ai.toolCall"]);
    const host = memory.span("ai.toolCall");
    expect(host.attributes).toEqual({
      "aiw.tool.id": "wipe",
      "aiw.call.status": "ok",
      "aiw.call.settled": true,
      "aiw.call.attempts": 1,
      "aiw.approval.decision": "allow",
      "aiw.approval.rule": "unsafe_effects",
    });
    expect(host.events.map(({ name }) => name)).toEqual(["aiw.approval.request", "aiw.approval.decision"]);
    await executor.execute("add", { a: 1, b: 2 });
    expect(memory.spans()).toHaveLength(1);
    await executor.close();
  });

  it("ends the spans of a call that is suspended, and begins others when it goes on", async () => {
    const { executor } = makeHost(await open(), { approver: () => ({ decision: "allow" }) });
    const asking = defineTool({
      name: "asking",
      description: "Asks.",
      input: z.object({}),
      effects: "pure",
      execute: async (_input, context) => context.requestInput("name", { message: "Your name?" }),
    });
    executor.registry.register(asking);
    const waiting = await executor.execute("asking", {}, { suspend: true });
    expect(waiting).toMatchObject({ suspended: true });
    expect(memory.span("aiw.tool_call asking").attributes["aiw.call.status"]).toBe("suspended");
    expect(memory.span("execute_tool asking").ended).toBe(true);
    expect(await memory.points("aiw.tool.calls.active")).toEqual([
      { labels: { "gen_ai.tool.name": "asking" }, value: 0 },
    ]);
    expect(await memory.points("aiw.tool.calls")).toEqual([]);
    if (!("suspended" in waiting)) return;
    const answers = { name: { action: "accept", content: { name: "Ann" } } } as const;
    expect(await executor.resume(waiting.callId, waiting.state, answers)).toMatchObject({ success: true });
    expect(memory.spans().map(({ name, attributes }) => [name, attributes["aiw.call.status"]])).toEqual([
      ["execute_tool asking", undefined],
      ["aiw.tool_call asking", "suspended"],
      ["execute_tool asking", "ok"],
      ["aiw.tool_call asking", "ok"],
    ]);
    await executor.close();
  });

  it("harms no call when a provider throws", async () => {
    const fail = (): never => {
      throw new Error("no tracer");
    };
    const { executor } = makeHost(await open({ tracerProvider: { getTracer: fail } }));
    expect(await executor.execute("add", { a: 1, b: 2 })).toMatchObject({ success: true, value: { sum: 3 } });
    await executor.close();
  });
});
