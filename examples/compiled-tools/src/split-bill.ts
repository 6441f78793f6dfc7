/** A bill, and who shares it. */
export interface Bill {
  /**
   * The amount before the tip.
   * @exclusiveMinimum 0
   */
  amount: number;
  /**
   * Who pays, by name.
   * @minItems 1
   * @uniqueItems
   */
  people: string[];
  /**
   * In percent.
   * @minimum 0
   * @maximum 100
   */
  tip?: number;
  rounding?: "none" | "up";
}

/** What each person pays. */
export interface Share {
  person: string;
  pays: number;
}

/**
 * Splits a bill evenly and adds the tip.
 *
 * @remarks Use it when several people share one bill.
 * @param bill.rounding - `up` rounds every share up to whole units.
 * @returns One share for each person.
 * @example split 90 between two people
 * ```ts
 * splitBill({ amount: 90, people: ["Ada", "Alan"] });
 * ```
 * @category money
 * @effects pure
 */
export function splitBill({ amount, people, tip = 10, rounding = "none" }: Bill): Share[] {
  const exact = (amount * (1 + tip / 100)) / people.length;
  const pays = rounding === "up" ? Math.ceil(exact) : Math.round(exact * 100) / 100;
  return people.map((person) => ({ person, pays }));
}
