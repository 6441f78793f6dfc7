import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../../contract/json.ts";
import type { ToolSchema } from "../../schema/to-json-schema.ts";
import type { ToolFacts } from "../tool-facts.ts";

/** What to say of a method that becomes a tool; what is not said here is taken from its compiled spec. */
export interface MethodFacts<
  Input extends ToolSchema | undefined = ToolSchema | undefined,
  Output = unknown,
  Names extends readonly string[] | undefined = readonly string[] | undefined,
> extends Partial<ToolFacts> {
  /** The schema of its arguments: any Standard Schema that gives JSON Schema, or a raw JSON Schema. */
  readonly input?: Input;
  /** The JSON Schema to offer when the library behind `input` cannot give one. */
  readonly inputSchema?: JsonSchema;
  /** What a success looks like; checked after every call. The method returns what the schema takes. */
  readonly output?: StandardSchemaV1<Output, unknown> | JsonSchema;
  /**
   * Names of the schema's properties in the order of the method's parameters, for a method that takes its arguments one by one;
   * the context follows them. Without it the method gets the arguments as one object, and the context.
   */
  readonly parameters?: Names;
  /** For the model: what parameters mean, by name; replaces what the schema says. */
  readonly parameterDescriptions?: { readonly [parameter: string]: string };
}
