import { describe, expect, it } from "vitest";
import { checkSlow } from "./check-slow.ts";

const found = (...times: number[]): { id: string; ms: number }[] =>
  times.map((ms, index) => ({ id: `fx-${index}`, ms }));

describe("checkSlow", () => {
  it("names what takes far longer than its neighbours", () => {
    expect(checkSlow(found(1, 2, 800, 1))).toMatchObject([
      { name: "slow", message: expect.stringContaining("fx-2 took 800 ms") },
    ]);
  });

  it("says nothing where everything is slow, where it is soon over, or where nothing is usual", () => {
    expect(checkSlow(found(200, 300, 900, 250))).toEqual([]);
    expect(checkSlow(found(0.1, 0.1, 400))).toEqual([]);
    expect(checkSlow(found(0.1, 900))).toEqual([]);
  });
});
