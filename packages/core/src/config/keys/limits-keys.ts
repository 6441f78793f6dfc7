import type { KeySchema } from "./key-schema.ts";

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

/** The key `limits`. */
export const LIMITS_KEY: KeySchema = {
  type: "object",
  description: "Bounds of every call, and of loading.",
  examples: [{ timeoutMs: 30_000, depth: 3 }],
  additionalProperties: false,
  properties: {
    timeoutMs: limit(MILLISECONDS, 60_000, "Milliseconds a call may work when its tool names no time of its own."),
    preparationMs: limit(MILLISECONDS, 30_000, "Milliseconds for loading, validating and assessing before the work."),
    graceMs: limit(
      { ...MILLISECONDS, minimum: 0, "x-aiw-must": `be a whole number of milliseconds from 0 to ${MAX_DELAY_MS}` },
      2000,
      "Milliseconds an aborted tool has to stop before its result says that it may still run.",
    ),
    resultCharacters: limit({ ...COUNT, minimum: 1 }, 30_000, "Characters of a result a model is given."),
    fullResultBytes: limit({ ...COUNT, minimum: 0 }, 64 * 1024 * 1024, "Bytes of whole results kept for reading back."),
    depth: limit({ ...COUNT, minimum: 0 }, 10, "Calls within calls."),
    loadTimeoutMs: limit(MILLISECONDS, 10_000, "Milliseconds a module has to load."),
  },
};
