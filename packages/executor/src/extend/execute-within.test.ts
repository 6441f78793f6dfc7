import { AsyncLocalStorage } from "node:async_hooks";
import { defineTool, ToolRegistry, type ToolLog, type TraceContext } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { makeExecutor } from "../__fixtures__/make-executor.ts";
import { UnifiedToolExecutor } from "../unified-tool-executor.ts";
import type { CallEvent } from "../call/call-event.ts";
import type { Extension } from "./extension.ts";

const ambient = new AsyncLocalStorage<string>();

const where = defineTool({
  name: "where",
  description: "Says in which context it runs.",
  effects: "pure",
  input: z.object({}),
  execute: async () => {
    await Promise.resolve();
    return ambient.getStore() ?? "nowhere";
  },
});

const stream = defineTool({
  name: "stream",
  description: "Streams, and says in which context it ends.",
  effects: "pure",
  input: z.object({}),
  async *execute() {
    yield "a chunk";
    await Promise.resolve();
    return ambient.getStore() ?? "nowhere";
  },
});

const trace = defineTool({
  name: "trace",
  description: "Tells the trace it was given.",
  effects: "pure",
  input: z.object({}),
  execute: async (_input, context) => {
    const nested = await context.callTool("inner", {});
    return { own: context.traceContext ?? null, nested: nested.success ? nested.value : null };
  },
});

const inner = defineTool({
  name: "inner",
  description: "Tells the trace it was given, within another call.",
  effects: "pure",
  input: z.object({}),
  execute: (_input, context) => context.traceContext ?? null,
});

function recording(): { readonly log: ToolLog; readonly errors: unknown[] } {
  const errors: unknown[] = [];
  const none = (): void => undefined;
  return { errors, log: { debug: none, info: none, warn: none, error: (_text, fields) => void errors.push(fields) } };
}

describe("executeWithin", () => {
  it.each(["where", "stream"])("runs %s within what the extensions set up, the earlier ones outside", async (name) => {
    const order: string[] = [];
    const around = (label: string, stage: Extension["stage"]): Extension => ({
      name: label,
      stage,
      executeWithin: (_call, execute) => {
        order.push(label);
        ambient.run(label, execute);
      },
    });
    const { executor } = makeExecutor([where, stream], {
      extensions: [around("late", "execute"), around("early", "trace")],
    });
    expect(await executor.execute(name, {})).toMatchObject({ success: true, value: "late" });
    expect(order).toEqual(["early", "late"]);
    await executor.close();
  });

  it.each<readonly [string, NonNullable<Extension["executeWithin"]>]>([
    [
      "throws before the work",
      () => {
        throw new Error("no");
      },
    ],
    [
      "throws after the work began",
      (_call, execute) => {
        execute();
        throw new Error("no");
      },
    ],
    ["never runs the work", () => undefined],
    [
      "runs the work twice",
      (_call, execute) => {
        execute();
        execute();
      },
    ],
    [
      "runs the work too late",
      (_call, execute) => {
        setImmediate(() => {
          try {
            execute();
          } catch {
            /* refused */
          }
        });
      },
    ],
  ])("runs the work once and reports the extension that %s", async (_what, executeWithin) => {
    let runs = 0;
    const once = defineTool({
      name: "once",
      description: "Counts.",
      effects: "pure",
      input: z.object({}),
      execute: () => (runs += 1),
    });
    const { log, errors } = recording();
    const { executor } = makeExecutor([once], { log, extensions: [{ name: "bad", stage: "execute", executeWithin }] });
    expect(await executor.execute("once", {})).toMatchObject({ success: true, value: 1 });
    await new Promise(setImmediate);
    expect(runs).toBe(1);
    expect(errors).toEqual([expect.objectContaining({ extension: "bad" })]);
    await executor.close();
  });

  it("reports what an asynchronous hook rejects with, once, and leaves the tool's own failure to the tool", async () => {
    const { log, errors } = recording();
    const { executor } = makeExecutor([where], {
      log,
      extensions: [
        {
          name: "late",
          stage: "trace",
          executeWithin: ((_call, execute) => {
            execute();
            return Promise.reject(new TypeError("late"));
          }) as NonNullable<Extension["executeWithin"]>,
        },
      ],
    });
    expect(await executor.execute("where", {})).toMatchObject({ success: true });
    await executor.close();
    expect(errors).toEqual([expect.objectContaining({ extension: "late" })]);
  });

  it("can hide no failure of the tool", async () => {
    const fails = defineTool({
      name: "fails",
      description: "Fails.",
      effects: "pure",
      input: z.object({}),
      execute: () => {
        throw new Error("broken");
      },
    });
    const swallow: Extension = {
      name: "swallow",
      stage: "execute",
      executeWithin: (_call, execute) => {
        try {
          execute();
        } catch {
          // Kept to itself.
        }
      },
    };
    const { executor } = makeExecutor([fails], { extensions: [swallow] });
    expect(await executor.execute("fails", {})).toMatchObject({ success: false, code: "internal_error" });
    await executor.close();
  });
});

