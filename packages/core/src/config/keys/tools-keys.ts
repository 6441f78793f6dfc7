import { TOOL_NAME_PATTERN } from "../../contract/tool-spec.ts";
import { MAX_PACKAGE_KEY, PACKAGE_KEY_PATTERN } from "../package-key.ts";
import { MAX_ENTRIES, TEXT, type KeySchema } from "./key-schema.ts";

const SEGMENT = "[A-Za-z0-9_*?~-][A-Za-z0-9._~!'()*?-]*";

/** A package key, a full id, a tool name, or a glob of one. */
const TOOL_PATTERN: KeySchema = {
  type: "string",
  maxLength: 512,
  pattern: `^(?:dir:[^\\u0000-\\u001f\\u007f]+|@?${SEGMENT}(?:/${SEGMENT}){0,2})$`,
  "x-aiw-must": 'be a package ("@acme/tools"), an id ("@acme/tools/read"), a tool name ("read") or a glob of one',
};

const TOOL_NAME: KeySchema = {
  type: "string",
  pattern: TOOL_NAME_PATTERN.source,
  "x-aiw-must": "be keyed by a tool name",
};

/** A dependency key. */
export const PACKAGE_KEY: KeySchema = {
  type: "string",
  maxLength: MAX_PACKAGE_KEY,
  pattern: PACKAGE_KEY_PATTERN,
  "x-aiw-must": "be keyed by a package name",
};

const PATTERNS: KeySchema = { type: "array", maxItems: MAX_ENTRIES, items: TOOL_PATTERN };
const TEXTS: KeySchema = { type: "array", maxItems: MAX_ENTRIES, items: TEXT };
const FLAG: KeySchema = { type: "boolean" };

/** The key `tools`. */
export const TOOLS_KEY: KeySchema = {
  type: "object",
  description: "Which tools are offered.",
  additionalProperties: false,
  properties: {
    enabled: {
      ...PATTERNS,
      description:
        "When present, only tools that fit one of these are offered: package keys, full ids, tool names, or globs of `*` and `?`.",
      examples: [["@aiw/plugin-filesystem", "@acme/tools/find_*"]],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "replace",
    },
    disabled: {
      ...PATTERNS,
      description: "Tools that are never offered, written as in `tools.enabled`; they stay out whatever is enabled.",
      default: [],
      examples: [["@acme/tools/drop_table", "bash"]],
      "x-aiw-effect": "narrows",
      "x-aiw-merge": "union",
    },
    prefer: {
      type: "object",
      description: "Which package gets a tool name that several offer. Allow rules for a short name follow the owner.",
      default: {},
      examples: [{ read: "@aiw/plugin-filesystem" }],
      maxProperties: MAX_ENTRIES,
      propertyNames: TOOL_NAME,
      additionalProperties: {
        type: "string",
        maxLength: MAX_PACKAGE_KEY,
        pattern: PACKAGE_KEY_PATTERN,
        "x-aiw-must": "name the package that gets the tool name",
      },
      "x-aiw-effect": "widens",
      "x-aiw-merge": "members",
    },
  },
};

const TOOLSET: KeySchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    extends: {
      type: "array",
      maxItems: 100,
      items: TEXT,
      description: "Toolsets whose tools are in this one too.",
      examples: [["readonly"]],
    },
    include: {
      ...PATTERNS,
      description: "Tools that are in, whatever the conditions say; written as in `tools.enabled`.",
      examples: [["bash"]],
    },
    exclude: {
      ...PATTERNS,
      description: "Tools that are out, inherited ones too; a toolset that extends this one may include them again.",
      examples: [["@acme/*"]],
    },
    effects: {
      type: "object",
      description: "Condition: the effects the tool declares.",
      examples: [{ readOnly: true }],
      additionalProperties: false,
      properties: { readOnly: FLAG, destructive: FLAG, idempotent: FLAG, openWorld: FLAG },
    },
    tags: { ...TEXTS, description: "Condition: the tool has every one of these tags.", examples: [["search"]] },
    category: { ...TEXT, description: "Condition: the tool's category.", examples: ["files"] },
    permissions: { ...TEXTS, description: "Condition: the tool names every one of these.", examples: [["fs:read"]] },
    type: { ...TEXT, description: "Condition: the executor that runs the tool.", examples: ["http"] },
    namePattern: {
      ...TEXT,
      maxLength: 512,
      description: "Condition: a glob of `*` and `?` over the whole name.",
      examples: ["find_*"],
    },
    where: {
      type: "object",
      description: "Condition: the author's own flags (`metadata.custom`), equal as JSON.",
      examples: [{ supports_streaming: true }],
      additionalProperties: {},
    },
  },
};

/** The key `toolsets`. */
export const TOOLSETS_KEY: KeySchema = {
  type: "object",
  description:
    "Named selections of tools: what the parents select, what meets all conditions, and `include`; without `exclude`.",
  default: {},
  examples: [{ readonly: { effects: { readOnly: true } }, review: { extends: ["readonly"], include: ["bash"] } }],
  maxProperties: 1000,
  propertyNames: {
    type: "string",
    pattern: "^[A-Za-z][A-Za-z0-9_.-]{0,63}$",
    "x-aiw-must": "be keyed by a name of letters, digits, `_`, `.` and `-`",
  },
  additionalProperties: TOOLSET,
  "x-aiw-effect": "narrows",
  "x-aiw-merge": "members",
};
