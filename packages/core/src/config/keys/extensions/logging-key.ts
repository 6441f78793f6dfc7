import type { KeySchema } from "../key-schema.ts";

/** The key `extensions.logging`. */
export const LOGGING_KEY: KeySchema = {
  type: "object",
  description: "Structured log lines of every call and of what tools log; needs the package pino.",
  examples: [{ level: "info" }],
  // An empty one would hold at once, though it turns something on.
  minProperties: 1,
  "x-aiw-must": 'name a level or file, such as { "level": "info" }',
  additionalProperties: false,
  properties: {
    level: {
      type: "string",
      enum: ["debug", "info", "warn", "error", "silent"],
      description: "The least severe lines that are written; `debug` has the arguments, secrets masked.",
      default: "info",
    },
    file: {
      type: "string",
      minLength: 1,
      maxLength: 4096,
      pattern: "^[^\\u0000]*$",
      "x-aiw-must": "be the path of a file",
      description: "JSON Lines; a relative path starts at the project. Standard error unless named.",
      examples: [".aiw/calls.log"],
    },
  },
  "x-aiw-effect": "widens",
  "x-aiw-merge": "members",
};
