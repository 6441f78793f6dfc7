import type { JsonSchema } from "@aiw/core";
import type { ts } from "@ts-morph/common";
import type { FoundDate } from "./made-schema.ts";

/** One type that others may refer to; whether it is written in place or under `$defs` is decided when the schema is closed. */
export interface Definition {
  /** Of an interface, class or alias; absent until somebody calls the type by a name. */
  name: string | undefined;
  /** What to call it without one: the place where it was met first. */
  readonly fallbackName: string;
  /** Absent while it is being made. */
  schema: JsonSchema | undefined;
  dates: readonly FoundDate[];
  /** It refers to itself, directly or by others. */
  isRecursive: boolean;
  /** Something in it was refused. */
  isRefused: boolean;
}

/** Values that documentation gives, to be checked against the schema once all definitions are made. */
export interface GivenValues {
  readonly schema: JsonSchema;
  readonly keyword: "default" | "examples";
  readonly values: readonly unknown[];
  readonly node: ts.Node;
  /** How a person calls the place. */
  readonly name: string;
}

/** The types of one side of one tool, and what is to be checked when its schema is closed. */
export interface Definitions {
  /** By the reference that stands for the type until the schema is closed, in the order in which types were met. */
  readonly byReference: Map<string, Definition>;
  /** References by what makes types the same. */
  readonly referenceOf: Map<string, string>;
  readonly typeNumbers: Map<ts.Type, number>;
  readonly given: GivenValues[];
  /** Descriptions that say what bare values mean. */
  readonly legends: Set<string>;
  /** What was said of each node, so that a type that is used twice is refused once. */
  readonly reported: WeakMap<ts.Node, Set<string>>;
  /** Where members are written, in the order in which they were met. */
  readonly declared: { readonly path: readonly string[]; readonly node: ts.Node }[];
  /** Where schemas were asked for. */
  readonly starts: ts.Node[];
  readonly parts: { made: number; isSpent: boolean };
}

/** Starts empty. */
export function createDefinitions(): Definitions {
  return {
    byReference: new Map(),
    referenceOf: new Map(),
    typeNumbers: new Map(),
    given: [],
    legends: new Set(),
    reported: new WeakMap(),
    declared: [],
    starts: [],
    parts: { made: 0, isSpent: false },
  };
}

/** Follows a provisional reference, if the schema is one. */
export function definitionOf(schema: JsonSchema, { byReference }: Definitions): Definition | undefined {
  const { $ref: reference } = schema;
  return typeof reference === "string" ? byReference.get(reference) : undefined;
}
