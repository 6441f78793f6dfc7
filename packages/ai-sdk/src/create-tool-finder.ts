import { createFindTools } from "@aiw/core";
import { ToolManager } from "@aiw/executor";
import type { ModelMessage } from "ai";
import { offerAll, type OfferedTool, type OfferOptions } from "./offer-tools.ts";

/** Chooses the tools of the next step. */
export type PrepareStep = (step: { readonly messages: readonly ModelMessage[] }) => { readonly activeTools: string[] };

/** A way to the tools that are not offered from the start. */
export interface ToolFinder {
  /** The tool that finds, in the shape of the others. */
  readonly offered: readonly OfferedTool[];
  readonly activeTools: string[];
  readonly prepareStep: PrepareStep;
}

/** Found tools that are offered at once at most, the newest; with `always` a request stays within what providers take. */
const MAX_FOUND = 64;

/**
 * Makes the tool that finds a conversation's tools, and the choice of what to offer: it, what is always offered, what the messages say was found.
 * @throws AiwError `tool_not_found` for a name in `always` that no tool has.
 */
export function createToolFinder(
  tools: ToolManager,
  offered: readonly OfferedTool[],
  { always, ...options }: OfferOptions & { readonly always: readonly string[] },
): ToolFinder {
  const name = freeName(tools);
  const wireNames = new Map(offered.map(({ definition, target }) => [target.name, definition.name]));
  // What was handed over is all that the framework can call: not what the format cannot say, nor what came later.
  const finder = createFindTools(tools.catalog, { name, isCallable: (known) => wireNames.has(known) });
  // A conversation beside: the registry keeps its tools and other hosts see no change, while events arrive in one place.
  const beside = new ToolManager([finder], tools.activity, { sessionId: tools.sessionId });
  const own = offerAll(beside, options);
  const finders = own.map(({ definition }) => definition.name);
  const toWire = (names: readonly string[]): string[] => names.flatMap((known) => wireNames.get(known) ?? []);
  const wanted = always.map((wish) => tools.catalog.getTool(wish).spec.name);
  const activeTools = [...new Set([...toWire(wanted), ...finders])];
  return {
    offered: own,
    activeTools,
    prepareStep: ({ messages }) => ({
      activeTools: [...new Set([...activeTools, ...toWire(findNamesIn(messages, finders))])],
    }),
  };
}

/** A project may have a tool of that name; both must be callable. */
function freeName({ registry }: ToolManager): string {
  let name = "find_tools";
  for (let count = 2; registry.has(name); count += 1) name = `find_tools_${count}`;
  return name;
}

/** What was found in a conversation, newest first: messages are all that a later run, or another process, has of it. */
function findNamesIn(messages: readonly ModelMessage[], finders: readonly string[]): string[] {
  const names = new Set<string>();
  for (const message of messages.toReversed()) {
    if (message.role !== "tool") continue;
    for (const part of message.content.toReversed()) {
      if (part.type !== "tool-result" || !finders.includes(part.toolName) || part.output.type !== "json") continue;
      for (const name of readNames(part.output.value)) if (names.size < MAX_FOUND) names.add(name);
    }
  }
  return [...names];
}

function readNames(value: unknown): string[] {
  if (typeof value !== "object" || value === null || !("tools" in value) || !Array.isArray(value.tools)) return [];
  return (value.tools as unknown[]).flatMap((found) => {
    if (typeof found !== "object" || found === null || !("name" in found)) return [];
    return typeof found.name === "string" ? [found.name] : [];
  });
}
