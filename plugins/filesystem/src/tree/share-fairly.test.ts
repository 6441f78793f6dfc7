import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../__fixtures__/runs.ts";
import { shareFairly } from "./share-fairly.ts";

describe("shareFairly", () => {
  it("gives small wishes whole and divides the rest", () => {
    expect(shareFairly([100, 2, 100], 22)).toEqual([10, 2, 10]);
    expect(shareFairly([5, 5], 100)).toEqual([5, 5]);
    expect(shareFairly([5, 5], 0)).toEqual([0, 0]);
    expect(shareFairly([], 7)).toEqual([]);
  });

  it("uses all there is, and never gives one more than another that wished for as much", () => {
    const wish = fc.nat(50);
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 20 }), fc.nat(300), (wishes, budget) => {
        const shares = shareFairly(wishes, budget);
        const total = shares.reduce((sum, share) => sum + share, 0);
        expect(total).toBe(
          Math.min(
            budget,
            wishes.reduce((sum, wished) => sum + wished, 0),
          ),
        );
        const least = Math.min(
          ...wishes.flatMap((wished, index) => ((shares[index] ?? 0) < wished ? [shares[index] ?? 0] : [])),
        );
        for (const share of shares) expect(share).toBeLessThanOrEqual(least + 1);
      }),
      { numRuns: runs(200) },
    );
  });
});
