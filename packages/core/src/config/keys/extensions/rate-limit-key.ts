import { MAX_ENTRIES, TEXT, type KeySchema } from "../key-schema.ts";

/** Longest window whose end a Node timer keeps. */
const MAX_SECONDS = 2_147_483;

const CALLS: KeySchema = {
  type: "integer",
  minimum: 1,
  maximum: 1_000_000_000,
  "x-aiw-must": "be a whole number of calls from 1 to 1000000000",
};

/** The key `extensions.rateLimit`. */
export const RATE_LIMIT_KEY: KeySchema = {
  type: "object",
  description:
    "How often calls may be made; every limit holds, and what is counted is kept in this process. It only takes away, so that it holds at once; a host's own stands alone.",
  examples: [{ perMinute: 120 }, { limits: [{ by: ["principal", "tool"], calls: 10, seconds: 60, tools: ["bash"] }] }],
  minProperties: 1,
  "x-aiw-must": 'name a limit, like { "perMinute": 120 }',
  additionalProperties: false,
  properties: {
    perSecond: { ...CALLS, description: "Calls of one caller within a second.", examples: [5] },
    perMinute: { ...CALLS, description: "Calls of one caller within a minute.", examples: [120] },
    perHour: { ...CALLS, description: "Calls of one caller within an hour.", examples: [2000] },
    perDay: { ...CALLS, description: "Calls of one caller within a day.", examples: [10_000] },
    limits: {
      type: "array",
      maxItems: 100,
      description: "Limits of other subjects, windows and tools.",
      examples: [[{ by: ["tool"], calls: 100, seconds: 10 }]],
      items: {
        type: "object",
        required: ["calls", "seconds"],
        additionalProperties: false,
        properties: {
          calls: { ...CALLS, description: "Calls that may be made within the window." },
          seconds: {
            type: "integer",
            minimum: 1,
            maximum: MAX_SECONDS,
            "x-aiw-must": `be a whole number of seconds from 1 to ${MAX_SECONDS}`,
            description: "Seconds of the window, which begins with the first call counted.",
          },
          by: {
            type: "array",
            maxItems: 5,
            items: { type: "string", enum: ["principal", "session", "tool", "package", "category"] },
            description:
              "What is counted apart: `principal`, `session`, `tool`, `package`, `category`, each pair where several are named; `[]` counts all calls together.",
            default: ["principal"],
          },
          tools: {
            type: "array",
            maxItems: MAX_ENTRIES,
            items: TEXT,
            description: "Globs on full ids or names of the tools that are counted; all unless named.",
            examples: [["bash", "@acme/*"]],
          },
        },
      },
    },
  },
  "x-aiw-effect": "narrows",
  "x-aiw-merge": "replace",
};
