import * as path from "node:path";
import { pathToFileURL } from "node:url";
import type { CompiledTool } from "../../contract/compiled-function.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { compareText } from "../../register/create-finding.ts";
import { definitionHash } from "../../schema/definition-hash.ts";
import { validateSpec } from "../../schema/validate-spec.ts";
import { readCoreVersion } from "../core-version.ts";
import { parseModulePath } from "../files/package-path.ts";
import { findCollision } from "../read/read-declaration.ts";
import { MANIFEST_VERSION, MAX_TOOLS } from "../read/read-manifest.ts";
import { collectTools, type CollectedTools, type ExportedTool, type ToolOrigins } from "./collect-tools.ts";
import { messageOf, notWritable } from "./not-writable.ts";
import { readOwner } from "./read-owner.ts";

/** The package whose manifest is made. */
export interface ManifestOptions {
  readonly packageDir: string;
  /** The built module that exports the tools, such as `./dist/index.js`. */
  readonly module: string;
  /** Tools compiled from the module's source; what the code itself says of a tool of the same name counts. */
  readonly compiled?: readonly CompiledTool[];
  /** Who made it, such as `aiw build 1.2.0`; this package unless named. */
  readonly generatedBy?: string;
}

/** A manifest that was not written. */
export interface RenderedManifest {
  /** Where it belongs, absolute. */
  readonly path: string;
  /** Its whole content, the same bytes for the same tools. */
  readonly text: string;
  /** Names, sorted. */
  readonly tools: readonly string[];
}

/**
 * Imports a package's built module and makes its static manifest, without writing it.
 * @throws AiwError `manifest_not_writable`, naming what to change.
 */
export async function renderManifest({
  packageDir,
  module,
  compiled = [],
  generatedBy = `@aiw/core ${readCoreVersion() ?? "unknown"}`,
}: ManifestOptions): Promise<RenderedManifest> {
  const directory = path.resolve(packageDir);
  const owner = await readOwner(directory);
  const file = parseModule(module);
  assertNoPromise(module, compiled);
  const exports = await importModule(path.join(directory, file));
  const { tools, optionsSchema } = collect({ exports, module, compiled });
  assertWritable(tools, module);
  const sorted = tools.toSorted((a, b) => compareText(a.spec.name, b.spec.name));
  const manifest = {
    manifestVersion: MANIFEST_VERSION,
    package: { name: owner.name, version: owner.version },
    generatedBy,
    ...(optionsSchema !== undefined && { optionsSchema }),
    tools: await Promise.all(sorted.map((one) => toManifestTool(one, file))),
  };
  return {
    path: path.join(directory, owner.path),
    text: `${JSON.stringify(manifest, undefined, 2)}\n`,
    tools: sorted.map(({ spec }) => spec.name),
  };
}

function parseModule(module: string): string {
  const parsed = parseModulePath(module, { linked: false });
  if (parsed.problem === undefined) return parsed.path;
  throw notWritable(
    `The module ${JSON.stringify(module)} ${parsed.reason}.`,
    "Name the built module, such as ./dist/index.js.",
  );
}

/** Whoever imports such a module calls that function and waits for good. */
function assertNoPromise(module: string, compiled: readonly CompiledTool[]): void {
  if (!compiled.some((one) => one.export === "then")) return;
  throw notWritable(
    `${module} exports a function called then, which makes a promise of it that gives nothing.`,
    "Export it by another name.",
  );
}

async function importModule(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  } catch (cause) {
    throw notWritable(`${file} cannot be loaded: ${messageOf(cause)}`, adviseFor(cause), cause);
  }
}

/** What a decorator refuses, its message says; nothing is wrong with the build or the module's top level. */
function adviseFor(cause: unknown): string {
  if (AiwError.is(cause) && cause.fix !== undefined) return cause.fix;
  const isOfDecorator = cause instanceof TypeError && /^(?:@tool |The tool method )/.test(cause.message);
  return isOfDecorator
    ? "Correct the method or its @tool as the message says, and build the module again."
    : "Build the package first, and keep its top level free of work.";
}

/** What is wrong with a definition is why there is no manifest, and so is a getter or a constructor that throws. */
function collect(origins: ToolOrigins): CollectedTools {
  try {
    return collectTools(origins);
  } catch (error) {
    if (AiwError.is(error) && error.code === "manifest_not_writable") throw error;
    throw notWritable(messageOf(error), (AiwError.is(error) && error.fix) || "Correct the tool's definition.", error);
  }
}

function assertWritable(tools: readonly ExportedTool[], module: string): void {
  if (tools.length === 0)
    throw notWritable(`${module} exports no tool.`, "Export defineToolPackage({ tools: [...] }) as default.");
  if (tools.length > MAX_TOOLS)
    throw notWritable(
      `${module} has ${tools.length} tools, and hosts read at most ${MAX_TOOLS} of a package.`,
      "Publish them in several packages.",
    );
  for (const { spec } of tools) {
    const [issue] = validateSpec(spec);
    if (issue !== undefined)
      throw notWritable(
        `A tool of ${module}: ${issue.pointer || "/"} ${issue.message}.`,
        "Correct the tool's definition.",
      );
  }
  const collision = findCollision(tools.map(({ spec }) => spec.name));
  if (collision !== undefined)
    throw notWritable(`Two tools are called ${collision[0]} and ${collision[1]}.`, "Rename one of them.");
}

async function toManifestTool({ spec, export: exported }: ExportedTool, module: string): Promise<object> {
  const place = spec.type === "function" ? { module, export: exported } : {};
  return { ...place, definitionHash: await definitionHash(spec), spec };
}
