import { CONTRACT_VERSION, isGenerator, TOOL_BRAND, type Tool } from "../contract/tool.ts";
import type { ToolContext } from "../contract/tool-context.ts";
import type { ToolEntry } from "../contract/tool-source.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";

/** One tool an entry, whoever asks for it. */
const tools = new WeakMap<ToolEntry, Tool>();

/** Gives the tool of an entry; undefined while its definition is unknown. */
export function toTool(entry: ToolEntry): Tool | undefined {
  const known = tools.get(entry);
  if (known !== undefined || entry.spec === undefined) return known;
  const tool = toLazyTool(entry, entry.spec);
  tools.set(entry, tool);
  return tool;
}

/** Says which tool an entry has, where it is at hand. */
export function rememberTool(entry: ToolEntry, tool: Tool): void {
  tools.set(entry, tool);
}

/** The code loads when it is first needed. */
function toLazyTool(entry: ToolEntry, spec: ToolSpec): Tool {
  const load = (): Promise<Tool> => entry.load();
  return Object.freeze({
    [TOOL_BRAND]: true as const,
    contractVersion: CONTRACT_VERSION,
    spec,
    load,
    parseInput: async (value: unknown) => (await (await load()).parseInput?.(value)) ?? { value },
    parseOptions: async (value: unknown) => (await (await load()).parseOptions?.(value)) ?? { value },
    execute: async (input: unknown, context: ToolContext<unknown>) => executeLoaded(await load(), input, context),
    ...(spec.metadata.assess === true && {
      assess: async (input: unknown, context: ToolContext<unknown>) =>
        (await (await load()).assess?.(input, context)) ?? {
          decision: "ask" as const,
          reason: "The tool promises a verdict on its arguments but has none.",
        },
    }),
  });
}

/** Streams by itself: whether the tool is a generator is not known before it is loaded. */
async function executeLoaded(tool: Tool, input: unknown, context: ToolContext<unknown>): Promise<unknown> {
  const output: unknown = await tool.execute(input, context);
  if (!isGenerator(output)) return output;
  for (;;) {
    const step = await output.next();
    if (step.done === true) return step.value;
    context.emitOutput(String(step.value));
  }
}
