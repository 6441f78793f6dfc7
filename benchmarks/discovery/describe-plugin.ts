/** Tools of one plugin. */
export const TOOLS_PER_PLUGIN = 5;

/** Whose plugins a project has. */
export type Ecosystem = "aiw" | "oclif" | "n8n" | "node-red";

type Files = Readonly<Record<string, unknown>>;

/** Files of a plugin with five tools, as its ecosystem wants them; texts and schemas are alike. */
export function describePlugin(ecosystem: Ecosystem, key: string): Files {
  const base = {
    name: key,
    version: "1.2.3",
    description: `Tools of ${key}.`,
    keywords: ["tools", "agent"],
    license: "MIT",
    repository: { type: "git", url: `git+https://example.org/${key}.git` },
    files: ["dist"],
    engines: { node: ">=22" },
  };
  const stem = key.replaceAll(/[^a-z0-9]/g, "_");
  const tools = Array.from({ length: TOOLS_PER_PLUGIN }, (_, index) => `${stem}_${index}`);
  return DESCRIBE[ecosystem](base, tools);
}

const DESCRIBE: Readonly<
  Record<Ecosystem, (base: { name: string; version: string }, tools: readonly string[]) => Files>
> = {
  aiw: (base, tools) => ({
    "package.json": {
      ...base,
      type: "module",
      aiwhisperer: { apiVersion: 1, tools: "./aiw-tools.json" },
      dependencies: { "@aiw/core": "^0.0.0" },
    },
    "aiw-tools.json": {
      manifestVersion: 1,
      package: { name: base.name, version: base.version },
      generatedBy: "@aiw/compiler 1.0.0",
      tools: tools.map(toAiwTool),
    },
  }),
  oclif: (base, tools) => ({
    "package.json": { ...base, main: "dist/index.js", oclif: { commands: "./dist/commands" } },
    "oclif.manifest.json": {
      version: base.version,
      commands: Object.fromEntries(tools.map((id) => [id, toCommand(id, base.name)])),
    },
  }),
  n8n: (base, tools) => ({
    "package.json": {
      ...base,
      n8n: { n8nNodesApiVersion: 1, nodes: tools.map((name) => `dist/${name}.node.js`), credentials: [] },
    },
    "dist/known/nodes.json": Object.fromEntries(
      tools.map((name) => [name, { className: name, sourcePath: `dist/${name}.node.js` }]),
    ),
    "dist/known/credentials.json": {},
    "dist/types/nodes.json": tools.map(toNodeType),
    "dist/types/credentials.json": [],
  }),
  "node-red": (base, tools) => ({
    "package.json": {
      ...base,
      "node-red": { nodes: Object.fromEntries(tools.map((name) => [name, `dist/${name}.js`])) },
    },
  }),
};

const DESCRIPTION = "Finds the tickets that match a text, newest first, and says how many there are in all.";

const FIELDS = [
  { name: "query", type: "string", description: "Words that all must occur." },
  { name: "limit", type: "number", description: "How many to give at most; 20 unless named." },
  { name: "status", type: "string", description: "Only tickets in this state: open, closed or waiting." },
] as const;

function toAiwTool(name: string): object {
  return {
    module: `./dist/${name}.js`,
    export: "default",
    definitionHash: `sha256-${"A".repeat(43)}=`,
    spec: {
      name,
      type: "function",
      description: DESCRIPTION,
      inputSchema: {
        type: "object",
        properties: Object.fromEntries(
          FIELDS.map(({ name: field, type, description }) => [field, { type, description }]),
        ),
        required: ["query"],
        additionalProperties: false,
      },
      metadata: {
        tags: ["tickets"],
        permissions: ["net"],
        effects: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
      },
    },
  };
}

function toCommand(id: string, plugin: string): object {
  return {
    id,
    aliases: [],
    args: {},
    description: DESCRIPTION,
    flags: Object.fromEntries(
      FIELDS.map(({ name, description }) => [
        name,
        { name, description, type: "option", multiple: false, hasDynamicHelp: false },
      ]),
    ),
    hasDynamicHelp: false,
    hiddenAliases: [],
    pluginName: plugin,
    pluginType: "core",
    strict: true,
    enableJsonFlag: false,
    isESM: false,
    relativePath: ["dist", "commands", `${id}.js`],
  };
}

function toNodeType(name: string): object {
  return {
    name,
    displayName: name,
    description: DESCRIPTION,
    version: 1,
    group: ["transform"],
    defaults: { name },
    inputs: ["main"],
    outputs: ["main"],
    properties: FIELDS.map((field) => ({ displayName: field.name, default: "", ...field })),
  };
}
