import type { ToolEntry, ToolSource } from "../../contract/tool-source.ts";
import type { Tool } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { createEntry } from "../../register/create-entry.ts";
import { compareText, createFinding, toShownError } from "../../register/create-finding.ts";
import { isRefusal, type Refusal } from "../read/read-declaration.ts";
import { bindExport } from "./bind-export.ts";
import type { ModuleExports } from "./module-load.ts";

/** A tool package that a bundler took in: what `aiw build --registry` writes. */
export interface BundledPackage {
  /** What the project calls the package; ids begin with it. */
  readonly id: string;
  readonly version?: string;
  /** Imports each module of the package that has tools. */
  readonly modules: Readonly<Record<string, () => Promise<unknown>>>;
  readonly tools: readonly BundledTool[];
}

/** A tool of a bundled package, as its static manifest listed it. */
export interface BundledTool {
  /** A key of `modules`. */
  readonly module: string;
  readonly export: string;
  readonly spec: ToolSpec;
}

/** What a host adds to what was bundled. */
export interface BundledSourceOptions {
  /** The operator's settings by package id. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** A source of tools that were bundled with the host: nothing is looked for on disk, and code loads when a tool is first called. */
export function createBundledSource(
  packages: readonly BundledPackage[],
  { options = {} }: BundledSourceOptions = {},
): ToolSource {
  const entries = packages
    .toSorted((a, b) => compareText(a.id, b.id))
    .flatMap((one) =>
      one.tools.map((tool) => toEntry(one, tool, Object.hasOwn(options, one.id) ? options[one.id] : undefined)),
    );
  return { name: "bundled", list: () => Promise.resolve(entries) };
}

function toEntry(bundled: BundledPackage, tool: BundledTool, options: unknown): ToolEntry {
  const { id: packageKey, version } = bundled;
  const { name } = tool.spec;
  let loaded: Promise<Tool> | undefined;
  return createEntry({
    id: `${packageKey}/${name}`,
    name,
    origin: { source: "bundled", package: packageKey, ...(version !== undefined && { version }) },
    spec: tool.spec,
    options,
    isLoaded: () => loaded !== undefined,
    load: () =>
      (loaded ??= load(bundled, tool).catch((error: unknown) => {
        // A chunk that could not be fetched may be there the next time.
        loaded = undefined;
        throw error;
      })),
  });
}

async function load({ id: packageKey, version, modules }: BundledPackage, tool: BundledTool): Promise<Tool> {
  const { name } = tool.spec;
  const imported = await importModule(modules, tool.module);
  const bound = isRefusal(imported) ? imported : bindExport(imported.exports, { ...tool, name });
  if (!isRefusal(bound)) return bound;
  const finding = createFinding({
    tool: name,
    ...bound,
    package: packageKey,
    ...(version !== undefined && { version }),
  });
  throw new AiwError("load_failed", `${packageKey}/${name}: ${finding.reason}`, {
    fix: finding.fix,
    details: { finding },
  });
}

/** What a module exports may be called anything, so it is kept apart from what is said of it. */
async function importModule(
  modules: BundledPackage["modules"],
  module: string,
): Promise<{ readonly exports: ModuleExports } | Refusal> {
  const load = Object.hasOwn(modules, module) ? modules[module] : undefined;
  if (load === undefined)
    return {
      code: "entry_missing",
      reason: `${module} was not bundled.`,
      fix: "Write the registry again: aiw build --registry",
    };
  try {
    return { exports: (await load()) as ModuleExports };
  } catch (error) {
    return {
      code: "load_failed",
      reason: `${module} failed: ${toShownError(error)}`,
      fix: "Correct it and bundle again.",
    };
  }
}
