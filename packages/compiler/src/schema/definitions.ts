import type { JsonSchema } from "@aiw/core";
import type { ts } from "ts-morph";

/** One type that is referred to, or may be. */
export interface Definition {
  readonly type: ts.Type;
  /** Names seen for it, best first. */
  name: string;
  schema: JsonSchema | undefined;
}

/** The types of one side of one tool that others refer to. */
export interface Definitions {
  readonly byKey: Map<string, Definition>;
}

/** Starts empty. */
export function createDefinitions(): Definitions {
  return { byKey: new Map() };
}
