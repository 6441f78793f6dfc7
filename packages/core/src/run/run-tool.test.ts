import { describe, expect, it } from "vitest";
import { z } from "zod";
import { TOOL_BRAND, type Tool } from "../contract/tool.ts";
import type { ToolContext } from "../contract/tool-context.ts";
import { defineTool } from "../define/define-tool.ts";
import { defineToolPackage } from "../define/define-tool-package.ts";
import { sessionKey } from "../define/session-key.ts";
import { ToolError } from "../errors/tool-error.ts";
import { createCallContext } from "./call-context.ts";
import { executeCall } from "./execute-call.ts";
import { runTool } from "./run-tool.ts";
import { SessionStore } from "./session-store.ts";
import { validateCall } from "./validate-call.ts";

const facts = { name: "t", description: "T.", effects: "pure" } as const;

function throwing(thrown: unknown): Tool {
  return defineTool({
    ...facts,
    execute() {
      throw thrown;
    },
  });
}

describe("runTool", () => {
  it("ends a generator that yields what cannot be shown", async () => {
    let open = true;
    const tool = defineTool({
      ...facts,
      async *execute() {
        try {
          yield Object.create(null) as string;
        } finally {
          open = false;
        }
      },
    });
    expect(await runTool(tool, {})).toMatchObject({ success: false, code: "internal_error" });
    expect(open).toBe(false);
  });

  it("waits for schemas of authors that promise by a thenable of their own", async () => {
    const later = <Value>(value: Value): Promise<Value> =>
      ({ then: (keep: (value: Value) => unknown) => void setTimeout(keep, 0, value) }) as never;
    const schema = <Result extends object>(result: Result) => ({
      "~standard": {
        version: 1 as const,
        vendor: "test",
        validate: () => later(result),
        jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) },
      },
    });
    const refused = defineTool({
      ...facts,
      input: schema({ issues: [{ message: "not today", path: ["day"] }] }) as never,
      execute: () => 1,
    });
    expect(await runTool(refused, {})).toMatchObject({ success: false, code: "invalid_input" });
    const admitted = defineTool({ ...facts, input: schema({ value: { day: 1 } }) as never, execute: (input) => input });
    expect(await runTool(admitted, {})).toMatchObject({ success: true, value: { day: 1 } });
    const plain = defineTool({ ...facts, execute: () => 1 });
    const parsing: Tool = { ...(plain as Tool), parseOutput: () => later({ value: 2 }) };
    expect(await runTool(parsing, {})).toMatchObject({ success: true, value: 2 });
  });

  it("gives the value with a record of the call", async () => {
    const result = await runTool(
      defineTool({ ...facts, execute: () => 42 }),
      {},
      { callId: "c1", sessionId: "s1", principal: { id: "ada" } },
    );
    expect(result).toEqual({
      success: true,
      status: "ok",
      error: "",
      value: 42,
      preview: ["42"],
      call: {
        callId: "c1",
        toolId: "t",
        toolName: "t",
        sessionId: "s1",
        principal: { id: "ada" },
        definitionHash: expect.stringMatching(/^sha256-[\w+/]{43}=$/),
        startedAt: expect.any(Number),
        durationMs: expect.any(Number),
        attempts: 1,
      },
    });
  });

  it("hands the author's schema's output to execute, and fills defaults of raw schemas", async () => {
    const zod = defineTool({
      ...facts,
      input: z.object({ n: z.string().transform(Number), m: z.int().default(2) }),
      inputSchema: { type: "object", properties: { n: { type: "string" }, m: { type: "integer" } } },
      execute: ({ n, m }) => [n, m],
    });
    expect(await runTool(zod, { n: "5" })).toMatchObject({ value: [5, 2] });
    const raw = defineTool({
      ...facts,
      input: { type: "object", properties: { m: { type: "integer", default: 3 } } },
      execute: ({ m }) => m,
    });
    expect(await runTool(raw, {})).toMatchObject({ value: 3 });
  });

  it("says in the author's words what only the author's schema refuses", async () => {
    const tool = defineTool({
      ...facts,
      input: z.object({ n: z.number().refine((n) => n !== 13, "13 brings bad luck") }),
      execute: ({ n }) => n,
    });
    expect(await runTool(tool, { n: 13 })).toMatchObject({
      code: "invalid_input",
      error: expect.stringContaining("13 brings bad luck"),
    });
  });

  it.each([
    [
      "a ToolError",
      new ToolError("not_found", "No such thing.", { suggestion: "t()", details: { near: ["x"] } }),
      {
        status: "error",
        error_type: "user_error",
        code: "not_found",
        error: "t(): No such thing.",
        suggestion: "t()",
        details: { near: ["x"] },
      },
    ],
    [
      "an Error, without stack or folders",
      new TypeError("cannot open /srv/secret/place/file.txt"),
      {
        code: "internal_error",
        error_type: "system_error",
        error: "t(): The tool failed unexpectedly: TypeError: cannot open …/file.txt",
      },
    ],
    ["a string", "boom", { code: "internal_error", error: "t(): The tool failed unexpectedly: string boom" }],
    ["null", null, { code: "internal_error" }],
    ["undefined", undefined, { code: "internal_error" }],
    [
      "an error whose message throws",
      Object.defineProperty(new Error("x"), "message", {
        get() {
          throw new Error("y");
        },
      }),
      { code: "internal_error", error: "t(): The tool failed unexpectedly: something that cannot be described" },
    ],
  ])("turns what was thrown into a result: %s", async (_what, thrown, expected) => {
    expect(await runTool(throwing(thrown), {})).toMatchObject({ success: false, settled: true, ...expected });
  });

  it("streams what a generator yields, plain generators too", async () => {
    const chunks: string[] = [];
    const onOutput = (chunk: string): void => void chunks.push(chunk);
    const asynchronous = defineTool({
      ...facts,
      async *execute() {
        yield "a";
        yield "b";
        return 1;
      },
    });
    expect(await runTool(asynchronous, {}, { onOutput })).toMatchObject({ value: 1 });
    const plain = defineTool({
      ...facts,
      *execute() {
        yield "c";
        return 2;
      },
    });
    expect(await runTool(plain, {}, { onOutput })).toMatchObject({ value: 2 });
    expect(chunks).toEqual(["a", "b", "c"]);
  });

  it("checks the output against what the tool promises", async () => {
    const zod = defineTool({
      ...facts,
      output: z.object({ total: z.number() }),
      execute: () => ({ total: "many" }) as unknown as { total: number },
    });
    expect(await runTool(zod, {})).toMatchObject({ code: "invalid_output", error: expect.stringContaining("total") });
    const raw = defineTool({
      ...facts,
      output: { type: "object", properties: { total: { type: "number" } }, required: ["total"] },
      execute: () => ({}),
    });
    expect(await runTool(raw, {})).toMatchObject({ code: "invalid_output" });
  });

  it("does not start when cancelled before", async () => {
    let started = false;
    const tool = defineTool({ ...facts, execute: () => (started = true) });
    expect(await runTool(tool, {}, { signal: AbortSignal.abort() })).toMatchObject({
      status: "cancelled",
      code: "cancelled",
      settled: true,
      call: { attempts: 0 },
    });
    expect(started).toBe(false);
  });

  it("cancels a tool that listens, keeping the details it gives", async () => {
    const controller = new AbortController();
    const tool = defineTool({
      ...facts,
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () =>
            reject(new ToolError("cancelled", "stopped", { details: { output: "half" } })),
          );
        }),
    });
    const running = runTool(tool, {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    expect(await running).toMatchObject({ status: "cancelled", settled: true, details: { output: "half" } });
  });

  it("cancels a tool that is aborted while it begins, and one that never ends", async () => {
    for (const rest of [async (): Promise<string> => "done", (): Promise<string> => new Promise(() => undefined)]) {
      const controller = new AbortController();
      const tool = defineTool({
        ...facts,
        execute: (_input, { emitOutput }) => {
          emitOutput("begun");
          return rest();
        },
      });
      const call = await validateCall(tool as Tool, {});
      const environment = { signal: controller.signal, onOutput: () => controller.abort() };
      await using running = createCallContext(environment, call.options);
      const ended = executeCall(call, running.context, { graceMs: 5 });
      const late = new Promise((resolve) => setTimeout(resolve, 500, "no result"));
      await expect(Promise.race([ended, late])).rejects.toMatchObject({ code: "cancelled" });
    }
  });

  it("tells when work that went on after the grace has ended", async () => {
    const work = Promise.withResolvers<string>();
    const controller = new AbortController();
    const call = await validateCall(defineTool({ ...facts, execute: () => work.promise }) as Tool, {});
    await using running = createCallContext({ signal: controller.signal }, call.options);
    const told: Promise<void>[] = [];
    const onUnsettled = (ended: Promise<void>): void => void told.push(ended);
    const ended = executeCall(call, running.context, { graceMs: 1, onUnsettled });
    controller.abort();
    await expect(ended).rejects.toMatchObject({ code: "cancelled", settled: false });
    expect(told).toHaveLength(1);
    work.reject(new Error("late"));
    await expect(told[0]).resolves.toBeUndefined();
  });

  it("tells the tool the key under which its work is to be done once", async () => {
    const keys: unknown[] = [];
    const tool = defineTool({ ...facts, execute: (_input, { idempotencyKey }) => keys.push(idempotencyKey) });
    await runTool(tool, {}, { idempotencyKey: "order-1" });
    await runTool(tool, {});
    expect(keys).toEqual(["order-1", undefined]);
  });

  it("keeps the value of a call whose state cannot be closed, and says so", async () => {
    const errors: string[] = [];
    const log = { debug() {}, info() {}, warn() {}, error: (message: string) => void errors.push(message) };
    const sticky = sessionKey("test/sticky", {
      create: () => 1,
      dispose: () => {
        throw new Error("stuck");
      },
    });
    const tool = defineTool({ ...facts, execute: (_input, { session }) => session.get(sticky) });
    expect(await runTool(tool, {}, { log })).toMatchObject({ success: true, value: 1 });
    expect(errors).toEqual(["State of a call could not be closed."]);
  });

  it("ends a call whatever the host's log does", async () => {
    const log = {
      debug() {},
      info() {},
      warn() {},
      error: () => {
        throw new Error("full disk");
      },
    };
    expect(await runTool(throwing(new Error("x")), {}, { log })).toMatchObject({ code: "internal_error" });
  });

  it.each([null, {}, { spec: { name: "x" }, execute: () => 1 }])("refuses %j, which is no tool", async (given) => {
    await expect(runTool(given as unknown as Tool, {})).rejects.toMatchObject({
      code: "tool_definition_invalid",
      fix: expect.stringContaining("defineTool"),
    });
  });

  it("lets the reason of the abort be the result", async () => {
    const controller = new AbortController();
    const tool = defineTool({ ...facts, execute: () => new Promise((resolve) => setTimeout(resolve, 50)) });
    const running = runTool(tool, {}, { signal: controller.signal });
    setTimeout(() => controller.abort(new ToolError("timeout", "Timed out after 5 ms.")), 5);
    expect(await running).toMatchObject({
      status: "timed_out",
      settled: true,
      retryable: true,
      error: expect.stringContaining("its effects stand"),
    });
  });

  it("stops a generator between chunks, running its finally", async () => {
    const controller = new AbortController();
    let cleaned = false;
    const tool = defineTool({
      ...facts,
      async *execute() {
        try {
          for (;;) {
            yield "tick";
            await new Promise((resolve) => setTimeout(resolve, 1));
          }
        } finally {
          cleaned = true;
        }
      },
    });
    const running = runTool(tool, {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 10);
    expect(await running).toMatchObject({ status: "cancelled", settled: true });
    expect(cleaned).toBe(true);
  });

  it("can stop a generator that yields without a pause, plain ones too", async () => {
    for (const endless of [
      async function* () {
        for (;;) yield "x";
      },
      function* () {
        for (;;) yield "x";
      },
    ]) {
      const controller = new AbortController();
      let yields = 0;
      // Without turns for timers nothing could end this test either.
      const onOutput = (): void => {
        yields += 1;
        if (yields > 20_000_000) throw new Error("never stopped");
      };
      const tool = defineTool({ ...facts, execute: endless as unknown as () => AsyncGenerator<string, string> });
      setTimeout(() => controller.abort(), 5);
      expect(await runTool(tool, {}, { signal: controller.signal, onOutput })).toMatchObject({
        status: "cancelled",
        settled: true,
      });
    }
  });

  it("bounds what a tool tells, cutting no character in two", async () => {
    const told: unknown[][] = [];
    const progress = { progress: 1, total: 2, message: "m".repeat(5000), extra: "e".repeat(5000) };
    const tool = defineTool({
      ...facts,
      execute: (_input, { emitOutput, emitProgress }) => {
        emitOutput(`${"a".repeat(64 * 1024 - 1)}\u{1F600}b`, { channel: "c".repeat(5000) });
        emitProgress(progress);
        throw new ToolError("failed", "no", { suggestion: "s".repeat(50_000) });
      },
    });
    const result = await runTool(
      tool,
      {},
      {
        onOutput: (...output) => told.push(output),
        onProgress: (...said) => told.push(said),
      },
    );
    const channel = `${"c".repeat(63)}…`;
    expect(told).toEqual([
      ["a".repeat(64 * 1024 - 1), channel],
      ["\u{1F600}b", channel],
      [{ progress: 1, total: 2, message: `${"m".repeat(999)}…` }],
    ]);
    expect(result.success ? 0 : result.suggestion?.length).toBe(4000);
  });

  it("says of code that does not load where nothing of the host lies", async () => {
    const real = defineTool({ ...facts, execute: () => 1 });
    const lazy = {
      ...real,
      load: async () => {
        throw new Error("Cannot find module '/home/ada/project/x.js'");
      },
    } as Tool;
    const result = await runTool(lazy, {});
    expect(result).toMatchObject({ code: "load_failed", error: expect.stringContaining("x.js") });
    expect(result.error).not.toContain("ada");
  });

  it("loads a lazy tool's code only for arguments its schema admits", async () => {
    const real = defineTool({ ...facts, input: z.strictObject({ n: z.number() }), execute: ({ n }) => n + 1 });
    let loads = 0;
    const lazy: Tool = {
      [TOOL_BRAND]: true,
      contractVersion: 1,
      spec: real.spec,
      load: async () => ((loads += 1), real),
      execute: () => "never",
    };
    expect(await runTool(lazy, { m: 1 })).toMatchObject({ code: "invalid_input" });
    expect(loads).toBe(0);
    expect(await runTool(lazy, { n: 1 })).toMatchObject({ value: 2 });
    expect(await runTool(lazy, { n: 2 })).toMatchObject({ value: 3 });
    expect(loads).toBe(1);
  });

  it("refuses a tool of a newer contract", async () => {
    const newer: Tool = { ...defineTool({ ...facts, execute: () => 1 }), contractVersion: 99 };
    expect(await runTool(newer, {})).toMatchObject({
      code: "load_failed",
      error: expect.stringContaining("newer contract"),
    });
  });

  it("validates options by the package's schema and gives them to session values", async () => {
    const options = z.object({ url: z.url(), retries: z.int().default(2) });
    const connection = sessionKey("test/connection", {
      options,
      create: (context) => `${context.options.url}×${context.options.retries}`,
    });
    const { tools } = defineToolPackage({
      options,
      tools: [defineTool({ ...facts, execute: (_input, { session }: ToolContext) => session.get(connection) })],
    });
    const [tool] = tools;
    if (tool === undefined) throw new Error("no tool");
    expect(await runTool(tool, {}, { options: { url: "https://a.test" } })).toMatchObject({
      value: "https://a.test×2",
    });
    expect(await runTool(tool, {}, { options: { url: 5 } })).toMatchObject({
      code: "options_invalid",
      error: expect.stringContaining("url"),
    });
  });

  it("says of missing options what it says of missing arguments, and keeps an author's own words", async () => {
    const options = z.object({
      url: z.string(),
      auth: z.object({ key: z.string("Get a key at example.com.") }),
      retries: z.int(),
    });
    const [tool] = defineToolPackage({ options, tools: [defineTool({ ...facts, execute: () => 1 })] }).tools;
    if (tool === undefined) throw new Error("no tool");
    const { error } = (await runTool(tool, {}, { options: { auth: {}, retries: "x" } })) as { error?: string };
    expect(error).toContain("url: required, missing; auth.key: Get a key at example.com.; retries: Invalid input");
    expect(error).not.toContain("undefined");
  });

  it("keeps state in the conversation's store, and in one of its own without", async () => {
    const counter = sessionKey("test/counter", { create: () => ({ n: 0 }) });
    const tool = defineTool({
      ...facts,
      execute: async (_input, { session }) => ((await session.get(counter)).n += 1),
    });
    await using session = new SessionStore();
    await runTool(tool, {}, { session });
    expect(await runTool(tool, {}, { session })).toMatchObject({ value: 2 });
    expect(await runTool(tool, {})).toMatchObject({ value: 1 });
  });

  it("lets a tool take its context apart, and hears nothing of it after the end", async () => {
    const chunks: string[] = [];
    let late: ToolContext["emitOutput"] | undefined;
    const tool = defineTool({
      ...facts,
      execute: (_input, { emitOutput }) => {
        emitOutput("in time");
        late = emitOutput;
        return 1;
      },
    });
    await runTool(tool, {}, { onOutput: (chunk) => chunks.push(chunk) });
    late?.("too late");
    expect(chunks).toEqual(["in time"]);
  });

  it("answers nested calls and questions with failures where no host lends them", async () => {
    const tool = defineTool({
      ...facts,
      execute: async (_input, context) => (await context.callTool("other", { a: 1 })).error,
    });
    expect(await runTool(tool, {})).toMatchObject({
      value: expect.stringContaining("other(a=1): This call has no registry"),
    });
    const asking = defineTool({
      ...facts,
      execute: (_input, context) => context.requestInput("k", { message: "Sure?" }),
    });
    expect(await runTool(asking, {})).toMatchObject({
      code: "input_unavailable",
      error: expect.stringContaining("Sure?"),
    });
  });

  it("survives a preview that throws or lies", async () => {
    const preview = (): string[] => {
      throw new Error("p");
    };
    expect(await runTool(defineTool({ ...facts, execute: () => "a\nb\nc\nd", preview }), {})).toMatchObject({
      preview: ["a", "b", "c"],
    });
  });
});
