import type { KeySchema } from "../key-schema.ts";

/** Longest delay a timer keeps. */
const MAX_MS = 2_147_483_647;

/** The key `extensions.approval`. */
export const APPROVAL_KEY: KeySchema = {
  type: "object",
  description:
    "How long answers about calls count, and how far they may reach. Which calls are asked about says `policy.approval`.",
  examples: [{ expiresMs: 300_000, remember: ["turn"] }],
  additionalProperties: false,
  properties: {
    expiresMs: {
      type: "integer",
      minimum: 1,
      maximum: MAX_MS,
      description: "Milliseconds a question waits for its answer, and then a yes for its call to begin.",
      default: 600_000,
      "x-aiw-effect": "widens_above_default",
      "x-aiw-merge": "replace",
    },
    rememberMs: {
      type: "integer",
      minimum: 1,
      maximum: MAX_MS,
      description: "Milliseconds an answer is remembered within its conversation.",
      default: 28_800_000,
      "x-aiw-effect": "widens_above_default",
      "x-aiw-merge": "replace",
    },
    remember: {
      type: "array",
      maxItems: 3,
      items: { type: "string", enum: ["turn", "session", "rule"] },
      description:
        "How far beyond its call a yes may reach: `turn` and `session` cover the same call again, `rule` calls with the arguments the person names; all three unless named, `[]` for none.",
      examples: [["turn"]],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "replace",
    },
  },
};
