import {
  ActivityStream,
  AiwError,
  defineTool,
  SessionStore,
  sessionKey,
  ToolError,
  ToolRegistry,
  type Tool,
  type ToolEntry,
  type ToolSource,
} from "@aiw/core";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { makeExecutor, type MadeExecutor } from "./__fixtures__/make-executor.ts";
import { UnifiedToolExecutor } from "./unified-tool-executor.ts";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.strictObject({ a: z.number(), b: z.number() }),
  effects: "pure",
  execute: ({ a, b }) => a + b,
});

function tool(name: string, execute: Tool["execute"], facts: { readonly timeoutMs?: number } = {}): Tool {
  return defineTool({
    name,
    description: "Does it.",
    input: { type: "object", additionalProperties: true },
    effects: "pure",
    ...facts,
    execute,
  }) as Tool;
}

const hang = (): Promise<never> => new Promise(() => undefined);
const untilAborted = tool("wait", (_input, { signal, emitOutput }) => {
  emitOutput("started");
  return new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
});

/** Waits until so many tools have begun to work. */
async function begun({ events }: MadeExecutor, count: number = 1): Promise<void> {
  await vi.waitFor(() => expect(events.filter(({ type }) => type === "tool_output_chunk")).toHaveLength(count), {
    interval: 1,
  });
}

