import { TOOL_BRAND, isTool, isToolPackage, type Tool } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { bindCompiled, findCompiledProblem } from "../../define/compiled/bind-compiled.ts";
import { isCompiledFrom, toMethodName } from "../../define/decorate/to-method-spec.ts";
import { toMethodTool } from "../../define/decorate/to-method-tool.ts";
import { listToolMethods, type ToolMethod } from "../../define/decorate/tool-methods.ts";
import { quote, toShownText } from "../../register/create-finding.ts";
import { compiledOf } from "../../schema/compiled-function.ts";
import type { Refusal } from "../read/read-declaration.ts";

/** Which export is wanted, and what is known of the tool. */
export interface WantedTool {
  readonly name: string;
  readonly export: string;
  /** With a spec, a function or a method that tells nothing is enough. */
  readonly spec: ToolSpec | undefined;
}

type Exports = Readonly<Record<string, unknown>>;

/** Takes a tool from a module's exports: a tool, a tool class, one of several by name, or a function whose definition is listed. */
export function pickTool(exports: Exports, wanted: WantedTool): Tool | Refusal {
  const candidates = candidatesOf(exports, wanted.export);
  if (candidates.length === 0) {
    const names = toShownText(Object.keys(exports).slice(0, 20).join(", ")) || "none";
    return {
      code: "export_missing",
      reason: `There is no export ${quote(wanted.export)}; there are: ${names}.`,
      fix: "Name an export that exists, and build again.",
    };
  }
  for (const candidate of candidates) {
    const tool = recognise(candidate, wanted);
    if (tool !== undefined) return tool;
  }
  return refuseExport(candidates[0], wanted);
}

function refuseExport(candidate: unknown, { name, export: exported, spec }: WantedTool): Refusal {
  const reason = `The export ${quote(exported)} is no tool called ${name}`;
  const compiled = spec && compiledOf(spec);
  if (compiled !== undefined) {
    const problem = findCompiledProblem(candidate, compiled) ?? "it was not recognised";
    return {
      code: "export_invalid",
      reason: `${reason}: ${toShownText(problem)}.`,
      fix: "Build the package again: aiw build",
    };
  }
  return {
    code: "export_invalid",
    reason: `${reason}.`,
    fix: "Export what defineTool, defineToolPackage or toolsOf returns, or a class that extends BaseTool or has methods with @tool.",
  };
}

/** Gives a tool the listed definition for good; whatever the object says later is not asked. */
export function bindTool(tool: Tool, spec: ToolSpec): Tool {
  return Object.freeze({
    [TOOL_BRAND]: true as const,
    contractVersion: tool.contractVersion,
    spec,
    execute: tool.execute.bind(tool),
    ...(tool.parseInput && { parseInput: tool.parseInput.bind(tool) }),
    ...(tool.parseOutput && { parseOutput: tool.parseOutput.bind(tool) }),
    ...(tool.parseOptions && { parseOptions: tool.parseOptions.bind(tool) }),
    ...(tool.assess && { assess: tool.assess.bind(tool) }),
    ...(tool.preview && { preview: tool.preview.bind(tool) }),
  });
}

/** At the named export, else on `default`: what CommonJS assigned to `module.exports`, compiled or not. */
export function candidatesOf(exports: Exports, name: string): unknown[] {
  const common = asObject(exports["default"]);
  const named = [
    Object.hasOwn(exports, name) ? exports[name] : undefined,
    own(common, name),
    own(asObject(own(common, "default")), name),
  ];
  if (name === "default") named.push(common?.["__esModule"] === true ? own(common, "default") : undefined);
  return named.filter((candidate) => candidate !== undefined);
}

function own(value: Exports | undefined, name: string): unknown {
  return value !== undefined && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Sees an object or function as its members. */
export function asObject(value: unknown): Exports | undefined {
  return (typeof value === "object" && value !== null) || typeof value === "function" ? (value as Exports) : undefined;
}

/** Takes a tool as it is, and makes one of a tool class. */
export function toTool(value: unknown): Tool | undefined {
  if (isTool(value)) return value;
  return isToolClass(value) ? new value() : undefined;
}

/** What is a tool by itself tells its own definition, whatever is listed. */
function recognise(value: unknown, wanted: WantedTool): Tool | undefined {
  if (isToolPackage(value)) return findNamed(value.tools, wanted);
  if (Array.isArray(value)) return findNamed(value, wanted);
  return toTool(value) ?? pickMethod(value, wanted) ?? bindFunction(value, wanted.spec);
}

function findNamed(items: readonly unknown[], wanted: WantedTool): Tool | undefined {
  for (const item of items) {
    const tool = toTool(item) ?? pickMethod(item, wanted);
    if (tool?.spec.name === wanted.name) return tool;
  }
  return undefined;
}

/** A tool method by its name, or by the method that a compiled spec names. */
function pickMethod(value: unknown, { name, spec }: WantedTool): Tool | undefined {
  const compiled = spec !== undefined && compiledOf(spec) !== undefined ? spec : undefined;
  const isWanted = (one: ToolMethod): boolean =>
    compiled === undefined ? toMethodName(one) === name : isCompiledFrom(compiled, one);
  const method = listToolMethods(value).find(isWanted);
  return method && toMethodTool(value as object, method, compiled);
}

/** Where the code is silent, the listed definition counts. */
function bindFunction(value: unknown, spec: ToolSpec | undefined): Tool | undefined {
  if (spec === undefined || findCompiledProblem(value, compiledOf(spec) ?? { compiled: true }) !== undefined)
    return undefined;
  return bindCompiled(value, spec);
}

/** Recognises a class whose instances are tools. */
export function isToolClass(value: unknown): value is new () => Tool {
  if (typeof value !== "function") return false;
  const prototype: unknown = value.prototype;
  return typeof prototype === "object" && prototype !== null && TOOL_BRAND in prototype;
}
