import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decision } from "../call/verdict.ts";
import { combineDecisions } from "./combine-decisions.ts";

describe("combineDecisions", () => {
  it("lets deny beat ask beat allow in any order, the first among equals", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom<Decision>("allow", "ask", "deny"), { minLength: 1 }), (decisions) => {
        const verdicts = decisions.map((decision, index) => ({ decision, reason: String(index), by: "rule" as const }));
        const strongest = decisions.includes("deny") ? "deny" : decisions.includes("ask") ? "ask" : "allow";
        expect(combineDecisions(verdicts)).toBe(verdicts[decisions.indexOf(strongest)]);
      }),
    );
  });

  it("has nothing to say of no verdict", () => {
    expect(combineDecisions([])).toBeUndefined();
  });
});
