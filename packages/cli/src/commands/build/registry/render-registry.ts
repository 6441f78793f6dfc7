import * as path from "node:path";
import { AiwError, type ToolCode, type ToolEntry, type ToolSpec } from "@aiw/core";
import { oneLine } from "../../../output/one-line.ts";

/** A tool whose place is known. */
export interface RegistryTool {
  readonly entry: ToolEntry;
  readonly spec: ToolSpec;
  readonly code: ToolCode;
}

/** Writes the module, the same bytes for the same tools; its imports are literal paths from where it lies. */
export function renderRegistry(tools: readonly RegistryTool[], file: string): string {
  const sorted = tools.toSorted((a, b) => (a.entry.id < b.entry.id ? -1 : 1));
  const packages = Map.groupBy(sorted, ({ entry }) => packageOf(entry));
  const written = [...packages]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, own]) => renderPackage(id, own, file));
  const list = written.length === 0 ? "[]" : `[\n${written.join("\n")}\n]`;
  return `// Written by aiw build --registry. Write it again after an install: it says what was installed then.
/** @type {readonly import("@aiw/core").BundledPackage[]} */
const packages = ${list};

export default packages;
`;
}

/** The id is the package and the tool's name. */
function packageOf({ id, name }: ToolEntry): string {
  return id.slice(0, id.length - name.length - 1);
}

function renderPackage(id: string, tools: readonly RegistryTool[], file: string): string {
  const version = tools[0]?.entry.origin.version;
  const modules = new Map(tools.map(({ code }) => [code.module, toSpecifier(code, file)]));
  const imports = [...modules].map(([module, from]) => `      ${literal(module)}: () => import(${literal(from)}),`);
  const listed = tools.map(
    ({ code: { module, export: exported }, spec }) => `      ${literal({ module, export: exported, spec })},`,
  );
  return [
    "  {",
    `    id: ${literal(id)},`,
    ...(version === undefined ? [] : [`    version: ${literal(version)},`]),
    "    modules: {",
    ...imports,
    "    },",
    "    tools: [",
    ...listed,
    "    ],",
    "  },",
  ].join("\n");
}

/**
 * By path: what a declaration names need not be among the package's `exports`.
 * @throws AiwError `config_invalid` for a path that bundlers would read as something else.
 */
function toSpecifier({ directory, module }: ToolCode, file: string): string {
  const relative = path.relative(path.dirname(file), path.join(directory, module)).split(path.sep).join("/");
  const specifier = relative.startsWith(".") ? relative : `./${relative}`;
  if (!/[?#%\0]/.test(specifier) && !path.isAbsolute(relative)) return specifier;
  throw new AiwError("config_invalid", `${oneLine(specifier)} is no path that bundlers follow.`, {
    fix: "Move the project to a folder whose path has none of ? # %, on the same drive as its packages.",
  });
}

/** Text of a package as JavaScript; JSON is that but for two line ends. */
function literal(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("\u2028", String.raw`\u2028`)
    .replaceAll("\u2029", String.raw`\u2029`);
}
