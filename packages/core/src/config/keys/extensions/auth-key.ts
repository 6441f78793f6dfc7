import { MAX_ENTRIES, TEXT, type KeySchema } from "../key-schema.ts";

const TEXTS: KeySchema = { type: "array", maxItems: MAX_ENTRIES, items: TEXT };
const FLAG: KeySchema = { type: "boolean" };
const DECISIONS = ["allow", "ask", "deny"];

const CONDITION: KeySchema = {
  type: "object",
  minProperties: 1,
  "x-aiw-must": 'be a condition like { "equals": "main" } or { "within": "docs" }',
  additionalProperties: false,
  properties: {
    equals: { description: "The very JSON value.", examples: ["main"] },
    oneOf: { type: "array", maxItems: MAX_ENTRIES, items: {}, description: "One of these JSON values." },
    glob: {
      ...TEXT,
      description:
        "A text that fits: `*` is any run of characters, whatever they are, and `?` is one. No safe allowance for text that something interprets, such as a command.",
    },
    atLeast: { type: "number", description: "A number not below." },
    atMost: { type: "number", description: "A number not above." },
    within: {
      ...TEXT,
      description:
        "A path that is this folder or below it, by its words alone: links are not followed. A relative one starts at the folder tools work in.",
      examples: ["docs"],
    },
  },
};

const MATCH: KeySchema = {
  type: "object",
  description: "Which calls the rule is about; everything named must fit.",
  minProperties: 1,
  "x-aiw-must": 'name something: { "tools": ["*"] } is every call',
  additionalProperties: false,
  properties: {
    tools: {
      ...TEXTS,
      description:
        "Globs on full ids or short names. `allow` for a short name means the tool that owns it, and a pattern without `/` and `@` reaches no package by the beginning of its name.",
      examples: [["read", "@acme/*"]],
    },
    packages: { ...TEXTS, description: "Globs on the tool's package.", examples: [["@acme/*"]] },
    categories: { ...TEXTS, description: "The tool's category is one of these.", examples: [["files"]] },
    tags: { ...TEXTS, description: "The tool has one of these tags.", examples: [["search"]] },
    permissions: {
      ...TEXTS,
      description:
        "Globs on permissions. `allow` covers a tool all of whose permissions fit, and has some; `ask` and `deny` one that needs any of them.",
      examples: [["fs:read"], ["process"]],
    },
    effects: {
      type: "object",
      description: "The effects the tool declares, which are its package's own claim.",
      examples: [{ readOnly: true }],
      minProperties: 1,
      "x-aiw-must": "name an effect",
      additionalProperties: false,
      properties: { readOnly: FLAG, destructive: FLAG, idempotent: FLAG, openWorld: FLAG },
    },
    input: {
      type: "object",
      minProperties: 1,
      "x-aiw-must": "name an argument",
      description:
        "Conditions by parameter; others do not matter. Of a list, `allow` needs each element to fit, `ask` and `deny` any. What is asked for or denied is so as a default too.",
      examples: [{ path: { within: "docs" } }],
      additionalProperties: CONDITION,
    },
  },
};

const RULES: KeySchema = {
  type: "array",
  maxItems: MAX_ENTRIES,
  items: {
    type: "object",
    required: ["match", "decision"],
    additionalProperties: false,
    properties: {
      id: { ...TEXT, description: "Shown in refusals and records; the rule's place unless named." },
      match: MATCH,
      decision: {
        type: "string",
        enum: DECISIONS,
        description: "Deny beats ask beats allow. Being allowed is not being approved: unsafe calls ask nevertheless.",
      },
      reason: { ...TEXT, description: "Told to the model, which can act on it." },
    },
  },
};

/** The key `extensions.auth`. */
export const AUTH_KEY: KeySchema = {
  type: "object",
  description:
    "Role-based access: who may call what. It only takes away, so that it holds at once; a host's own stands alone.",
  examples: [
    {
      anonymousRoles: ["reader"],
      roles: {
        reader: { rules: [{ match: { effects: { readOnly: true } }, decision: "allow" }] },
        editor: {
          extends: ["reader"],
          rules: [{ match: { tools: ["write"], input: { path: { within: "docs" } } }, decision: "allow" }],
        },
      },
    },
  ],
  additionalProperties: false,
  properties: {
    roles: {
      type: "object",
      description: "What callers of each role may do; a caller of several has the rules of all.",
      default: {},
      maxProperties: 1000,
      propertyNames: { type: "string", minLength: 1, maxLength: 128, "x-aiw-must": "be keyed by the name of a role" },
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        properties: {
          extends: {
            type: "array",
            maxItems: 100,
            items: TEXT,
            description: "Roles whose rules hold for this one too; what they deny stays denied.",
            examples: [["reader"]],
          },
          rules: { ...RULES, description: "Decisions on the calls they match." },
        },
      },
    },
    rules: { ...RULES, description: "Rules that hold for every caller.", default: [] },
    default: {
      type: "string",
      enum: DECISIONS,
      description: "What becomes of a call that no rule speaks of.",
      default: "deny",
    },
    anonymousRoles: { ...TEXTS, description: "Roles of a call without a principal.", default: [] },
  },
  "x-aiw-effect": "narrows",
  "x-aiw-merge": "replace",
};
