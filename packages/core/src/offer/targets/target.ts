import type { Json, JsonObject, JsonSchema } from "../../contract/json.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";

/** Every format a definition may have; {@link DefinitionFormat} names those that are built. */
export type Format = "openai" | "openai-strict" | "openrouter" | "anthropic" | "gemini" | "mcp";

/** A keyword that the format cannot say. */
export interface Loss {
  /** JSON pointer in the schema the model sees. */
  readonly pointer: string;
  readonly keyword: string;
  readonly value: Json;
  /** Who still knows it: the model in words, or the validator alone. */
  readonly kept: "description" | "validator";
}

/** A schema as a format can say it. */
export interface WireSchema {
  readonly schema: JsonSchema;
  readonly losses: readonly Loss[];
  /** What the root lost, in words for the tool's own description. */
  readonly rootPhrases: readonly string[];
  /** Undoes renamed members in what the model sends. */
  restore(input: unknown): unknown;
}

/** What a definition is written from. */
export interface DefinitionParts {
  readonly spec: ToolSpec;
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  /** The flat form of OpenAI's Responses endpoint. */
  readonly flat: boolean;
}

/** One format: how it says a schema and how it shapes a definition. */
export interface Target {
  /** Tools a request may carry. */
  readonly maxTools?: number;
  /** Gives a reason instead when the schema cannot be said at all. */
  toWireSchema(schema: JsonSchema): WireSchema | { readonly reason: string; readonly fix: string };
  toDefinition(parts: DefinitionParts): JsonObject;
}
