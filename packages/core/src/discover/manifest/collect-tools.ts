import type { CompiledTool } from "../../contract/compiled-function.ts";
import type { JsonSchema } from "../../contract/json.ts";
import { CONTRACT_VERSION, isTool, isToolPackage, type Tool, type ToolPackage } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { compareText } from "../../register/create-finding.ts";
import { isExportName } from "../files/package-path.ts";
import { toTool } from "../load/pick-tool.ts";
import { notWritable } from "./not-writable.ts";

/** A tool as a manifest lists it. */
export interface ExportedTool {
  readonly spec: ToolSpec;
  readonly export: string;
}

/** What a module brings. */
export interface CollectedTools {
  readonly tools: readonly ExportedTool[];
  readonly optionsSchema: JsonSchema | undefined;
}

/** Where tools come from. */
export interface ToolOrigins {
  readonly exports: Readonly<Record<string, unknown>>;
  /** The module as its author names it. */
  readonly module: string;
  readonly compiled: readonly CompiledTool[];
}

/**
 * Takes the tools that code tells, and those that were compiled from its source where the code is silent.
 * @throws AiwError `manifest_not_writable`
 */
export function collectTools({ exports, module, compiled }: ToolOrigins): CollectedTools {
  const { tools, optionsSchema } = collect(exports, module);
  const told = new Set(tools.map(({ spec }) => spec.name));
  return { tools: [...tools, ...compiled.filter(({ spec }) => !told.has(spec.name))], optionsSchema };
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
  const tools = [...exported].map(([{ spec }, name]) => ({ spec, export: name }));
  return { tools: isUnnamed ? [{ spec: own.spec, export: "default" }, ...tools] : tools, optionsSchema: undefined };
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
    tools: toolPackage.tools.map((tool) => ({ spec: tool.spec, export: exported.get(tool) ?? "default" })),
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