describe("UnifiedToolExecutor", () => {
  it("gives the value with the facts of the call", async () => {
    const { executor, typesOf } = makeExecutor([add]);
    const principal = { id: "ada" };
    const result = await executor.execute("add", { a: 1, b: 2 }, { callId: "c1", sessionId: "s", turn: 3, principal });
    expect(result).toMatchObject({ success: true, status: "ok", error: "", value: 3, preview: ["3"] });
    expect(result.call).toMatchObject({
      callId: "c1",
      toolId: "add",
      toolName: "add",
      sessionId: "s",
      turn: 3,
      principal,
      attempts: 1,
    });
    expect(result.call.definitionHash).toMatch(/^sha256-/);
    expect(typesOf("c1")).toEqual(["tool_call_start", "tool_call_end"]);
  });

  it("announces the call before execute returns, with the arguments masked and bounded", () => {
    const { executor, events } = makeExecutor([tool("log_in", () => 1)]);
    void executor.execute("log_in", { password: "hunter2", text: "x".repeat(200_000) });
    const [start] = events;
    expect(start?.type).toBe("tool_call_start");
    const shown = JSON.stringify(start?.data);
    expect(shown).not.toContain("hunter2");
    expect(shown.length).toBeLessThan(70_000);
  });

  it("tells a tool how much of its result reaches the model", async () => {
    const told: unknown[] = [];
    const ask = tool("ask", (_input, { maxResultCharacters }) => told.push(maxResultCharacters));
    await makeExecutor([ask]).executor.execute("ask", {});
    await makeExecutor([ask], { limits: { resultCharacters: 5000 } }).executor.execute("ask", {});
    expect(told).toEqual([30_000, 5000]);
  });

  it("says why a tool that was found cannot be used", async () => {
    const source: ToolSource = {
      name: "test",
      list: async () => [
        {
          id: "acme/broken",
          name: "broken",
          origin: { source: "package", package: "acme" },
          load: async () => Promise.reject(new Error("bang at import")),
        },
      ],
    };
    const registry = new ToolRegistry({ sources: [source] });
    await registry.load();
    await using executor = new UnifiedToolExecutor(registry);
    for (const name of ["broken", "acme/broken"]) {
      expect(await executor.execute(name, {})).toMatchObject({
        code: "tool_not_found",
        error: expect.stringMatching(/broken.* of acme cannot be used: .*bang at import/),
        suggestion: expect.stringMatching(/./),
        details: { finding: "load_failed" },
      });
    }
  });

  it("names the nearest tools for an unknown name, as a result with its two events", async () => {
    const { executor, typesOf } = makeExecutor([add]);
    const result = await executor.execute("ad", { a: 1 }, { callId: "c" });
    expect(result).toMatchObject({
      status: "error",
      code: "tool_not_found",
      suggestion: expect.stringContaining("add"),
      details: { nearest: ["add"] },
    });
    expect(result.call).toMatchObject({ toolId: "ad", attempts: 0 });
    expect(result.call.definitionHash).toBeUndefined();
    expect(typesOf("c")).toEqual(["tool_call_start", "error"]);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["a number", 5],
    ["a proxy", new Proxy({}, {})],
    ["a long text", "x".repeat(1e6)],
  ])("answers %s as name", async (_what, name) => {
    const { executor } = makeExecutor([add]);
    const result = await executor.execute(name as string, {});
    expect(result).toMatchObject({ code: "tool_not_found" });
    expect(JSON.stringify(result).length).toBeLessThan(2000);
  });

  it.each<[string, unknown]>([
    ["a wrong type", { a: "one", b: 2 }],
    ["a missing argument", { a: 1 }],
    ["a list", [1]],
    ["text", "a=1"],
    [
      "a getter that throws",
      {
        get a(): never {
          throw new Error("boom");
        },
      },
    ],
    [
      "a revoked proxy",
      (() => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      })(),
    ],
    ["depth", JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`)],
  ])("refuses %s as arguments, announced and ended", async (_what, input) => {
    const { executor, typesOf } = makeExecutor([add]);
    const result = await executor.execute("add", input, { callId: "c" });
    expect(result).toMatchObject({
      success: false,
      code: "invalid_input",
      error_type: "validation_error",
      settled: true,
    });
    expect(result.call.attempts).toBe(0);
    expect(result.call.definitionHash).toMatch(/^sha256-/);
    expect(typesOf("c")).toEqual(["tool_call_start", "error"]);
  });

  it.each([
    { timeoutMs: 0 },
    { preparationMs: Number.NaN },
    { preparationMs: Number.POSITIVE_INFINITY },
    { graceMs: 2 ** 31 },
    { graceMs: -1 },
    { resultCharacters: "5" as unknown as number },
    { fullResultBytes: Number.NaN },
    { depth: null as unknown as number },
  ])("refuses %j, which is no limit", (limits) => {
    expect(() => makeExecutor([], { limits })).toThrow(expect.objectContaining({ code: "config_invalid" }));
  });

  it("repeats a hostile name so that it moves no cursor and hides nothing", async () => {
    const { executor, events } = makeExecutor([]);
    const result = await executor.execute("x\u001B[2J\u202E\n(ok)", {});
    expect(JSON.stringify([result, events]).replaceAll("\\\\u{", "")).not.toMatch(/[\u202E]|\\u001b|\\n/);
    expect(result.error).toContain("x\\u{1b}[2J\\u{202e} (ok)()");
  });

  it("closes an executor of several types once", async () => {
    let closed = 0;
    const both = { execute: () => 1, close: async () => void (closed += 1) };
    const { executor } = makeExecutor([], { executors: { a: both, b: both } });
    await executor.close();
    expect(closed).toBe(1);
  });

  it("takes null for no options", async () => {
    const { executor } = makeExecutor([add]);
    expect(await executor.execute("add", { a: 1, b: 2 }, null as never)).toMatchObject({ value: 3 });
    expect(await executor.authorize("add", { a: 1, b: 2 }, null as never)).toMatchObject({ decision: "allow" });
  });

  it("loads a definition that only code can tell, and reports code that does not load", async () => {
    const origin = { source: "test" };
    const list = async (): Promise<ToolEntry[]> => [
      { id: "pkg/add", name: "add", origin, load: async () => add as Tool },
      { id: "pkg/broken", name: "broken", origin, load: () => Promise.reject(new Error("no such file")) },
    ];
    const registry = new ToolRegistry({ sources: [{ name: "test", list }] });
    await registry.readSources();
    const executor = new UnifiedToolExecutor(registry);
    expect(await executor.execute("add", { a: 1, b: 2 })).toMatchObject({
      value: 3,
      call: { toolId: "pkg/add", definitionHash: expect.stringMatching(/^sha256-/) },
    });
    expect(await executor.execute("add", { a: 1 })).toMatchObject({ code: "invalid_input" });
    expect(await executor.execute("broken", {})).toMatchObject({
      code: "load_failed",
      error: expect.stringContaining("no such file"),
    });
  });

  it.each(["listed", "named"])(
    "says of a %s tool whose code cannot be loaded what discovery found, and the way out",
    async (name) => {
      const finding = {
        code: "entry_missing",
        package: "acme",
        reason: "./a.js is not in the package.",
        fix: "Build it.",
      };
      const load = (): Promise<Tool> =>
        Promise.reject(
          new AiwError("load_failed", `acme/${name}: ${finding.reason}`, { fix: finding.fix, details: { finding } }),
        );
      const entry = { id: `acme/${name}`, name, origin: { source: "test" }, load };
      const list = async (): Promise<ToolEntry[]> => [
        { ...entry, ...(name === "listed" && { spec: { ...add.spec, name, inputSchema: { type: "object" } } }) },
      ];
      const registry = new ToolRegistry({ sources: [{ name: "test", list }] });
      await registry.readSources();
      await using executor = new UnifiedToolExecutor(registry);
      const result = await executor.execute(name, {});
      expect(result).toMatchObject({
        code: "load_failed",
        error: expect.stringContaining(`could not be loaded: acme/${name}: ./a.js is not in the package.`),
        suggestion: "Build it.",
        details: { finding: "entry_missing", package: "acme" },
      });
      expect(JSON.stringify(result)).not.toContain("AiwError");
    },
  );

  it("bounds the details of a failure, keeping them whole under a reference", async () => {
    const { executor } = makeExecutor([
      tool("t", () => {
        throw new ToolError("failed", "No.", { details: { output: "x".repeat(90_000), return_code: 2 } });
      }),
    ]);
    const result = await executor.execute("t", {});
    const details = result.success ? {} : (result.details ?? {});
    expect(details["return_code"]).toBe(2);
    const reference = /result:[\w-]+/.exec(String(details["output"]))?.[0] ?? "";
    expect(String(details["output"]).length).toBeLessThan(30_000);
    expect(await executor.readFullResult(reference)).toEqual({ output: "x".repeat(90_000), return_code: 2 });
    await executor.close();
    expect(await executor.readFullResult(reference)).toBeUndefined();
  });

  it("reads arguments that arrive as text, and says where they are no JSON", async () => {
    const { executor } = makeExecutor([add]);
    expect(await executor.execute("add", '{"a":1,"b":2}', { inputFormat: "json_text" })).toMatchObject({ value: 3 });
    expect(await executor.execute("add", '{"a":1', { inputFormat: "json_text" })).toMatchObject({
      code: "invalid_input",
      error: expect.stringContaining("at character 7"),
    });
  });

  it.each<[string, unknown]>([
    ["text", "no"],
    ["null", null],
    ["undefined", undefined],
    ["an error", new Error("no")],
    [
      "a hostile error",
      Object.defineProperty(new Error("x"), "message", {
        get() {
          throw new Error("again");
        },
      }),
    ],
    [
      "a proxy that refuses everything",
      new Proxy(
        {},
        {
          get() {
            throw new Error("no");
          },
          getPrototypeOf() {
            throw new Error("no");
          },
          has() {
            throw new Error("no");
          },
        },
      ),
    ],
  ])("makes one result of a tool that throws %s", async (_what, thrown) => {
    const { executor, typesOf } = makeExecutor([
      tool("t", () => {
        throw thrown;
      }),
    ]);
    const result = await executor.execute("t", {}, { callId: "c" });
    expect(result).toMatchObject({ success: false, code: "internal_error", error_type: "system_error" });
    expect(typesOf("c")).toEqual(["tool_call_start", "error"]);
    expect(executor.running).toBe(0);
  });

  it("makes a failure of a value that cannot be read", async () => {
    const hostile = new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("no");
        },
        get() {
          throw new Error("no");
        },
      },
    );
    const { executor } = makeExecutor([tool("t", () => [hostile])]);
    expect(await executor.execute("t", {})).toMatchObject({ success: false, code: "invalid_output" });
  });

  it("keeps what a ToolError says", async () => {
    const { executor } = makeExecutor([
      tool("t", () => {
        throw new ToolError("not_found", "No such file.", { suggestion: "List first.", details: { tried: ["a"] } });
      }),
    ]);
    expect(await executor.execute("t", {})).toMatchObject({
      code: "not_found",
      suggestion: "List first.",
      details: { tried: ["a"] },
      call: { attempts: 1 },
    });
  });

  it("keeps secrets out of the head of a failure, its preview and its events", async () => {
    const login = defineTool({
      name: "login",
      description: "Logs in.",
      input: z.object({ password: z.string(), nested: z.object({ api_key: z.string() }), command: z.string() }),
      effects: "pure",
      execute: () => {
        throw new ToolError("failed", "No: https://ada:hunter3@host.test, nor hunter2.");
      },
    });
    const run = defineTool({
      name: "run",
      description: "Runs.",
      input: z.object({ command: z.string(), numbers: z.array(z.int()) }),
      effects: "pure",
      execute: () => 1,
    });
    const { executor, events } = makeExecutor([login, run]);
    const input = { password: "hunter2", nested: { api_key: "hunter4" }, command: "x -H 'Bearer hunter5hunter5'" };
    const results = [
      await executor.execute("login", input),
      await executor.execute("login", { ...input, n: Number.NaN }),
      await executor.execute("login", { ...input, password: ["hunter6"] }),
      await executor.execute("run", { command: input.command, number: 5 }),
    ];
    expect(JSON.stringify([results, events])).not.toMatch(/hunter\d/);
    expect(results[0]?.error).toContain("password=<string, 7 characters>");
    expect(results[3]).toMatchObject({
      suggestion: `Call it like this: run(command="x -H 'Bearer [secret]'", numbers=[5])`,
    });
  });

  it("streams output and progress between start and end, and nothing after the end", async () => {
    let late: () => void = () => undefined;
    const { executor, events, typesOf } = makeExecutor([
      tool("t", async (_input, context) => {
        context.emitOutput("a", { channel: "stderr" });
        context.emitProgress({ progress: 1, total: 2 });
        late = () => context.emitOutput("late");
        return 1;
      }),
    ]);
    await executor.execute("t", {}, { callId: "c" });
    late();
    expect(typesOf("c")).toEqual(["tool_call_start", "tool_output_chunk", "tool_progress", "tool_call_end"]);
    expect(events[1]?.data).toMatchObject({ chunk: "a", channel: "stderr", toolName: "t", toolId: "t" });
  });

  it("gives tools the workspace, the session and the log of the host, and nothing else", async () => {
    const workspace = { cwd: "/w", roots: ["/w"] };
    const seen: unknown[] = [];
    const { executor } = makeExecutor(
      [tool("t", (_input, context) => seen.push(context.workspace, context.sessionId, context.callId))],
      { workspace },
    );
    await executor.execute("t", {}, { sessionId: "s", callId: "c" });
    await executor.execute("t", {}, { sessionId: "s", callId: "c", workspace: { cwd: "/v", roots: [] } });
    expect(seen).toEqual([workspace, "s", "c", { cwd: "/v", roots: [] }, "s", "c"]);
  });

  it("disposes the state of a call without a conversation, and keeps that of a conversation", async () => {
    const closed: string[] = [];
    const key = sessionKey("t/v", { create: ({ sessionId }) => sessionId, dispose: (id) => void closed.push(id) });
    const { executor } = makeExecutor([tool("t", (_input, { session }) => session.get(key))]);
    await executor.execute("t", {}, { sessionId: "alone" });
    await vi.waitFor(() => expect(closed).toEqual(["alone"]));
    await using session = new SessionStore("kept");
    await executor.execute("t", {}, { session });
    await executor.execute("t", {}, { session });
    expect(closed).toEqual(["alone"]);
  });

  it("refuses a tool whose type nobody runs, before anything of it is asked or loaded", async () => {
    const approver = vi.fn();
    const remote = {
      ...add,
      spec: { ...add.spec, type: "remote", metadata: { ...add.spec.metadata, requiresApproval: true } },
    } as Tool;
    const { executor } = makeExecutor([remote], { approver });
    expect(await executor.execute("add", { a: 1, b: 2 })).toMatchObject({
      code: "executor_missing",
      suggestion: expect.stringContaining("registerExecutor"),
    });
    expect(approver).not.toHaveBeenCalled();
  });

  it("runs a type by the executor registered for it, streams included, and closes it", async () => {
    const remote = { ...add, spec: { ...add.spec, type: "remote" } } as Tool;
    const close = vi.fn(async () => undefined);
    const { executor, typesOf } = makeExecutor([remote]);
    executor.registerExecutor("remote", {
      async *execute({ input }) {
        yield "far away";
        return JSON.stringify(input);
      },
      close,
    });
    expect(await executor.execute("add", { a: 1, b: 2 }, { callId: "c" })).toMatchObject({ value: '{"a":1,"b":2}' });
    expect(typesOf("c")).toEqual(["tool_call_start", "tool_output_chunk", "tool_call_end"]);
    await executor.close();
    expect(close).toHaveBeenCalledOnce();
  });

  it("does not run the tool's own code when its executor gives nothing", async () => {
    const ran = vi.fn();
    const { executor } = makeExecutor([tool("t", ran)], { executors: { function: { execute: () => undefined } } });
    expect(await executor.execute("t", {})).toMatchObject({ success: true });
    expect(ran).not.toHaveBeenCalled();
  });

  it("lets no listener change the outcome", async () => {
    const activity = new ActivityStream();
    activity.subscribe("*", () => {
      throw new Error("listener");
    });
    const { executor } = makeExecutor([add], {
      activity,
      log: {
        debug() {},
        info() {},
        warn() {},
        error() {
          throw new Error("log");
        },
      },
    });
    expect(await executor.execute("add", { a: 1, b: 2 })).toMatchObject({ value: 3 });
    expect(await executor.execute("nope", {})).toMatchObject({ code: "tool_not_found" });
  });

  it("runs 200 calls at once, each with its own result and events, on one signal without a warning", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    const { executor, typesOf } = makeExecutor([
      tool("t", async (input) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return input;
      }),
    ]);
    const { signal } = new AbortController();
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, n) => executor.execute("t", { n }, { callId: `c${n}`, signal })),
    );
    expect(results.map((result) => result.success && result.value)).toEqual(
      Array.from({ length: 200 }, (_, n) => ({ n })),
    );
    for (let n = 0; n < 200; n += 1) expect(typesOf(`c${n}`)).toEqual(["tool_call_start", "tool_call_end"]);
    await new Promise((resolve) => setImmediate(resolve));
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
    expect(executor.running).toBe(0);
  });

  it("refuses a running call's id under another one, and takes it again afterwards", async () => {
    const { executor, typesOf } = makeExecutor([untilAborted, add]);
    const stop = new AbortController();
    const first = executor.execute("wait", {}, { callId: "c", signal: stop.signal });
    const second = await executor.execute("add", { a: 1, b: 2 }, { callId: "c" });
    expect(second).toMatchObject({ code: "conflict", error: expect.stringContaining('"c"') });
    expect(second.call.callId).not.toBe("c");
    expect(typesOf(second.call.callId)).toEqual(["tool_call_start", "error"]);
    stop.abort();
    expect(await first).toMatchObject({ status: "cancelled" });
    expect(typesOf("c")).toEqual(["tool_call_start", "error"]);
    expect(await executor.execute("add", { a: 1, b: 2 }, { callId: "c" })).toMatchObject({ value: 3 });
  });
});

describe("cancellation and time", () => {
  it("cancels a running call, and one that has not begun", async () => {
    const made = makeExecutor([untilAborted]);
    const { executor } = made;
    const stop = new AbortController();
    const running = executor.execute("wait", {}, { signal: stop.signal });
    await begun(made);
    stop.abort();
    expect(await running).toMatchObject({
      status: "cancelled",
      code: "cancelled",
      settled: true,
      call: { attempts: 1 },
    });
    expect(await executor.execute("wait", {}, { signal: stop.signal })).toMatchObject({
      status: "cancelled",
      call: { attempts: 0 },
    });
  });

  it("makes a ToolError given as reason the result", async () => {
    const { executor } = makeExecutor([untilAborted]);
    const signal = AbortSignal.abort(new ToolError("denied_by_policy", "Not on Sundays."));
    expect(await executor.execute("wait", {}, { signal })).toMatchObject({
      status: "denied",
      code: "denied_by_policy",
    });
    expect(await executor.execute("wait", {}, { signal: AbortSignal.timeout(5) })).toMatchObject({
      status: "timed_out",
      code: "timeout",
    });
  });

  it("times out what outlasts its limit, and says that a handler that never settles may still run", async () => {
    const { executor, typesOf } = makeExecutor([tool("t", hang, { timeoutMs: 10 })], { limits: { graceMs: 5 } });
    const result = await executor.execute("t", {}, { callId: "c" });
    expect(result).toMatchObject({
      status: "timed_out",
      code: "timeout",
      retryable: true,
      settled: false,
      error: expect.stringContaining("Timed out after 10 ms"),
    });
    expect(typesOf("c")).toEqual(["tool_call_start", "error"]);
    expect(executor.running).toBe(0);
  });

  it("ignores what a handler resolves or throws after its call timed out", async () => {
    for (const end of ["resolve", "reject"] as const) {
      const { promise, ...late } = Promise.withResolvers<unknown>();
      const { executor, typesOf } = makeExecutor([tool("t", () => promise, { timeoutMs: 5 })], {
        limits: { graceMs: 5 },
      });
      expect(await executor.execute("t", {}, { callId: "c" })).toMatchObject({ status: "timed_out" });
      late[end](new Error("late"));
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(typesOf("c")).toEqual(["tool_call_start", "error"]);
    }
  });

  it.each([
    [{ tool: 10, host: 60_000, caller: undefined }, 10],
    [{ tool: undefined, host: 10, caller: undefined }, 10],
    [{ tool: undefined, host: 60_000, caller: 10 }, 10],
    [{ tool: 10, host: undefined, caller: 60_000 }, 10],
    [{ tool: 10, host: undefined, caller: Number.NaN }, 10],
    [{ tool: 10, host: undefined, caller: -1 }, 10],
  ])("takes the limit of %j", async ({ tool: own, host, caller }, expected) => {
    const { executor } = makeExecutor([tool("t", hang, own === undefined ? {} : { timeoutMs: own })], {
      limits: { graceMs: 1, ...(host !== undefined && { timeoutMs: host }) },
    });
    const result = await executor.execute("t", {}, caller === undefined ? {} : { timeoutMs: caller });
    expect(result).toMatchObject({ error: expect.stringContaining(`after ${expected} ms`) });
  });

  it("ends a call whose code never loads", async () => {
    const lazy = { ...add, load: hang } as unknown as Tool;
    const { executor } = makeExecutor([lazy], { limits: { preparationMs: 10 } });
    expect(await executor.execute("add", { a: 1, b: 2 })).toMatchObject({
      status: "timed_out",
      error: expect.stringContaining("before the tool started"),
      call: { attempts: 0 },
    });
  });

  it("ends the calls of a conversation with it", async () => {
    const made = makeExecutor([untilAborted]);
    const { executor } = made;
    const session = new SessionStore("s");
    const running = executor.execute("wait", {}, { session });
    await begun(made);
    await session[Symbol.asyncDispose]();
    expect(await running).toMatchObject({ status: "cancelled", error: expect.stringContaining("has ended") });
    expect(await executor.execute("wait", {}, { session })).toMatchObject({ status: "cancelled" });
  });
});

describe("nested calls", () => {
  const calls = (name: string, inner: string, input: unknown = {}): Tool =>
    tool(name, async (_input, context) => (await context.callTool(inner, input)) as unknown);

  it("run under the same policy, as children of the call that makes them", async () => {
    const danger = defineTool({
      name: "danger",
      description: "Destroys.",
      input: z.strictObject({}),
      effects: { destructive: true },
      execute: () => "done",
    });
    const { executor, events } = makeExecutor([
      calls("outer", "add", { a: 1, b: 2 }),
      calls("bad", "danger"),
      add,
      danger,
    ]);
    const principal = { id: "ada" };
    const result = await executor.execute("outer", {}, { callId: "o", sessionId: "s", turn: 2, principal });
    expect(result).toMatchObject({ value: { success: true, value: 3, call: { sessionId: "s", turn: 2, principal } } });
    const inner = events.filter(({ data }) => data.toolName === "add");
    expect(inner.map(({ type, parentCallId }) => [type, parentCallId])).toEqual([
      ["tool_call_start", "o"],
      ["tool_call_end", "o"],
    ]);
    expect(await executor.execute("bad", {})).toMatchObject({ value: { success: false, code: "approval_required" } });
  });

  it("answer an unknown name with a result", async () => {
    const { executor } = makeExecutor([calls("outer", "nope")]);
    expect(await executor.execute("outer", {})).toMatchObject({ success: true, value: { code: "tool_not_found" } });
  });

  it("go only so deep", async () => {
    let depth = 0;
    const { executor } = makeExecutor([
      tool("deep", async (_input, context) => {
        depth += 1;
        const inner = await context.callTool("deep", {});
        return inner.success ? inner.value : inner.code;
      }),
    ]);
    expect(await executor.execute("deep", {})).toMatchObject({ value: "denied_by_policy" });
    expect(depth).toBe(11);
  });

  it("are cancelled with the call that made them, and refused once it has ended", async () => {
    let callTool: ((name: string, input: unknown) => Promise<unknown>) | undefined;
    const made = makeExecutor([
      untilAborted,
      add,
      tool("outer", async (_input, context) => {
        callTool = context.callTool;
        return await context.callTool("wait", {});
      }),
      tool("leave", async (_input, context) => {
        void context.callTool("wait", {});
        return "left";
      }),
    ]);
    const { executor, events } = made;
    const stop = new AbortController();
    const running = executor.execute("outer", {}, { signal: stop.signal });
    await begun(made);
    stop.abort();
    expect(await running).toMatchObject({ status: "cancelled" });
    expect(await callTool?.("add", { a: 1, b: 2 })).toMatchObject({ status: "cancelled", call: { attempts: 0 } });
    expect(await executor.execute("leave", {})).toMatchObject({ value: "left" });
    await vi.waitFor(() => expect(executor.running).toBe(0));
    const starts = events.filter(({ type }) => type === "tool_call_start");
    const ends = events.filter(({ type }) => type === "tool_call_end" || type === "error");
    expect(ends.map(({ callId }) => callId).toSorted()).toEqual(starts.map(({ callId }) => callId).toSorted());
  });
});

describe("authorize", () => {
  it("tells nobody and runs nothing", async () => {
    const ran = vi.fn();
    const { executor, events } = makeExecutor([tool("t", ran)]);
    expect(await executor.authorize("t", {})).toMatchObject({
      decision: "allow",
      toolId: "t",
      effects: { readOnly: true },
    });
    expect(events).toEqual([]);
    expect(ran).not.toHaveBeenCalled();
    expect(executor.running).toBe(0);
  });

  it("says what is wrong with a call that could not run", async () => {
    const { executor } = makeExecutor([add]);
    expect(await executor.authorize("add", { a: 1 })).toMatchObject({
      decision: "invalid",
      code: "invalid_input",
      reason: expect.stringContaining("b"),
    });
    expect(await executor.authorize("ad", {})).toMatchObject({
      decision: "invalid",
      code: "tool_not_found",
      suggestion: expect.stringContaining("add"),
    });
  });
});

describe("close", () => {
  it("ends what runs, refuses what comes, and leaves nothing", async () => {
    const stuck = tool("stuck", (_input, { emitOutput }) => {
      emitOutput("started");
      return hang();
    });
    const made = makeExecutor([untilAborted, add, stuck], { limits: { graceMs: 20 } });
    const { executor, typesOf } = made;
    const running = [executor.execute("wait", {}, { callId: "a" }), executor.execute("stuck", {}, { callId: "b" })];
    await begun(made, 2);
    await executor.close();
    expect(executor.running).toBe(0);
    expect(await Promise.all(running)).toMatchObject([
      { status: "cancelled", settled: true },
      { status: "cancelled", settled: false },
    ]);
    expect(await executor.execute("add", { a: 1, b: 2 }, { callId: "c" })).toMatchObject({
      status: "cancelled",
      error: expect.stringContaining("closed"),
    });
    expect(typesOf("c")).toEqual(["tool_call_start", "error"]);
    expect(await executor.authorize("add", { a: 1, b: 2 })).toMatchObject({ decision: "invalid" });
  });

  it("waits no longer than its bounds for state and executors that hang", async () => {
    const key = sessionKey("t/v", { create: () => 1, dispose: hang });
    const { executor } = makeExecutor([tool("t", (_input, { session }) => session.get(key))], {
      limits: { graceMs: 10 },
      executors: { other: { execute: () => 1, close: hang } },
    });
    expect(await executor.execute("t", {})).toMatchObject({ value: 1 });
    await executor[Symbol.asyncDispose]();
  });
});
