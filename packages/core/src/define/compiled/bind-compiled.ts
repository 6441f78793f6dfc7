import type { CompiledFunction } from "../../contract/compiled-function.ts";
import { CONTRACT_VERSION, isGenerator, TOOL_BRAND, type Tool, type ToolOutput } from "../../contract/tool.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { AiwError } from "../../errors/aiw-error.ts";
import { compiledOf } from "../../schema/compiled-function.ts";
import { toDateParse, toDateTexts } from "./convert-dates.ts";
import { findMethod, isClass, type AnyFunction } from "./find-method.ts";
import { instanceOf } from "./instance-of.ts";
import { toArguments } from "./to-arguments.ts";

const PLAIN: CompiledFunction = { compiled: true };

/**
 * Gives a spec the function that keeps its promise: the value itself, or a method of it; of a class, one instance is made. The
 * spec has been checked.
 * @throws AiwError `tool_definition_invalid` when the value has no such function, or its class cannot be constructed.
 */
export function bindCompiled(value: unknown, spec: ToolSpec): Tool {
  const compiled = compiledOf(spec) ?? PLAIN;
  const { self, run } = resolveFunction(value, spec.name, compiled);
  const { dates = [], outputDates = [] } = compiled;
  const toOutput = outputDates.length === 0 ? undefined : toDateTexts(outputDates);
  return Object.freeze({
    [TOOL_BRAND]: true as const,
    contractVersion: CONTRACT_VERSION,
    spec,
    ...(dates.length > 0 && { parseInput: toDateParse(dates) }),
    execute: (input: unknown, context: unknown) => {
      const output: unknown = Reflect.apply(run, self, toArguments(input, context, compiled));
      return (toOutput === undefined ? output : convertOutput(output, toOutput)) as ToolOutput<unknown>;
    },
  });
}

/** Says why a value is not what a compiled tool is called on; no class is constructed for that. */
export function findCompiledProblem(
  value: unknown,
  { method, static: isStatic }: CompiledFunction,
): string | undefined {
  if (method === undefined) {
    if (typeof value !== "function") return "it is no function";
    return isClass(value) ? "it is a class, and its definition names no method of it" : undefined;
  }
  if (!isHolder(value)) return "it is no class and no object";
  // What a constructor adds is seen when there is an instance.
  if (findMethod(value, method) !== undefined || (isStatic !== true && isClass(value))) return undefined;
  return noMethod(method, isStatic === true);
}

interface BoundFunction {
  /** What the function is called with as `this`. */
  readonly self: unknown;
  readonly run: AnyFunction;
}

function resolveFunction(value: unknown, tool: string, compiled: CompiledFunction): BoundFunction {
  const { method, static: isStatic } = compiled;
  const problem = findCompiledProblem(value, compiled);
  if (problem !== undefined) throw unbindable(tool, problem);
  if (method === undefined) return { self: undefined, run: value as AnyFunction };
  const self = isStatic !== true && isClass(value) ? instanceOf(value) : (value as object);
  const run = findMethod(self, method);
  if (run === undefined) throw unbindable(tool, noMethod(method, false));
  return { self, run };
}

function isHolder(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}

function noMethod(method: string, isStatic: boolean): string {
  return `it has no ${isStatic ? "static " : ""}method ${JSON.stringify(method)}`;
}

function unbindable(tool: string, problem: string): AiwError {
  return new AiwError("tool_definition_invalid", `${tool}: ${problem}.`, { fix: "Build the package again: aiw build" });
}

/** A generator goes on streaming; what it returns is the output. */
function convertOutput(output: unknown, convert: (value: unknown) => unknown): unknown {
  if (isGenerator(output)) return forward(output, convert);
  if (isThenable(output)) return Promise.resolve(output).then((value) => convertOutput(value, convert));
  return convert(output);
}

async function* forward(
  generator: AsyncGenerator<unknown> | Generator<unknown>,
  convert: (value: unknown) => unknown,
): AsyncGenerator<unknown, unknown> {
  return convert(yield* generator);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
