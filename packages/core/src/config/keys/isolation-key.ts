import { MAX_ENTRIES, TEXT, type KeySchema } from "./key-schema.ts";

/** Mebibytes; more than any machine has. */
const MAX_MEMORY = 1_048_576;

function choice(values: readonly string[], widening: readonly string[], description: string): KeySchema {
  return {
    type: "string",
    enum: values,
    description,
    default: values[0],
    "x-aiw-effect": "widens_for_some",
    "x-aiw-widening": widening,
    "x-aiw-merge": "replace",
  };
}

function paths(description: string): KeySchema {
  return {
    examples: [["./data"]],
    type: "array",
    maxItems: MAX_ENTRIES,
    items: TEXT,
    description,
    "x-aiw-effect": "widens",
    "x-aiw-merge": "union",
  };
}

const MODES = ["in_process", "isolated"];

const GRANT: KeySchema = {
  type: "object",
  description: "What the process of the packages is given beside their own code.",
  additionalProperties: false,
  properties: {
    network: choice(["none", "host"], ["host"], "Whether the process has the network of the host."),
    workspace: choice(["none", "read", "write"], ["read", "write"], "What it can touch of the folders of a call."),
    readable: paths("Further paths it can read; relative ones start at the project."),
    writable: paths("Further paths it can read and write; relative ones start at the project."),
    processes: {
      type: "boolean",
      description: "Whether its tools that need `process` run: programs, threads and native code, confined as it is.",
      default: false,
      "x-aiw-effect": "widens_unless_default",
      "x-aiw-merge": "replace",
    },
    memoryMb: {
      type: "integer",
      minimum: 32,
      maximum: MAX_MEMORY,
      description: "Mebibytes of JavaScript objects, and about as many beside them.",
      default: 512,
      "x-aiw-effect": "widens_above_default",
      "x-aiw-merge": "replace",
    },
    confinement: choice(
      ["required", "auto", "off"],
      ["auto", "off"],
      "Whether it must be confined by the operating system, is where that is possible, or is not.",
    ),
  },
};

/** The key `isolation`. */
export const ISOLATION_KEY: KeySchema = {
  type: "object",
  description: "Which packages run in a confined process of their own, and what that process is given.",
  examples: [{ packages: { "@acme/*": "isolated" }, grants: { "@acme/web": { network: "host" } } }],
  additionalProperties: false,
  properties: {
    default: choice(MODES, ["in_process"], "Where packages run that no pattern names."),
    packages: {
      type: "object",
      maxProperties: MAX_ENTRIES,
      propertyNames: TEXT,
      description: "Where packages run, by a glob on their key; the longest pattern that fits decides.",
      additionalProperties: choice(MODES, ["in_process"], "Where the packages run."),
      "x-aiw-merge": "members",
    },
    grants: {
      type: "object",
      maxProperties: MAX_ENTRIES,
      propertyNames: TEXT,
      description: "What isolated packages are given, by a glob on their key; the longest pattern that fits decides.",
      additionalProperties: GRANT,
      "x-aiw-merge": "options",
    },
  },
};
