import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../contract/json.ts";
import { CONTRACT_VERSION, TOOL_BRAND, type Assessment, type Tool, type ToolOutput } from "../contract/tool.ts";
import type { ToolContext, UntypedOptions } from "../contract/tool-context.ts";
import type { ToolResult } from "../contract/tool-result.ts";
import type { ToolSpec } from "../contract/tool-spec.ts";
import type { InferSchema } from "../schema/infer-schema.ts";
import { isStandardSchema, toJsonSchema, type ToolSchema } from "../schema/to-json-schema.ts";
import { toParse } from "./to-parse.ts";
import { toToolSpec } from "./to-tool-spec.ts";
import type { ToolFacts } from "./tool-facts.ts";

/** The schema of a tool without parameters. */
export interface NoInput {
  readonly type: "object";
  readonly properties: {};
  readonly [keyword: string]: unknown;
}

/** The type of `context.options` for an options schema. */
export type InferOptions<Options> = Options extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Options>
  : UntypedOptions;

/** A tool as an author writes it. */
export interface ToolDefinition<Input extends ToolSchema, Output, Options> extends ToolFacts {
  /** Any Standard Schema that gives JSON Schema (zod, arktype …), or a raw JSON Schema; absent means no parameters. */
  readonly input?: Input;
  /** The JSON Schema to offer when the library behind `input` cannot give one. */
  readonly inputSchema?: JsonSchema;
  /** What a success looks like; checked after every call. */
  readonly output?: StandardSchemaV1<unknown, Output> | JsonSchema;
  /** The package's options schema, so that `context.options` is validated and typed. */
  readonly options?: Options;
  execute(input: InferSchema<Input>, context: ToolContext<InferOptions<Options>>): ToolOutput<Output>;
  /** A verdict on these arguments, before anything runs; must not have effects. A `ToolError` it throws is the call's result. */
  assess?(input: InferSchema<Input>, context: ToolContext<InferOptions<Options>>): Assessment | Promise<Assessment>;
  /** Lines of fact for a person; the default shows the value. */
  preview?(result: ToolResult<Output>, maxLines: number): string[];
}

/**
 * Makes a tool of a definition; the types of arguments, options and output are inferred.
 * @throws AiwError `tool_definition_invalid` or `schema_not_convertible`, naming what to change.
 */
export function defineTool<
  const Input extends ToolSchema = NoInput,
  Output = unknown,
  Options extends StandardSchemaV1 | undefined = undefined,
>(definition: ToolDefinition<Input, Output, Options>): Tool<InferSchema<Input>, Output, InferOptions<Options>> {
  type Defined = Tool<InferSchema<Input>, Output, InferOptions<Options>>;
  const { input, output, options } = definition;
  const tool: Defined = {
    [TOOL_BRAND]: true,
    contractVersion: CONTRACT_VERSION,
    spec: toSpec(definition),
    execute: (args, context) => definition.execute(args, context),
    // The schema that produced the type is the one that parses to it; TypeScript cannot follow a conditional type here.
    ...(input && isStandardSchema(input) && { parseInput: toParse(input) as Defined["parseInput"] & {} }),
    ...(output && isStandardSchema(output) && { parseOutput: toParse(output) as Defined["parseOutput"] & {} }),
    ...(options && { parseOptions: toParse(options) as Defined["parseOptions"] & {} }),
    ...(definition.assess && { assess: definition.assess.bind(definition) }),
    ...(definition.preview && { preview: definition.preview.bind(definition) }),
  };
  return Object.freeze(tool);
}

function toSpec<Output, Options>(definition: ToolDefinition<ToolSchema, Output, Options>): ToolSpec {
  const { input, inputSchema, output } = definition;
  return toToolSpec({
    facts: definition,
    inputSchema: inputSchema ?? (input && toJsonSchema(input, "input")),
    outputSchema: output && toJsonSchema(output, "output"),
    assess: definition.assess !== undefined,
  });
}
