import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitResult, measureJson } from "./fit-result.ts";

describe("fitResult", () => {
  it("gives as much as fits, whatever JSON makes of it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), fc.integer({ min: 30, max: 400 }), (text, budget) => {
        const compose = (limit: number) => ({ text: text.slice(0, limit) });
        const { text: kept } = fitResult(compose, { limit: 300, budget });
        expect(measureJson({ text: kept })).toBeLessThanOrEqual(budget);
        if (kept !== text) expect(measureJson(compose(kept.length + 1))).toBeGreaterThan(budget - 6);
      }),
    );
  });

  it("gives everything without a budget, and the least where nothing fits", () => {
    const compose = (limit: number) => "x".repeat(limit);
    expect(fitResult(compose, { limit: 10, budget: undefined })).toHaveLength(10);
    expect(fitResult(compose, { limit: 10, budget: 1 })).toBe("");
  });
});

describe("measureJson", () => {
  it("never counts less than JSON has characters", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(measureJson(value)).toBeGreaterThanOrEqual(JSON.stringify(value).length);
      }),
    );
  });
});
