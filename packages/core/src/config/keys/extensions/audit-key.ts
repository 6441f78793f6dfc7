import { TEXT, type KeySchema } from "../key-schema.ts";

const PATH: KeySchema = {
  type: "string",
  minLength: 1,
  maxLength: 4096,
  pattern: "^[^\\u0000]*$",
  "x-aiw-must": "be the path of a file",
};

/** The key `extensions.audit`. */
export const AUDIT_KEY: KeySchema = {
  type: "object",
  description: "One record of every call, in a chain that shows changes: `aiw audit` reads it.",
  examples: [{ file: ".aiw/audit.jsonl" }],
  // An empty one would hold at once, though it turns something on.
  minProperties: 1,
  "x-aiw-must": 'name a file or database, such as { "file": ".aiw/audit.jsonl" }',
  additionalProperties: false,
  properties: {
    file: {
      ...PATH,
      description:
        "JSON Lines; a relative path starts at the project and stays in it. `.aiw/audit.jsonl` unless named.",
      examples: [".aiw/audit.jsonl"],
    },
    database: { ...PATH, description: "An SQLite database in place of the file.", examples: [".aiw/audit.db"] },
    onFailure: {
      type: "string",
      enum: ["block", "warn"],
      description:
        "While records cannot be written: `block` refuses calls, and fails those whose work is done; `warn` keeps records back within bounds and says so in the log.",
      default: "block",
    },
    maxBytes: {
      type: "integer",
      minimum: 65_536,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Bytes after which the file is set aside and another one begins.",
      default: 16 * 1024 * 1024,
    },
    maxFiles: {
      type: "integer",
      minimum: 1,
      maximum: 10_000,
      description: "Files set aside that are kept; the record says which were removed.",
      default: 64,
    },
    sync: {
      type: "boolean",
      description: "Waits until the disk itself has each record; with `block` so unless `false`.",
    },
    arguments: {
      type: "boolean",
      description: "`false` leaves the arguments of calls out; they are recorded, secrets masked, unless so.",
      default: true,
    },
    key: {
      type: "object",
      required: ["$env"],
      additionalProperties: false,
      properties: { $env: TEXT },
      description:
        "Seals the chain with a key of at least 16 characters, so that whoever can write the file cannot chain it again.",
      examples: [{ $env: "AIW_AUDIT_KEY" }],
      "x-aiw-must": 'be { "$env": "NAME" }',
    },
  },
  "x-aiw-effect": "widens",
  "x-aiw-merge": "members",
};
