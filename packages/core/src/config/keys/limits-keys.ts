import { MAX_ENTRIES, TEXT, type KeySchema } from "./key-schema.ts";

/** Longest delay a Node timer keeps. */
const MAX_DELAY_MS = 2_147_483_647;

const MILLISECONDS: KeySchema = {
  type: "integer",
  minimum: 1,
  maximum: MAX_DELAY_MS,
  "x-aiw-must": `be a whole number of milliseconds from 1 to ${MAX_DELAY_MS}`,
};
const COUNT: KeySchema = { type: "integer", maximum: Number.MAX_SAFE_INTEGER };

function limit(bounds: KeySchema, value: number, description: string): KeySchema {
  return {
    ...bounds,
    description,
    default: value,
    "x-aiw-effect": "widens_above_default",
    "x-aiw-merge": "replace",
  };
}

/** Bounds of the tools of one pattern or category. */
const TOOL_LIMITS: KeySchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    timeoutMs: limit(MILLISECONDS, 60_000, "Milliseconds a call may work, whatever time the tool itself names."),
    concurrency: {
      ...COUNT,
      minimum: 1,
      description: "Calls of all these tools together that run at once.",
      examples: [1],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "replace",
    },
  },
};

function perTool(description: string, example: string): KeySchema {
  return {
    type: "object",
    description,
    default: {},
    examples: [{ [example]: { timeoutMs: 10_000, concurrency: 2 } }],
    propertyNames: TEXT,
    maxProperties: MAX_ENTRIES,
    additionalProperties: TOOL_LIMITS,
    "x-aiw-merge": "options",
  };
}

/** The key `limits.retry`. */
const RETRY: KeySchema = {
  type: "object",
  description:
    "When a failed attempt is followed by another: the failure is retryable, the work has ended, and doing it twice does no harm.",
  additionalProperties: false,
  properties: {
    attempts: limit({ ...COUNT, minimum: 1, maximum: 100 }, 3, "Attempts in all; 1 tries once."),
    baseMs: limit(MILLISECONDS, 500, "Milliseconds the first wait may last; every later one may last twice as long."),
    maxMs: limit(MILLISECONDS, 30_000, "Milliseconds that no wait exceeds, but for one the failure itself asks for."),
  },
};

/** The key `limits`. */
export const LIMITS_KEY: KeySchema = {
  type: "object",
  description: "Bounds of every call, and of loading.",
  examples: [{ timeoutMs: 30_000, depth: 3, tools: { bash: { timeoutMs: 600_000, concurrency: 1 } } }],
  additionalProperties: false,
  properties: {
    timeoutMs: limit(
      MILLISECONDS,
      60_000,
      "Milliseconds a call may work, all attempts together, when its tool names no time of its own.",
    ),
    tools: perTool("Bounds by tool: a glob on its full id or name; of several, the closest names the time.", "fetch_*"),
    categories: perTool("Bounds by category; `limits.tools` comes first where both name a time.", "network"),
    retry: RETRY,
    concurrency: limit(
      { ...COUNT, minimum: 1 },
      16,
      "Calls that run at once; a call may have as many calls of its own running.",
    ),
    queue: limit({ ...COUNT, minimum: 0 }, 1000, "Calls that may wait for their turn; more are refused."),
    queueMs: limit(MILLISECONDS, 60_000, "Milliseconds a call may wait for its turn."),
    unsettledMs: limit(
      { ...MILLISECONDS, minimum: 0, "x-aiw-must": `be a whole number of milliseconds from 0 to ${MAX_DELAY_MS}` },
      30_000,
      "Milliseconds that work which did not stop when its call ended keeps its slot and its locks.",
    ),
    preparationMs: limit(MILLISECONDS, 30_000, "Milliseconds for loading, validating and assessing before the work."),
    graceMs: limit(
      { ...MILLISECONDS, minimum: 0, "x-aiw-must": `be a whole number of milliseconds from 0 to ${MAX_DELAY_MS}` },
      2000,
      "Milliseconds an aborted tool has to stop before its result says that it may still run.",
    ),
    extensionMs: limit(
      MILLISECONDS,
      5000,
      "Milliseconds an extension has to answer where no clock of the call runs: while it only watches, and once the work is done.",
    ),
    resultCharacters: limit(
      { ...COUNT, minimum: 1 },
      30_000,
      "Characters of a result, as JSON, that a model is given.",
    ),
    resultTokens: {
      ...COUNT,
      minimum: 1,
      description: "Tokens of a result a model is given, estimated; the smaller bound holds. No bound unless named.",
      examples: [8000],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "replace",
    },
    fullResultBytes: limit({ ...COUNT, minimum: 0 }, 64 * 1024 * 1024, "Bytes of whole results kept for reading back."),
    depth: limit({ ...COUNT, minimum: 0 }, 10, "Calls within calls."),
    nestedCalls: limit({ ...COUNT, minimum: 0 }, 1000, "Calls within one outermost call, all depths together."),
    loadTimeoutMs: limit(MILLISECONDS, 10_000, "Milliseconds a module has to load."),
  },
};
