import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../contract/json.ts";
import type { Tool, ToolOutput } from "../contract/tool.ts";
import type { ToolContext } from "../contract/tool-context.ts";
import { AiwError } from "../errors/aiw-error.ts";
import type { InferSchema } from "../schema/infer-schema.ts";
import type { ToolSchema } from "../schema/to-json-schema.ts";
import { assertParameters } from "./assert-parameters.ts";
import { bindCompiled } from "./compiled/bind-compiled.ts";
import { isClass } from "./compiled/find-method.ts";
import { toSpec, type SpecOrEntry } from "./compiled/spec-or-entry.ts";
import { toArguments } from "./compiled/to-arguments.ts";
import { defineTool, type NoInput } from "./define-tool.ts";
import { freezeSpec } from "./to-tool-spec.ts";
import { toSnakeCase } from "./to-snake-case.ts";
import type { ToolFacts } from "./tool-facts.ts";

/** The order of arguments that are given one by one; absent for one object. */
export type ParameterNames = readonly string[] | undefined;

/** What to say of a plain function that becomes a tool. */
export interface FunctionFacts<
  Input extends ToolSchema = ToolSchema,
  Names extends ParameterNames = ParameterNames,
> extends Omit<ToolFacts, "name"> {
  /** The function's own name in snake_case unless given. */
  readonly name?: string;
  /** The schema of its arguments: any Standard Schema that gives JSON Schema, or a raw JSON Schema. */
  readonly input?: Input;
  /** The JSON Schema to offer when the library behind `input` cannot give one. */
  readonly inputSchema?: JsonSchema;
  /** What a success looks like; checked after every call. */
  readonly output?: StandardSchemaV1 | JsonSchema;
  /**
   * Names of the schema's properties in the order of the function's parameters, for a function that takes its arguments one by
   * one; the context follows them. Without it the function gets the arguments as one object, and the context.
   */
  readonly parameters?: Names;
}

/** A plain function that can become a tool; the types of arguments taken one by one are the author's word. */
export type ToolFunction<Input extends ToolSchema, Names> = Names extends readonly string[]
  ? (...args: never[]) => unknown
  : (input: InferSchema<Input>, context: ToolContext) => ToolOutput<unknown>;

/** The definition of a function that was compiled from its source. */
export interface CompiledFacts {
  /** Its spec, such as the one of its entry in the package's own manifest. */
  readonly spec: SpecOrEntry;
}

/**
 * Makes a tool of a plain function and a schema, or of a function, class or object and its compiled definition: synchronous,
 * asynchronous, or a generator whose yields are streamed.
 * @throws AiwError `tool_definition_invalid` or `schema_not_convertible`, naming what to change.
 */
export function defineFunction(run: object, compiled: CompiledFacts): Tool;
export function defineFunction<
  const Input extends ToolSchema = NoInput,
  const Names extends ParameterNames = undefined,
>(run: ToolFunction<Input, Names>, facts: FunctionFacts<Input, Names>): Tool;
export function defineFunction(run: object, facts: FunctionFacts | CompiledFacts): Tool {
  if (facts !== undefined && "spec" in facts) return bindCompiled(run, freezeSpec(toSpec(facts.spec)));
  return defineByFacts(run, facts);
}

function defineByFacts(run: unknown, facts: FunctionFacts): Tool {
  assertPlainFunction(run);
  const { parameters, name = toSnakeCase(run.name), ...rest } = facts ?? {};
  if (name === "") {
    throw invalid("The function has no name.", 'Give it one, or pass { name: "get_weather" }.');
  }
  if (rest.description === undefined) {
    throw invalid(`${name} has no description.`, "Pass { description } that tells a model what the function does.");
  }
  if (rest.input === undefined && rest.inputSchema === undefined && run.length > 0) {
    throw invalid(
      `${name} takes arguments and has no schema.`,
      "Pass { input }: a Standard Schema such as z.object({ … }), or a JSON Schema.",
    );
  }
  // What the conditional type promised, said in a form that can be called.
  const call = run as (...args: unknown[]) => ToolOutput<unknown>;
  const tool = defineTool({
    ...rest,
    name,
    execute: (input: unknown, context) => call(...toArguments(input, context, { parameters })),
  });
  if (parameters !== undefined) assertParameters(parameters, tool.spec);
  return tool;
}

function assertPlainFunction(run: unknown): asserts run is (...args: never[]) => unknown {
  if (typeof run !== "function") throw invalid("What is registered is no function.", "Pass the function itself.");
  if (!isClass(run)) return;
  throw invalid(
    `${run.name || "The class"} is a class, which cannot be called.`,
    "Register an instance: registry.register(new MyTool()), or adaptTool(MyTool).",
  );
}

function invalid(message: string, fix: string): AiwError {
  return new AiwError("tool_definition_invalid", message, { fix });
}
