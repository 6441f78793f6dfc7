import { MAX_ENTRIES, TEXT, type KeySchema } from "./key-schema.ts";

const RULE: KeySchema = {
  type: "object",
  required: ["match", "decision"],
  additionalProperties: false,
  properties: {
    id: { ...TEXT, description: "Shown in verdicts and records; the rule's place in the list unless named." },
    match: {
      type: "object",
      description: "Which calls the rule is about; everything named must fit.",
      minProperties: 1,
      "x-aiw-must": 'name a tool ("*" is every tool) or arguments',
      additionalProperties: false,
      properties: {
        tool: {
          ...TEXT,
          description:
            "A glob on the tool's full id or short name. `allow` for a short name means the tool that owns it, and a pattern without `/` and `@` reaches no package by the beginning of its name.",
          examples: ["bash", "@acme/*"],
        },
        input: {
          type: "object",
          minProperties: 1,
          "x-aiw-must": "name an argument",
          description: "Arguments that must equal these JSON values; others do not matter.",
          examples: [{ command: "git status" }],
          additionalProperties: {},
        },
      },
    },
    decision: {
      type: "string",
      enum: ["allow", "ask", "deny"],
      description: "Deny beats ask beats allow, whatever their order.",
    },
    reason: { ...TEXT, description: "Told to whoever asks why." },
  },
};

/** The key `policy`. */
export const POLICY_KEY: KeySchema = {
  type: "object",
  description: "Who may call what.",
  additionalProperties: false,
  properties: {
    approval: {
      type: "string",
      enum: ["never", "unsafe_only", "always", "by_rule"],
      description:
        "Which calls a person is asked about for their effects: none, so that unsafe ones run; unsafe ones; every one that no rule allows; none, so that an unsafe one that no rule names is refused.",
      default: "unsafe_only",
      examples: ["always"],
      "x-aiw-effect": "widens_for_some",
      "x-aiw-widening": ["never"],
      "x-aiw-merge": "replace",
    },
    argumentRepair: {
      type: "string",
      enum: ["on", "off"],
      description:
        "Whether arguments that cannot be read as they come are repaired, in sight. Holds from the next opening.",
      default: "on",
      examples: ["off"],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "replace",
    },
    repeatedCalls: {
      type: "string",
      enum: ["block", "warn", "off"],
      description:
        "What becomes of read-only calls that come to the same again within a turn: refused, answered with a notice, or nothing. Holds from the next opening.",
      default: "block",
      examples: ["warn"],
      "x-aiw-effect": "widens_for_some",
      "x-aiw-widening": ["warn", "off"],
      "x-aiw-merge": "replace",
    },
    rules: {
      type: "array",
      description: "Decisions on the calls they match.",
      default: [],
      examples: [[{ match: { tool: "bash", input: { command: "git status" } }, decision: "allow" }]],
      maxItems: MAX_ENTRIES,
      items: RULE,
      "x-aiw-effect": "by_decision",
      "x-aiw-merge": "append",
    },
  },
};
