import { create, insertMultiple, search as searchOrama } from "@orama/orama";
import { createEntry, ToolRegistry, toWireName, type ToolEntry, type ToolSpec } from "@aiw/core";
import FlexSearch from "flexsearch";
import MiniSearch from "minisearch";
import type { CollectedTool } from "./corpus.ts";

/** Answers a request with tool ids, best first. */
export type Ask = (request: string, limit: number) => Promise<string[]> | string[];

/** One way to search tools. */
export interface Contender {
  readonly name: string;
  /** Reads the tools; what it gives can be asked at once. */
  readonly open: (tools: readonly CollectedTool[]) => Promise<Ask> | Ask;
}

/** What every contender is given: names and descriptions, nothing else. */
export const CONTENDERS: readonly Contender[] = [
  { name: "aiw registry.search", open: (tools) => openRegistry(tools, toBareEntry) },
  { name: "minisearch 7.2.0, its defaults and fuzzy", open: openMiniSearch },
  { name: "orama 3.1.18, tolerance 1", open: openOrama },
  { name: "flexsearch 0.8.212, tokenize forward", open: openFlexSearch },
  { name: "token overlap", open: openOverlap },
  { name: "substring of any word", open: openSubstring },
];

/** Ours again, with what a registry knows besides: title, parameters, package. */
export const WHOLE: Contender = {
  name: "aiw registry.search, whole definitions",
  open: (tools) => openRegistry(tools, toWholeEntry),
};

async function openRegistry(
  tools: readonly CollectedTool[],
  toEntry: (tool: CollectedTool) => ToolEntry,
): Promise<Ask> {
  const entries = tools.map(toEntry);
  const registry = new ToolRegistry({ sources: [{ name: "collected", list: async () => entries }] });
  await registry.readSources();
  const ask: Ask = async (request, limit) => (await registry.search(request, { limit })).map(({ id }) => id);
  await ask("open", 1);
  return ask;
}

const EFFECTS = { readOnly: false, destructive: true, idempotent: false, openWorld: true };

function toBareEntry({ id, name: original, description }: CollectedTool): ToolEntry {
  const name = toWireName(original);
  const spec: ToolSpec = {
    name,
    description,
    type: "mcp",
    inputSchema: { type: "object" },
    metadata: { tags: [], effects: EFFECTS, permissions: [] },
  };
  return createEntry({ id, name, spec, origin: { source: "collected" }, load });
}

function toWholeEntry(tool: CollectedTool): ToolEntry {
  const { id, name, origin, spec } = toBareEntry(tool);
  const inputSchema = tool.inputSchema as ToolSpec["inputSchema"];
  const whole = { ...spec, ...(tool.title !== undefined && { title: tool.title }), inputSchema } as ToolSpec;
  return createEntry({ id, name, spec: whole, origin: { ...origin, package: tool.server }, load });
}

function load(): Promise<never> {
  return Promise.reject(new Error("Nothing is called here."));
}

function openMiniSearch(tools: readonly CollectedTool[]): Ask {
  const engine = new MiniSearch<CollectedTool>({ fields: ["name", "description"] });
  engine.addAll(tools);
  return (request, limit) =>
    engine
      .search(request, { fuzzy: 0.2, prefix: true, boost: { name: 2 } })
      .slice(0, limit)
      .map(({ id }) => String(id));
}

async function openOrama(tools: readonly CollectedTool[]): Promise<Ask> {
  const engine = create({ schema: { id: "string", name: "string", description: "string" } as const });
  await insertMultiple(
    engine,
    tools.map(({ id, name, description }) => ({ id, name: name.replaceAll(/[_-]/g, " "), description })),
  );
  return async (request, limit) => {
    const { hits } = await searchOrama(engine, {
      term: request,
      limit,
      properties: ["name", "description"],
      tolerance: 1,
      boost: { name: 2 },
    });
    return hits.map(({ id }) => id);
  };
}

function openFlexSearch(tools: readonly CollectedTool[]): Ask {
  const engine = new FlexSearch.Index({ tokenize: "forward", encoder: FlexSearch.Charset.LatinBalance });
  tools.forEach(({ name, description }, index) => engine.add(index, `${name.replaceAll(/[_-]/g, " ")} ${description}`));
  return (request, limit) =>
    engine.search(request, { limit, suggest: true }).map((index) => tools[Number(index)]?.id ?? "");
}

function openOverlap(tools: readonly CollectedTool[]): Ask {
  const bags = tools.map(({ id, name, description }) => ({ id, bag: new Set(splitWords(`${name} ${description}`)) }));
  return (request, limit) => {
    const words = [...new Set(splitWords(request))];
    return rank(
      bags.map(({ id, bag }) => ({ id, score: words.filter((word) => bag.has(word)).length })),
      limit,
    );
  };
}

function openSubstring(tools: readonly CollectedTool[]): Ask {
  const texts = tools.map(({ id, name, description }) => ({ id, text: `${name} ${description}`.toLowerCase() }));
  return (request, limit) => {
    const words = [...new Set(splitWords(request))];
    return rank(
      texts.map(({ id, text }) => ({ id, score: words.filter((word) => text.includes(word)).length })),
      limit,
    );
  };
}

function rank(scored: readonly { readonly id: string; readonly score: number }[], limit: number): string[] {
  return scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, limit)
    .map(({ id }) => id);
}

function splitWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/u)
    .filter((word) => word !== "");
}
