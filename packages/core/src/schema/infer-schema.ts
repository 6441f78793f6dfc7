import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { JsonSchema } from "../contract/json.ts";

/** The value a schema produces: what `execute` receives. */
export type InferSchema<Schema> = Schema extends StandardSchemaV1
  ? StandardSchemaV1.InferOutput<Schema>
  : Schema extends JsonSchema
    ? InferJsonSchema<Schema>
    : unknown;

/** The value a literal JSON Schema describes; what it cannot follow is `unknown`. */
export type InferJsonSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: infer Type }
      ? InferType<Schema, Type extends readonly (infer One)[] ? One : Type>
      : Schema extends { readonly anyOf: readonly (infer Branch)[] } | { readonly oneOf: readonly (infer Branch)[] }
        ? InferJsonSchema<Branch>
        : unknown;

type InferType<Schema, Type> = Type extends "string"
  ? string
  : Type extends "number" | "integer"
    ? number
    : Type extends "boolean"
      ? boolean
      : Type extends "null"
        ? null
        : Type extends "array"
          ? Schema extends { readonly items: infer Items }
            ? InferJsonSchema<Items>[]
            : unknown[]
          : Type extends "object"
            ? InferObject<Schema>
            : unknown;

type InferObject<Schema> = Schema extends { readonly properties: infer Properties }
  ? Simplify<
      {
        -readonly [
          Name in keyof Properties as IsPresent<Schema, Properties, Name> extends true ? Name : never
        ]: InferJsonSchema<Properties[Name]>;
      } & {
        -readonly [
          Name in keyof Properties as IsPresent<Schema, Properties, Name> extends true ? never : Name
        ]?: InferJsonSchema<Properties[Name]>;
      }
    >
  : { [name: string]: unknown };

/** Required properties are present, and so are those with a default. */
type IsPresent<Schema, Properties, Name extends keyof Properties> = Properties[Name] extends {
  readonly default: unknown;
}
  ? true
  : Schema extends { readonly required: readonly (infer Required)[] }
    ? Name extends Required
      ? true
      : false
    : false;

type Simplify<Type> = { [Key in keyof Type]: Type[Key] };
