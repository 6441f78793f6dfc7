import {
  ActivityStream,
  BaseTool,
  createFindTools,
  defineTool,
  sessionKey,
  type Tool,
  type ToolResult,
} from "@aiw/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeExecutor } from "./__fixtures__/make-executor.ts";
import { ToolManager } from "./tool-manager.ts";

const log: string[] = [];
const counter = sessionKey("test/counter", {
  create: () => {
    log.push("created");
    return { n: 0 };
  },
  dispose: () => void log.push("disposed"),
});

const count = defineTool({
  name: "count",
  description: "Counts its calls.",
  input: z.strictObject({}),
  effects: "pure",
  instructions: { purpose: "Count." },
  execute: async (_input, { session }) => {
    const state = await session.get(counter);
    state.n += 1;
    return state.n;
  },
});

const wait = defineTool({
  name: "wait",
  description: "Waits until it is cancelled.",
  effects: "pure",
  execute: (_input, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error))),
});

function valueOf(result: ToolResult): unknown {
  return result.success ? result.value : result.code;
}

describe("ToolManager", () => {
  it("keeps state from call to call, apart from other conversations", async () => {
    const { executor } = makeExecutor([count]);
    await using first = new ToolManager(executor);
    await using second = new ToolManager(executor);
    expect(valueOf(await first.executeTool("count", {}))).toBe(1);
    expect(valueOf(await first.executeTool("count", {}))).toBe(2);
    expect(valueOf(await second.executeTool("count", {}))).toBe(1);
    expect(first.sessionId).not.toBe(second.sessionId);
  });

  it("tells its own stream of its own calls alone", async () => {
    const { executor, events } = makeExecutor([count]);
    const activity = new ActivityStream();
    const heard: string[] = [];
    activity.subscribe("*", ({ type, sessionId }) => heard.push(`${type} ${sessionId ?? ""}`));
    await using first = new ToolManager(executor, activity, { sessionId: "one" });
    await using second = new ToolManager(executor);
    await first.executeTool("count", {});
    await second.executeTool("count", {});
    expect(first.activity).toBe(activity);
    expect(heard).toEqual(["tool_call_start one", "tool_call_end one"]);
    expect(events).toHaveLength(4);
  });

  it("tells a stream it shares with the executor once", async () => {
    const { executor, events, activity } = makeExecutor([count]);
    await using tools = new ToolManager(executor, activity);
    await tools.executeTool("count", {});
    expect(events).toHaveLength(2);
  });

  it("keeps its principal and folders where a call says undefined", async () => {
    const seen: unknown[] = [];
    const look = defineTool({
      name: "look",
      description: "Looks.",
      effects: "pure",
      execute: (_input, { workspace, principal }) => void seen.push(workspace.cwd, principal?.id),
    });
    const { executor } = makeExecutor([look], { workspace: { cwd: "/", roots: ["/"] } });
    const options = { principal: { id: "ada" }, workspace: { cwd: "/home/ada", roots: ["/home/ada"] } };
    await using tools = new ToolManager(executor, undefined, options);
    await tools.executeTool("look", {}, { workspace: undefined, principal: undefined } as object);
    expect(seen).toEqual(["/home/ada", "ada"]);
  });

  it("closes the executor it made beside what it was told to own", async () => {
    const closed: string[] = [];
    const owns: AsyncDisposable = { [Symbol.asyncDispose]: async () => void closed.push("owned") };
    const tools = new ToolManager([], undefined, { owns });
    tools.executor.registerExecutor("x", { execute: () => 1, close: async () => void closed.push("executor") });
    await tools[Symbol.asyncDispose]();
    expect(closed).toEqual(["executor", "owned"]);
  });

  it("counts turns and says them in records", async () => {
    const { executor } = makeExecutor([count]);
    await using tools = new ToolManager(executor, undefined, { sessionId: "s", principal: { id: "ada" } });
    expect((await tools.executeTool("count", {})).call).toMatchObject({
      turn: 1,
      sessionId: "s",
      principal: { id: "ada" },
    });
    tools.clearCurrentTurn();
    expect((await tools.executeTool("count", {})).call.turn).toBe(2);
    expect(tools.turn).toBe(2);
  });

  it("ends calls and state with clearState, and goes on", async () => {
    log.length = 0;
    const { executor } = makeExecutor([count, wait]);
    await using tools = new ToolManager(executor, undefined, { sessionId: "s" });
    await tools.executeTool("count", {});
    const waiting = tools.executeTool("wait", {});
    await tools.clearState();
    expect(await waiting).toMatchObject({ status: "cancelled" });
    expect(log).toEqual(["created", "disposed"]);
    expect(valueOf(await tools.executeTool("count", {}))).toBe(1);
    expect(tools.sessionId).toBe("s");
  });

  it("waits for its calls when it is disposed, ends its state after them, and refuses later ones", async () => {
    const order: string[] = [];
    const slow = defineTool({
      name: "slow",
      description: "Stops slowly.",
      effects: "pure",
      execute: async (_input, { session, signal, emitOutput }) => {
        await session.get(sessionKey("test/slow", { create: () => 1, dispose: () => void order.push("state") }));
        emitOutput("started");
        await new Promise((resolve) => signal.addEventListener("abort", () => setTimeout(resolve, 10)));
        order.push("call");
      },
    });
    const { executor } = makeExecutor([slow]);
    const tools = new ToolManager(executor);
    const started = new Promise<void>((resolve) => tools.activity.subscribe("tool_output_chunk", () => resolve()));
    const running = tools.executeTool("slow", {});
    await started;
    await tools[Symbol.asyncDispose]();
    expect(await running).toMatchObject({ status: "cancelled" });
    expect(order).toEqual(["call", "state"]);
    expect(await tools.executeTool("slow", {})).toMatchObject({
      status: "cancelled",
      error: expect.stringContaining("has ended"),
    });
    await tools[Symbol.asyncDispose]();
    expect(await executor.execute("slow", {}, { signal: AbortSignal.timeout(5) })).toMatchObject({
      status: "timed_out",
    });
  });

  it("stands on a list of tools, classes included, and closes what it made", async () => {
    class Greet extends BaseTool<{ name: string }, string> {
      readonly name = "greet";
      readonly description = "Greets.";
      override readonly effects = "pure";
      override readonly inputSchema = {
        type: "object",
        properties: { name: { type: "string" } },
        required: ["name"],
      } as const;
      protected async executeImpl({ name }: { name: string }): Promise<string> {
        return `Hello, ${name}.`;
      }
    }
    const activity = new ActivityStream();
    const tools = new ToolManager([new Greet() as unknown as Tool, count], activity);
    const events: string[] = [];
    activity.subscribe("*", ({ type }) => events.push(type));
    expect(valueOf(await tools.executeTool("greet", { name: "Ada" }))).toBe("Hello, Ada.");
    expect(events).toEqual(["tool_call_start", "tool_call_end"]);
    expect(tools.getTool("greet")?.spec.name).toBe("greet");
    expect(tools.getTool("nope")).toBeUndefined();
    await tools[Symbol.asyncDispose]();
    expect(await tools.executor.execute("greet", { name: "Ada" })).toMatchObject({ status: "cancelled" });
  });

  it("offers definitions in the OpenAI shape, other formats by name, and the prompt's blocks", () => {
    const tools = new ToolManager([count]);
    expect(tools.getFunctionDefinitions()).toMatchObject([
      { type: "function", function: { name: "count", description: "Counts its calls." } },
    ]);
    expect(tools.getFunctionDefinitions({ only: [] })).toEqual([]);
    expect(tools.compileDefinitions({ only: ["nothing"] }).omitted).toMatchObject([{ name: "nothing" }]);
    expect(tools.getFunctionDefinitions({ format: "mcp" })).toMatchObject([
      { name: "count", inputSchema: { type: "object" } },
    ]);
    expect(tools.compileDefinitions().omitted).toEqual([]);
    expect(tools.getAllAiPromptInstructions()).toContain("**Tool: `count`**");
  });

  it("lets a host's own loop offer what a model has found", async () => {
    const draw = defineTool({ name: "draw", description: "Draws a circle.", effects: "pure", execute: () => "circle" });
    await using tools = new ToolManager([count, draw]);
    tools.registry.register(createFindTools(tools.catalog));
    const found = await tools.executeTool("find_tools", { query: "draw circles" });
    expect(valueOf(found)).toMatchObject({ tools: [{ name: "draw" }] });
    const { names } = tools.compileDefinitions({ only: ["find_tools", "draw"] });
    expect(names.wireNames).toEqual(["draw", "find_tools"]);
  });

  it("answers authorize and readFullResult as its executor does", async () => {
    const long = defineTool({ name: "long", description: "Long.", effects: "pure", execute: () => "x".repeat(40_000) });
    await using tools = new ToolManager([count, long]);
    expect(await tools.authorize("count", {})).toMatchObject({ decision: "allow" });
    expect(await tools.authorize("count", { a: 1 })).toMatchObject({ decision: "invalid" });
    const result = await tools.executeTool("long", {});
    if (!result.success || result.truncated === undefined) throw new Error("not truncated");
    expect(String(result.value).length).toBeLessThan(30_100);
    expect(await tools.readFullResult(result.truncated.fullResult)).toBe("x".repeat(40_000));
    expect(await tools.readFullResult("result:unknown")).toBeUndefined();
  });
});
