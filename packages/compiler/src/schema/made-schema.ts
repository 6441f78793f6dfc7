import type { JsonSchema } from "@aiw/core";
import type { ts } from "@ts-morph/common";

/** A `Date` somewhere in a value. */
export interface FoundDate {
  /** From the value on; `*` stands for every item or member. */
  readonly steps: readonly string[];
  readonly node: ts.Node;
}

/** The schema of a type, and what a schema cannot say. */
export interface MadeSchema {
  readonly schema: JsonSchema;
  readonly dates: readonly FoundDate[];
  /** Meanings of bare values, for the description: `0 = Low, 1 = High`. */
  readonly legend?: string;
  /** Something in it was refused, so that it is not worth keeping. */
  readonly isRefused?: true;
}

/** A schema and nothing to add. */
export function made(schema: JsonSchema): MadeSchema {
  return { schema, dates: [] };
}

/** Stands where a type was refused, so that the rest can be looked at. */
export const REFUSED: MadeSchema = { schema: {}, dates: [], isRefused: true };

/** Dates of a part, seen from the whole. */
export function datesBelow(step: string, dates: readonly FoundDate[]): FoundDate[] {
  return dates.map(({ steps, node }) => ({ steps: [step, ...steps], node }));
}
