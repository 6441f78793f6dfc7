import { TOOL_BRAND, type Tool, type ToolOutput } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { compiledOf } from "../../schema/compiled-function.ts";
import { isStandardSchema } from "../../schema/to-json-schema.ts";
import { bindCompiled } from "../compiled/bind-compiled.ts";
import { isClass } from "../compiled/find-method.ts";
import { instanceOf } from "../compiled/instance-of.ts";
import { toArguments } from "../compiled/to-arguments.ts";
import { toParse } from "../to-parse.ts";
import { requireMethod, toMethodSpec } from "./to-method-spec.ts";
import type { ToolMethod } from "./tool-methods.ts";

/** On a tool: whose method it is, across copies of this package. */
const METHOD_ORIGIN = Symbol.for("@aiw/core/method-origin");

/** Whose method a tool is. */
export interface MethodOrigin {
  readonly owner: object;
  readonly method: string;
  readonly isStatic: boolean;
}

/**
 * Makes the tool of a tool method: of an instance, or of a class, whose one instance is made unless the method is static.
 * @throws AiwError `tool_definition_invalid` or `schema_not_convertible`, naming what to change.
 */
export function toMethodTool(owner: object, declared: ToolMethod, compiled?: ToolSpec): Tool {
  const { method, isStatic, facts, contractVersion } = declared;
  const spec = toMethodSpec(owner, declared, compiled);
  const self = !isStatic && isClass(owner) ? instanceOf(owner) : owner;
  const { input, output } = facts;
  const origin: MethodOrigin = { owner, method, isStatic };
  return Object.freeze({
    ...(compiledOf(spec) === undefined ? bindMethod(self, declared, spec) : bindCompiled(self, spec)),
    contractVersion,
    [METHOD_ORIGIN]: origin,
    ...(input && isStandardSchema(input) && { parseInput: toParse(input) }),
    ...(output && isStandardSchema(output) && { parseOutput: toParse(output) }),
  });
}

/** Says whose method a tool is, if it is one. */
export function methodOriginOf(tool: object): MethodOrigin | undefined {
  return (tool as { readonly [METHOD_ORIGIN]?: MethodOrigin })[METHOD_ORIGIN];
}

/** What a copy of a tool takes over of it beside the contract's members. */
export function copyMethodOrigin(tool: object): object {
  const origin = methodOriginOf(tool);
  return origin === undefined ? {} : { [METHOD_ORIGIN]: origin };
}

function bindMethod(self: object, { method, facts, contractVersion }: ToolMethod, spec: ToolSpec): Tool {
  const run = requireMethod(self, method);
  return {
    [TOOL_BRAND]: true,
    contractVersion,
    spec,
    execute: (input, context) => Reflect.apply(run, self, toArguments(input, context, facts)) as ToolOutput<unknown>,
  };
}
