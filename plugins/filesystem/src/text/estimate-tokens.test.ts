import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";

describe("estimateTokens", () => {
  it("never says less than one a line", () => {
    expect(estimateTokens("\n\n\n")).toBe(4);
  });

  it("adds up over lines", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(estimateTokens(`${left}\n${right}`)).toBe(estimateTokens(left) + estimateTokens(right));
      }),
    );
  });

  it("counts half the bytes of what no vocabulary knows", () => {
    const base64 = randomBytes(30_000).toString("base64");
    expect(estimateTokens(base64)).toBe(base64.length / 2);
    expect(estimateTokens(randomBytes(500).toString("hex"))).toBe(500);
  });

  it("takes prose and code for what they are", () => {
    const prose = "The quick brown fox jumps over the lazy dog and runs away into the forest.";
    expect(estimateTokens(prose)).toBeGreaterThan(12);
    expect(estimateTokens(prose)).toBeLessThan(22);
  });

  it("is instant for one endless letter", { timeout: 10_000 }, () => {
    expect(estimateTokens("a".repeat(200_000))).toBeGreaterThan(20_000);
  });
});
