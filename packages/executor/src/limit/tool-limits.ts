import { matchGlob, type ToolEntry, type ToolLimitsConfig } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import { SlotPool } from "./slot-pool.ts";

/** Bounds by tool and by category, as the operator names them. */
export interface ToolLimitTables {
  /** By glob on the full id or name. */
  readonly tools: { readonly [pattern: string]: ToolLimitsConfig };
  /** By category, exactly. */
  readonly categories: { readonly [category: string]: ToolLimitsConfig };
}

/** What the operator's tables say of one tool. */
export interface ToolLimit {
  readonly timeoutMs?: number | undefined;
  /** One for each of its patterns and its category that bounds how many calls run at once. */
  readonly pools: readonly SlotPool[];
}

interface NamedLimit {
  readonly name: string;
  readonly timeoutMs: number | undefined;
  readonly pool: SlotPool | undefined;
}

const NO_LIMIT: ToolLimit = Object.freeze({ pools: Object.freeze([]) });

/** Looks up the bounds of tools, each once. */
export class ToolLimits {
  readonly #tools: readonly NamedLimit[];
  readonly #categories: readonly NamedLimit[];
  readonly #known = new WeakMap<ToolEntry, ToolLimit>();

  constructor({ tools, categories }: ToolLimitTables) {
    this.#tools = Object.entries(tools).map(toNamedLimit);
    this.#categories = Object.entries(categories).map(toNamedLimit);
  }

  /** Of a call whose tool is loaded, so that its category is known. */
  of({ entry, spec }: Pick<RunningCall, "entry" | "spec">): ToolLimit {
    if (entry === undefined || (this.#tools.length === 0 && this.#categories.length === 0)) return NO_LIMIT;
    const known = this.#known.get(entry);
    if (known !== undefined) return known;
    const limit = this.#resolve(entry, spec?.metadata.category);
    this.#known.set(entry, limit);
    return limit;
  }

  #resolve(tool: ToolEntry, category: string | undefined): ToolLimit {
    const ofTool = this.#tools
      .filter(({ name }) => matchGlob(name, tool.id) || matchGlob(name, tool.name))
      .toSorted((a, b) => closeness(b.name, tool) - closeness(a.name, tool));
    const all = [...ofTool, ...this.#categories.filter(({ name }) => name === category)];
    return {
      timeoutMs: all.find(({ timeoutMs }) => timeoutMs !== undefined)?.timeoutMs,
      pools: all.flatMap(({ pool }) => pool ?? []),
    };
  }
}

/** An id means the tool more closely than its name does, and a name more closely than a glob: the longest comes first. */
function closeness(pattern: string, { id, name }: ToolEntry): number {
  if (pattern === id) return Number.MAX_SAFE_INTEGER;
  if (pattern === name) return Number.MAX_SAFE_INTEGER - 1;
  return pattern.replaceAll(/[*?]/g, "").length;
}

function toNamedLimit([name, { timeoutMs, concurrency }]: [string, ToolLimitsConfig]): NamedLimit {
  return { name, timeoutMs, pool: concurrency === undefined ? undefined : new SlotPool(concurrency) };
}
