import type { CompiledTool } from "../../contract/compiled-function.ts";
import type { JsonSchema } from "../../contract/json.ts";
import { CONTRACT_VERSION, isTool, isToolPackage, type Tool, type ToolPackage } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { findCompiledProblem } from "../../define/compiled/bind-compiled.ts";
import { isCompiledFrom, toMethodSpec } from "../../define/decorate/to-method-spec.ts";
import { compareText } from "../../register/create-finding.ts";
import { compiledOf } from "../../schema/compiled-function.ts";
import { isExportName } from "../files/package-path.ts";
import { asObject, candidatesOf, isToolClass } from "../load/pick-tool.ts";
import { distinctCandidates, listCandidates, toCandidateTool, type Candidate } from "../load/tool-candidates.ts";
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

/** A candidate and the export that leads to it. */
interface ExportedCandidate extends Candidate {
  readonly export: string;
}

/**
 * Takes the tools that code tells, and those that were compiled from its source where the code is silent.
 * @throws AiwError `manifest_not_writable`, `tool_definition_invalid`, `schema_not_convertible`
 */
export function collectTools(origins: ToolOrigins): CollectedTools {
  const { exports, compiled } = origins;
  const byDefault = exports["default"];
  const named = listNamed(exports);
  const told = isToolPackage(byDefault) ? fromPackage(byDefault, named) : fromExports(named, origins);
  const names = new Set(told.tools.map(({ spec }) => spec.name));
  const silent = compiled.filter(({ spec }) => !names.has(spec.name)).map((one) => layOverCode(one, named, origins));
  // A method whose compiled name the code replaced has been told under its own.
  return { ...told, tools: [...told.tools, ...silent.filter(({ spec }) => !names.has(spec.name))] };
}

/** Each tool under the first of its names, those that are tools already before methods that become some. */
function listNamed(exports: ToolOrigins["exports"]): readonly ExportedCandidate[] {
  const named = Object.keys(exports)
    .filter((name) => name !== "default" && isExportName(name))
    .toSorted(compareText)
    .flatMap((name) => listExported(name, exports[name]));
  return distinctCandidates(named.toSorted((a, b) => Number(a.method !== undefined) - Number(b.method !== undefined)));
}

function listExported(name: string, value: unknown): ExportedCandidate[] {
  return listCandidates(name, value).map((candidate) => ({ ...candidate, export: name }));
}

/** Without a default package or list, which say what belongs to them, every export that is a tool does. */
function fromExports(named: readonly ExportedCandidate[], { exports, module, compiled }: ToolOrigins): CollectedTools {
  const byDefault = exports["default"];
  const unnamed = listExported("default", byDefault);
  if (unnamed.length === 0) assertNoUnnamedTools(byDefault, { module, named });
  const candidates = distinctCandidates(
    Array.isArray(byDefault) && unnamed.length > 0 ? unnamed : [...named, ...unnamed],
  );
  const tools = candidates.map((candidate) => toExported(candidate, { exports, compiled }));
  const names = new Set(tools.filter((one) => one.export !== "default").map(({ spec }) => spec.name));
  return {
    tools: tools.filter((one) => one.export !== "default" || !names.has(one.spec.name)),
    optionsSchema: undefined,
  };
}

/** Of a CommonJS module the default export is the object of all that it exports, most of it by name too. */
function assertNoUnnamedTools(
  byDefault: unknown,
  { module, named }: { readonly module: string; readonly named: readonly ExportedCandidate[] },
): void {
  const values = named.map(({ value }) => value);
  const tools = Object.values(asObject(byDefault) ?? {}).filter((one) => isTool(one));
  if (tools.every((tool) => values.includes(tool))) return;
  throw notWritable(
    `The default export of ${module} is an object of tools, in which a manifest cannot name one.`,
    "Export defineToolPackage({ tools: [...] }) as default, or each tool by its name.",
  );
}

function fromPackage(toolPackage: ToolPackage, named: readonly ExportedCandidate[]): CollectedTools {
  if (!(toolPackage.contractVersion <= CONTRACT_VERSION)) {
    throw notWritable(
      `The package speaks contract version ${toolPackage.contractVersion}, this @aiw/core ${CONTRACT_VERSION}.`,
      "Install a newer @aiw/core.",
    );
  }
  // With options, the package's copy of a tool knows their schema and the export alone does not.
  const exported = new Map(named.map(({ value, export: name }) => [value, name]));
  return {
    tools: toolPackage.tools.map((tool) => ({ spec: tool.spec, export: exported.get(tool) ?? "default" })),
    optionsSchema: toolPackage.optionsSchema,
  };
}

function toExported(
  candidate: ExportedCandidate,
  { exports, compiled }: Pick<ToolOrigins, "exports" | "compiled">,
): ExportedTool {
  const { value, method, export: exported } = candidate;
  if (method === undefined) return { spec: (toCandidateTool(candidate) as Tool).spec, export: exported };
  const inferred = compiled.find((one) => isInferred(one, candidate, exports));
  return { spec: toMethodSpec(value as object, method, inferred?.spec), export: exported };
}

/** What was compiled from a class holds for its exported instance. */
function isInferred(one: CompiledTool, { value, method }: Candidate, exports: ToolOrigins["exports"]): boolean {
  if (method === undefined || !isCompiledFrom(one.spec, method)) return false;
  const owners = [value, asObject(value)?.["constructor"]];
  return candidatesOf(exports, one.export).some((exported) => owners.includes(exported));
}

/** What the code says of a compiled tool counts, and without the function it names there is none. */
function layOverCode(one: CompiledTool, named: readonly ExportedCandidate[], origins: ToolOrigins): ExportedTool {
  const { spec, export: exported } = one;
  const decorated = named.find((candidate) => isInferred(one, candidate, origins.exports));
  if (decorated !== undefined) return toExported(decorated, origins);
  const compiled = compiledOf(spec);
  const values = candidatesOf(origins.exports, exported);
  const problem = compiled === undefined ? "its definition was not compiled" : findProblem(values, compiled);
  if (problem === undefined) return { spec, export: exported };
  throw notWritable(
    `${spec.name} of ${origins.module}: ${problem}.`,
    "Build the module again, from the source its tools were compiled from.",
  );
}

function findProblem(
  values: readonly unknown[],
  compiled: Parameters<typeof findCompiledProblem>[1],
): string | undefined {
  const problems = values.map((value) =>
    tellsItself(value) ? "its code tells a definition of its own" : findCompiledProblem(value, compiled),
  );
  return problems.includes(undefined) ? undefined : (problems[0] ?? "there is no such export");
}

/** What is such by itself is never taken for a function or a class of plain methods. */
function tellsItself(value: unknown): boolean {
  return isTool(value) || isToolClass(value) || isToolPackage(value) || Array.isArray(value);
}
