import { defineTool, ToolError, ToolRegistry, ActivityStream, type ActivityEvent, type Tool } from "@aiw/core";
import { ToolManager, UnifiedToolExecutor, type UnifiedToolExecutorOptions } from "@aiw/executor";
import { z } from "zod";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number().default(1) }),
  effects: "pure",
  execute: ({ a, b }) => ({ sum: a + b }),
});

const greet = defineTool({
  name: "greet",
  description: "Greets.",
  input: z.object({}),
  effects: "pure",
  instructions: { examples: [{ when: "greet", input: {} }] },
  execute: () => "hello",
});

const fail = defineTool({
  name: "fail",
  description: "Fails in the way that is asked for.",
  input: z.object({ how: z.enum(["tool_error", "crash"]) }),
  effects: "pure",
  execute: ({ how }): string => {
    if (how === "crash") throw new TypeError("broken inside");
    throw new ToolError("not_found", "File not found: a.ts", { suggestion: 'fail(how="crash")', details: { nearest: ["b.ts"] } });
  },
});

const count = defineTool({
  name: "count",
  description: "Counts aloud.",
  input: z.object({ to: z.number(), pause_ms: z.number().default(0) }),
  effects: "pure",
  async *execute({ to, pause_ms }, context) {
    for (let index = 1; index <= to; index += 1) {
      yield `${index}\n`;
      context.emitProgress({ progress: index, total: to });
      if (pause_ms > 0) await new Promise((resolve) => setTimeout(resolve, pause_ms));
    }
    return { counted: to };
  },
});

const wait = defineTool({
  name: "wait",
  description: "Waits until it is stopped.",
  input: z.object({}),
  effects: "pure",
  execute: (_input, { signal }) =>
    new Promise<string>((_resolve, reject) => {
      const timer = setInterval(() => undefined, 1000);
      signal.addEventListener("abort", () => {
        clearInterval(timer);
        reject(signal.reason as Error);
      });
    }),
});

const picture = defineTool({
  name: "picture",
  description: "Draws.",
  input: z.object({}),
  effects: "pure",
  execute: () => ({ title: "dot", attachments: [{ type: "image", media_type: "image/png", data: "iVBORw0KGgo=", name: "dot.png" }] }),
});

/** What `remove` removed, newest last. */
export const removed: string[] = [];

const remove = defineTool({
  name: "remove",
  description: "Deletes.",
  input: z.object({ path: z.string() }),
  effects: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  execute: ({ path }) => {
    removed.push(path);
    return { removed: path };
  },
});

/** Every sample tool, by name in no order. */
export const all: readonly Tool[] = [add, greet, fail, count, wait, picture, remove];

/** A conversation with the sample tools, and every event of it. */
export function openSample(options: UnifiedToolExecutorOptions = {}, tools: readonly Tool[] = all): { readonly manager: ToolManager; readonly events: ActivityEvent[] } {
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  const manager = new ToolManager(new UnifiedToolExecutor(registry, options), new ActivityStream());
  const events: ActivityEvent[] = [];
  manager.activity.subscribe("*", (event) => events.push(event));
  removed.length = 0;
  return { manager, events };
}

/** The terminal events of a call: there must be exactly one. */
export function endsOf(events: readonly ActivityEvent[], callId: string): ActivityEvent[] {
  return events.filter((event) => event.callId === callId && (event.type === "tool_call_end" || event.type === "error"));
}