describe("onEvent", () => {
  it("tells of repairs where no stream listens, and of nothing that is only judged", async () => {
    const heard: string[] = [];
    const total = defineTool({
      name: "total",
      description: "Adds numbers.",
      effects: "pure",
      input: z.object({ numbers: z.array(z.number()) }),
      assess: (_input, context) => {
        context.emitOutput("looked");
        return { decision: "allow", reason: "It adds." };
      },
      execute: ({ numbers }) => numbers.length,
    });
    const registry = new ToolRegistry();
    registry.register(total);
    const executor = new UnifiedToolExecutor(registry, {
      extensions: [{ name: "ear", stage: "trace", onEvent: (_call, { type }) => void heard.push(type) }],
    });
    await executor.authorize("total", { numbers: "[1, 2]" });
    expect(heard).toEqual([]);
    expect(await executor.execute("total", { numbers: "[1, 2]" })).toMatchObject({ success: true, value: 2 });
    expect(heard[0]).toBe("tool_arguments_repaired");
    await executor.close();
  });

  it("tells of what happens in a call, and lets no fault of it through", async () => {
    const heard: CallEvent[] = [];
    const { log, errors } = recording();
    const { executor } = makeExecutor([stream], {
      log,
      extensions: [
        {
          name: "bad",
          stage: "trace",
          onEvent: () => {
            throw new Error("no");
          },
        },
        {
          name: "worse",
          stage: "trace",
          onEvent: () => Promise.reject(new Error("later")) as never,
        },
        { name: "good", stage: "trace", onEvent: (_call, event) => void heard.push(event) },
      ],
    });
    expect(await executor.execute("stream", {})).toMatchObject({ success: true });
    expect(heard).toEqual([{ type: "tool_output_chunk", data: { chunk: "a chunk", channel: "stdout" } }]);
    await new Promise(setImmediate);
    expect(errors).toEqual([
      expect.objectContaining({ extension: "bad" }),
      expect.objectContaining({ extension: "worse" }),
    ]);
    await executor.close();
  });
});

describe("traceContext", () => {
  const given: TraceContext = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" };

  it("is passed through to the tool and to what it calls", async () => {
    const { executor } = makeExecutor([trace, inner]);
    expect(await executor.execute("trace", {}, { traceContext: given })).toMatchObject({
      value: { own: given, nested: given },
    });
    expect(await executor.execute("trace", {})).toMatchObject({ value: { own: null, nested: null } });
    await executor.close();
  });

  it("is what an extension makes it", async () => {
    const own = (callId: string): TraceContext => ({ traceparent: `00-of-${callId}` });
    const { executor } = makeExecutor([trace, inner], {
      extensions: [
        { name: "tracer", stage: "trace", beforeExecute: (call) => call.setTraceContext(() => own(call.toolName)) },
      ],
    });
    expect(await executor.execute("trace", {}, { traceContext: given })).toMatchObject({
      value: { own: own("trace"), nested: own("inner") },
    });
    await executor.close();
  });
});
