import { ActivityStream, defineTool, ToolError, ToolRegistry, type Tool } from "@aiw/core";
import { UnifiedToolExecutor, type Extension, type UnifiedToolExecutorOptions } from "@aiw/executor";
import { z } from "zod";

export const add: Tool = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  effects: "pure",
  execute: async ({ a, b }) => ({ sum: a + b }),
});

/** Unsafe: nobody says what it does. */
export const wipe: Tool = defineTool({
  name: "wipe",
  description: "Deletes everything.",
  input: z.object({ what: z.string() }),
  execute: ({ what }) => `wiped ${what}`,
});

/** Fails for the time being, as often as it is told. */
export function flaky(failures: number): Tool {
  let left = failures;
  return defineTool({
    name: "flaky",
    description: "Works sometimes.",
    input: z.object({}),
    effects: "pure",
    execute: () => {
      left -= 1;
      if (left >= 0) throw new ToolError("io_error", "The disk hiccuped over s3cr3t-path.");
      return "done";
    },
  });
}

/** Calls another tool. */
export const outer: Tool = defineTool({
  name: "outer",
  description: "Adds by another tool.",
  input: z.object({}),
  effects: "pure",
  execute: async (_input, context) => {
    const result = await context.callTool("add", { a: 1, b: 2 });
    return result.success ? "added" : "failed";
  },
});

export function makeHost(
  extension: Extension,
  options: Omit<UnifiedToolExecutorOptions, "extensions"> & { readonly tools?: readonly Tool[] } = {},
): { readonly executor: UnifiedToolExecutor; readonly activity: ActivityStream } {
  const { tools = [add, wipe, outer], ...rest } = options;
  const registry = new ToolRegistry();
  for (const tool of tools) registry.register(tool);
  const activity = options.activity ?? new ActivityStream();
  return { executor: new UnifiedToolExecutor(registry, { activity, ...rest, extensions: [extension] }), activity };
}
