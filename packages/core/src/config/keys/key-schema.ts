/** What a project's own file does by setting a key; what widens waits until a person trusts it. */
export type KeyEffect =
  /** Takes away, so it holds at once. */
  | "narrows"
  /** Gives, so it waits. */
  | "widens"
  /** Narrows up to its default, widens beyond. */
  | "widens_above_default"
  /** Widens with any value but its default. */
  | "widens_unless_default"
  /** Widens with the values that `x-aiw-widening` names, narrows with others. */
  | "widens_for_some"
  /** Each rule by its decision: `ask` and `deny` narrow, `allow` widens. */
  | "by_decision";

/** How a value given in code meets the file's. */
export type KeyMerge =
  /** Code's value stands alone. */
  | "replace"
  /** Both lists hold, each entry once. */
  | "union"
  /** Code's entries, then the file's. */
  | "append"
  /** Member by member; code wins where both name one. */
  | "members"
  /** Member by member, and within each option by option. */
  | "options"
  /** `true` and `error` hold, whoever says so. */
  | "strictest";

/** One key of the configuration: JSON Schema (draft-07 keywords), and what aiw makes of it. */
export interface KeySchema {
  readonly type?: "object" | "array" | "string" | "integer" | "number" | "boolean";
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly properties?: { readonly [key: string]: KeySchema };
  readonly required?: readonly string[];
  readonly additionalProperties?: false | KeySchema;
  readonly propertyNames?: KeySchema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: KeySchema;
  readonly maxItems?: number;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  /** Completes "the value must …" where the keywords alone would not tell a person. */
  readonly "x-aiw-must"?: string;
  readonly "x-aiw-effect"?: KeyEffect;
  /** Values that give, of a key that widens for some. */
  readonly "x-aiw-widening"?: readonly string[];
  readonly "x-aiw-merge"?: KeyMerge;
}

/** Entries a list or map may have. */
export const MAX_ENTRIES = 10_000;

/** Any text but an empty one. */
export const TEXT: KeySchema = { type: "string", minLength: 1, "x-aiw-must": "be a text" };
