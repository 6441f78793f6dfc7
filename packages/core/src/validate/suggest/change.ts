import type { Json } from "../../contract/json.ts";

/** Where something stands in arguments. */
export type Path = readonly (string | number)[];

/** One difference between arguments and the nearest ones that fit. */
export type Change =
  /** Stands under another name. */
  | { readonly kind: "move"; readonly path: Path; readonly to: Path }
  /** Is the same in another form, or the nearest that is admitted. */
  | { readonly kind: "convert"; readonly path: Path; readonly value: Json }
  /** Has no place. */
  | { readonly kind: "drop"; readonly path: Path }
  /** Was not given: a value to show the form. */
  | { readonly kind: "example"; readonly path: Path; readonly value: Json };

/** A value that a schema admits, as far as it can be told without its validator, and how it differs from the one given. */
export interface Fit {
  readonly value: Json;
  readonly changes: readonly Change[];
}

const COSTS: { readonly [kind in Change["kind"]]: number } = { move: 1, convert: 1, drop: 3, example: 5 };

/** Gives the fit that is nearest to what was given; the first of equals. */
export function nearestFit(fits: Iterable<Fit | undefined>): Fit | undefined {
  let [nearest, least]: [Fit | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (const fit of fits) {
    const cost = fit?.changes.reduce((sum, { kind }) => sum + COSTS[kind], 0) ?? Number.POSITIVE_INFINITY;
    if (cost < least) [nearest, least] = [fit, cost];
  }
  return nearest;
}
