import type { Tool } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { toSpec, type SpecOrEntry } from "../compiled/spec-or-entry.ts";
import { isCompiledFrom, nameOf, toMethodName } from "./to-method-spec.ts";
import { toMethodTool } from "./to-method-tool.ts";
import { listToolMethods, type ToolMethod } from "./tool-methods.ts";

/** What is known of a class beyond its code. */
export interface ToolsOfOptions {
  /** Compiled definitions, such as the tools of the package's own manifest, for methods that have no schema. */
  readonly specs?: readonly SpecOrEntry[];
}

const made = new WeakMap<object, readonly Tool[]>();

/**
 * Makes the tools of an object whose class declares methods with `@tool`; of a class, those of its static methods and of one
 * instance, which is made without arguments. The same object gives the same tools.
 * @throws AiwError `tool_definition_invalid` or `schema_not_convertible`, naming what to change.
 */
export function toolsOf(target: object, { specs = [] }: ToolsOfOptions = {}): readonly Tool[] {
  const known = specs.length === 0 ? made.get(target) : undefined;
  if (known !== undefined) return known;
  const methods = listToolMethods(target);
  if (methods.length === 0) {
    throw new AiwError("tool_definition_invalid", `${describeTarget(target)} has no method with @tool.`, {
      fix: "Write @tool({ description }) before an async method, and pass an instance of the class.",
    });
  }
  if (!Array.isArray(specs))
    throw new AiwError("tool_definition_invalid", "The specs for toolsOf are no list.", {
      fix: "Pass the tools of the manifest that aiw build wrote: toolsOf(instance, { specs: manifest.tools }).",
    });
  const compiled = specs.map(toSpec);
  const tools = Object.freeze(
    methods.map((declared) => toMethodTool(target, declared, findCompiledSpec(declared, compiled))),
  );
  assertDistinct(tools, target);
  if (specs.length === 0) made.set(target, tools);
  return tools;
}

/** Methods of several classes may share a name: then the tool's name decides. */
function findCompiledSpec(declared: ToolMethod, compiled: readonly ToolSpec[]): ToolSpec | undefined {
  const candidates = compiled.filter((spec) => isCompiledFrom(spec, declared));
  const named = candidates.find(({ name }) => name === toMethodName(declared));
  return named ?? (declared.facts.name === undefined && candidates.length === 1 ? candidates[0] : undefined);
}

function describeTarget(target: unknown): string {
  return (typeof target === "object" && target !== null) || typeof target === "function"
    ? nameOf(target)
    : String(target);
}

function assertDistinct(tools: readonly Tool[], target: object): void {
  const names = new Set<string>();
  for (const { spec } of tools) {
    const folded = spec.name.toLowerCase();
    if (names.has(folded)) {
      throw new AiwError("tool_definition_invalid", `Two tool methods of ${nameOf(target)} are called ${spec.name}.`, {
        fix: "Give one of them another name: @tool({ name }).",
      });
    }
    names.add(folded);
  }
}
