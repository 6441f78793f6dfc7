import { randomBytes, randomUUID } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CHINESE, CODE, LOCK, PROSE, type TokenSample } from "./__fixtures__/token-samples.ts";
import { numberLine } from "./number-lines.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { runs } from "../__fixtures__/runs.ts";

/** The estimate over what the vocabulary o200k makes of it. */
const ratio = ({ lines, tokens }: TokenSample): number => estimateTokens(lines.join("\n")) / tokens;

/** What o200k makes of the sample of code with its lines numbered. */
const NUMBERED_CODE = 1294;

describe("estimateTokens", () => {
  it("token estimate, code and prose: within ±9 % of o200k", () => {
    for (const sample of [CODE, PROSE]) expect(Math.abs(ratio(sample) - 1)).toBeLessThan(0.09);
    const numbered = CODE.lines.map((line, index) => numberLine(index + 1, line)).join("\n");
    expect(Math.abs(estimateTokens(numbered) / NUMBERED_CODE - 1)).toBeLessThan(0.09);
  });

  it("token estimate, Chinese: rather too many, by less than a quarter", () => {
    expect(ratio(CHINESE)).toBeGreaterThan(1);
    expect(ratio(CHINESE)).toBeLessThan(1.25);
  });

  it("lock files: a quarter too few by the plain estimate, an eighth at most by ours", () => {
    expect(ratio(LOCK)).toBeGreaterThan(0.875);
    expect(ratio(LOCK)).toBeLessThan(1.09);
  });

  it("identifiers of letters and digits: nine tenths at least", () => {
    // Each has 24 tokens of o200k with the line feed.
    const ids = Array.from({ length: 50 }, () => randomUUID()).join("\n");
    expect(estimateTokens(ids) / (50 * 24)).toBeGreaterThan(0.85);
  });

  it("never says less than one a line", () => {
    expect(estimateTokens("\n\n\n")).toBe(4);
  });

  it("adds up over lines", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(estimateTokens(`${left}\n${right}`)).toBe(estimateTokens(left) + estimateTokens(right));
      }),
      { numRuns: runs(100) },
    );
  });

  it("base64, hex or digits for > 60 % of a sample: half the bytes", () => {
    const base64 = randomBytes(30_000).toString("base64");
    expect(estimateTokens(base64)).toBe(base64.length / 2);
    expect(estimateTokens(randomBytes(500).toString("hex"))).toBe(500);
  });

  it("takes prose and code for what they are", () => {
    const prose = "The quick brown fox jumps over the lazy dog and runs away into the forest.";
    expect(estimateTokens(prose)).toBeGreaterThan(12);
    expect(estimateTokens(prose)).toBeLessThan(22);
  });

  it("200,000 × `a`: instant", { timeout: 10_000 }, () => {
    expect(estimateTokens("a".repeat(200_000))).toBeGreaterThan(20_000);
  });
});
