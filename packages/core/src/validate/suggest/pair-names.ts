import type { Json } from "../../contract/json.ts";
import type { Fit } from "./change.ts";
import { isOpposite, nameLikeness, type Likeness } from "./name-likeness.ts";

/** A member under a name that is not declared. */
export interface Stray {
  readonly name: string;
  readonly value: Json;
}

/** A declared member that has no value. */
export interface Gap {
  readonly name: string;
  readonly required: boolean;
}

/** A stray that means a gap, and its value made to fit there. */
export interface Pair {
  readonly stray: Stray;
  readonly gap: Gap;
  readonly fit: Fit;
}

/** Members without a place, and places without a member. */
export interface Unpaired {
  readonly strays: readonly Stray[];
  readonly gaps: readonly Gap[];
  /** Makes a stray's value fit a gap, if it can be meant. */
  fit(stray: Stray, gap: Gap): Fit | undefined;
}

/** Pairs above this likeness need no more than their names; of weaker ones the gap must be one that has to be filled. */
const SURE: Likeness = 2;

const REMARKS =
  /^(?:description|explanation|reason|reasoning|thought|thoughts|comment|instruction|instructions|note)$/i;

/** Tells the name of what agents say of a call beside its arguments. */
export function isRemark(name: string): boolean {
  return REMARKS.test(name);
}

/** Finds for each stray the gap that its name alone means, the surest names first; where two are as near, none is meant. */
export function pairByName(unpaired: Unpaired, levels: "sure" | "all"): Pair[] {
  const pairs: Pair[] = [];
  const near = unpaired.strays.flatMap((stray) =>
    unpaired.gaps.flatMap((gap) => {
      const likeness = nameLikeness(stray.name, gap.name);
      return likeness === 0 ? [] : [{ stray, gap, likeness }];
    }),
  );
  for (let likeness = 5; likeness >= (levels === "sure" ? SURE : 1); likeness -= 1) {
    for (const required of likeness >= SURE ? [true, false] : [true]) {
      const level = near
        .filter((one) => one.likeness === likeness && one.gap.required === required)
        .filter(({ stray, gap }) => !pairs.some((pair) => pair.stray === stray || pair.gap === gap))
        .flatMap(({ stray, gap }) => toPair(unpaired, stray, gap));
      pairs.push(...level.filter(({ stray, gap }) => isAlone(level, stray, gap)));
    }
  }
  return pairs;
}

/** The last stray means the last gap that has to be filled, if it fits there as it is and says nothing against it. */
export function pairByElimination(unpaired: Unpaired): Pair[] {
  const [stray, ...otherStrays] = unpaired.strays.filter(({ name }) => !isRemark(name));
  const [gap, ...otherGaps] = unpaired.gaps.filter(({ required }) => required);
  if (stray === undefined || gap === undefined || otherStrays.length > 0 || otherGaps.length > 0) return [];
  if (isOpposite(stray.name, gap.name)) return [];
  return toPair(unpaired, stray, gap).filter(({ fit }) => fit.changes.length === 0);
}

function toPair(unpaired: Unpaired, stray: Stray, gap: Gap): Pair[] {
  const fit = unpaired.fit(stray, gap);
  return fit === undefined ? [] : [{ stray, gap, fit }];
}

function isAlone(pairs: readonly Pair[], stray: Stray, gap: Gap): boolean {
  return pairs.filter((pair) => pair.stray === stray || pair.gap === gap).length === 1;
}
