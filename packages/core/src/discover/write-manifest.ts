import { readFile, rename, rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { CONTRACT_VERSION, isTool, isToolPackage, type Tool, type ToolPackage } from "../contract/tool.ts";
import type { JsonSchema } from "../contract/json.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { compareText } from "../register/create-finding.ts";
import { definitionHash } from "../schema/definition-hash.ts";
import { validateSpec } from "../schema/validate-spec.ts";
import { readCoreVersion } from "./core-version.ts";
import { isExportName, parseModulePath, parsePackagePath } from "./files/package-path.ts";
import { toTool } from "./load/pick-tool.ts";
import { findCollision } from "./read/read-declaration.ts";
import { MANIFEST_VERSION } from "./read/read-manifest.ts";

/** The package whose manifest is written. */
export interface WriteManifestOptions {
  readonly packageDir: string;
  /** The built module that exports the tools, such as `./dist/index.js`. */
  readonly module: string;
}

/** What was written. */
export interface WrittenManifest {
  readonly path: string;
  /** Names, sorted. */
  readonly tools: readonly string[];
}

const DEFAULT_PATH = "./aiw-tools.json";

/**
 * Imports a package's built module and writes its static manifest, the same bytes for the same tools.
 * @throws AiwError `manifest_not_writable`, naming what to change.
 */
export async function writeManifest({ packageDir, module }: WriteManifestOptions): Promise<WrittenManifest> {
  const directory = path.resolve(packageDir);
  const owner = await readOwner(directory);
  const parsed = parseModulePath(module, { linked: false });
  if (parsed.problem !== undefined)
    throw notWritable(
      `The module ${JSON.stringify(module)} ${parsed.reason}.`,
      "Name the built module, such as ./dist/index.js.",
    );
  const { tools, optionsSchema } = collect(await importModule(path.join(directory, parsed.path)), module);
  assertWritable(tools, module);
  const sorted = tools.toSorted((a, b) => compareText(a.tool.spec.name, b.tool.spec.name));
  const manifest = {
    manifestVersion: MANIFEST_VERSION,
    package: { name: owner.name, version: owner.version },
    generatedBy: `@aiw/core ${readCoreVersion() ?? "unknown"}`,
    ...(optionsSchema !== undefined && { optionsSchema }),
    tools: await Promise.all(sorted.map((one) => toManifestTool(one, parsed.path))),
  };
  const file = path.join(directory, owner.path);
  await replaceFile(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
  return { path: file, tools: sorted.map(({ tool }) => tool.spec.name) };
}

interface ExportedTool {
  readonly tool: Tool;
  readonly export: string;
}

interface CollectedTools {
  readonly tools: readonly ExportedTool[];
  readonly optionsSchema: JsonSchema | undefined;
}

async function toManifestTool({ tool: { spec }, export: exported }: ExportedTool, module: string): Promise<object> {
  const place = spec.type === "function" ? { module, export: exported } : {};
  return { ...place, definitionHash: await definitionHash(spec), spec };
}

/** Reads whose manifest it is, and where the declaration wants it. */
async function readOwner(
  directory: string,
): Promise<{ readonly name: string; readonly version: string; readonly path: string }> {
  const file = path.join(directory, "package.json");
  const { name, version, aiwhisperer } = await readPackageJson(file);
  if (typeof name !== "string" || name === "" || typeof version !== "string" || version === "") {
    throw notWritable(
      `${file} has no name or no version.`,
      "Give the package both: they say for what the manifest was written.",
    );
  }
  const declared: unknown =
    typeof aiwhisperer === "object" && aiwhisperer !== null && "tools" in aiwhisperer ? aiwhisperer.tools : undefined;
  const parsed = parsePackagePath(typeof declared === "string" ? declared : DEFAULT_PATH, [".json"]);
  return { name, version, path: parsed.problem === undefined ? parsed.path : DEFAULT_PATH };
}

async function readPackageJson(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse(await readFile(file, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch (cause) {
    throw notWritable(
      `${file} cannot be read: ${messageOf(cause)}`,
      "Name the folder of the package's package.json.",
      cause,
    );
  }
}

async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (cause) {
    throw notWritable(
      `${file} cannot be loaded: ${messageOf(cause)}`,
      "Build the package first, and keep its top level free of work.",
      cause,
    );
  }
}

/** A default tool package says what belongs to it; without one, every export that is a tool does. */
function collect(exports: Readonly<Record<string, unknown>>, module: string): CollectedTools {
  const byDefault = exports["default"];
  const exported = toNamedTools(exports);
  if (isToolPackage(byDefault)) return fromPackage(byDefault, exported);
  if (typeof byDefault === "object" && byDefault !== null && Object.values(byDefault).some((value) => isTool(value))) {
    throw notWritable(
      `The default export of ${module} holds tools that have no name.`,
      "Export defineToolPackage({ tools: [...] }) as default, or each tool by its name.",
    );
  }
  const own = toTool(byDefault);
  const isUnnamed = own !== undefined && ![...exported.keys()].some(({ spec }) => spec.name === own.spec.name);
  const tools = [...exported].map(([tool, name]) => ({ tool, export: name }));
  return { tools: isUnnamed ? [{ tool: own, export: "default" }, ...tools] : tools, optionsSchema: undefined };
}

function fromPackage(toolPackage: ToolPackage, exported: ReadonlyMap<Tool, string>): CollectedTools {
  if (!(toolPackage.contractVersion <= CONTRACT_VERSION)) {
    throw notWritable(
      `The package speaks contract version ${toolPackage.contractVersion}, this @aiw/core ${CONTRACT_VERSION}.`,
      "Install a newer @aiw/core.",
    );
  }
  // With options, the package's copy of a tool knows their schema and the export alone does not.
  return {
    tools: toolPackage.tools.map((tool) => ({ tool, export: exported.get(tool) ?? "default" })),
    optionsSchema: toolPackage.optionsSchema,
  };
}

/** Each tool under the first of its names. */
function toNamedTools(exports: Readonly<Record<string, unknown>>): Map<Tool, string> {
  const named = new Map<Tool, string>();
  for (const name of Object.keys(exports).toSorted(compareText)) {
    if (name === "default" || !isExportName(name)) continue;
    const tool = toTool(exports[name]);
    if (tool !== undefined && !named.has(tool)) named.set(tool, name);
  }
  return named;
}

function assertWritable(tools: readonly ExportedTool[], module: string): void {
  if (tools.length === 0)
    throw notWritable(`${module} exports no tool.`, "Export defineToolPackage({ tools: [...] }) as default.");
  for (const { tool } of tools) {
    const [issue] = validateSpec(tool.spec);
    if (issue !== undefined)
      throw notWritable(
        `A tool of ${module}: ${issue.pointer || "/"} ${issue.message}.`,
        "Correct the tool's definition.",
      );
  }
  const collision = findCollision(tools.map(({ tool }) => tool.spec.name));
  if (collision !== undefined)
    throw notWritable(`Two tools are called ${collision[0]} and ${collision[1]}.`, "Rename one of them.");
}

/** Writes beside and renames, so that a reader sees the old file or the new one; the same bytes stay untouched. */
async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    if ((await readFile(file, "utf8").catch(() => undefined)) === text) return;
    await writeFile(temporary, text, { flag: "wx" });
    await rename(temporary, file);
  } catch (cause) {
    await rm(temporary, { force: true });
    throw notWritable(`${file} cannot be written: ${messageOf(cause)}`, "Make the folder writable.", cause);
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function notWritable(message: string, fix: string, cause?: unknown): AiwError {
  return new AiwError("manifest_not_writable", message, { fix, ...(cause !== undefined && { cause }) });
}
