import type { KeySchema } from "./key-schema.ts";

const PATHS: KeySchema = {
  type: "array",
  maxItems: 1000,
  items: {
    type: "string",
    minLength: 1,
    maxLength: 4096,
    pattern: "^[^\\u0000]*$",
    "x-aiw-must": "be the path of a folder",
  },
};

/** The key `workspace`. */
export const WORKSPACE_KEY: KeySchema = {
  type: "object",
  description: "Which folders tools may touch, what in them they may not, and where the way back is kept.",
  additionalProperties: false,
  properties: {
    roots: {
      ...PATHS,
      description:
        "Further folders that tools may read and change; relative ones start at the project, `~` is the user's home. Holds from the next opening.",
      default: [],
      examples: [["../library"]],
      "x-aiw-effect": "widens",
      "x-aiw-merge": "union",
    },
    readOnly: {
      ...PATHS,
      items: {
        ...PATHS.items,
        pattern: "^[^\\u0000*?]*(?:/\\*\\*)?/?$",
        "x-aiw-must": "be the path of a folder, not a pattern",
      },
      description:
        "Folders, not patterns, in which file tools write nothing (`vendor/**` is taken for `vendor`); a folder that holds one is neither moved nor removed. Holds from the next opening.",
      default: [],
      examples: [["./vendor", "../library"]],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "union",
    },
    deny: {
      ...PATHS,
      items: {
        ...PATHS.items,
        pattern: "^[^\\u0000!][^\\u0000]*$",
        "x-aiw-must": "be a pattern of paths, without exceptions (!)",
      },
      description:
        "Patterns of paths that file tools neither read nor write, whatever their letter case and whichever link leads there: at any depth without `/` or after `**/`, else from the working directory, each root and the project. Holds from the next opening.",
      default: [],
      examples: [["**/.env*", "*.pem", "secrets/"]],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "union",
    },
    history: {
      type: "string",
      enum: ["disk", "memory"],
      description:
        "Where earlier bytes of changed files are kept, for every package of a conversation: `disk`, outside the project, also for `aiw undo` later; `memory`, gone with the conversation. Holds from the next opening.",
      default: "disk",
      examples: ["memory"],
      "x-aiw-effect": "widens_unless_default",
      "x-aiw-merge": "replace",
    },
  },
};
