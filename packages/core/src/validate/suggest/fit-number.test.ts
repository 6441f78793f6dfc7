import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../__fixtures__/property-runs.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import { fitNumber } from "./fit-number.ts";

describe("fitNumber", () => {
  it.each([
    [{ type: "integer", minimum: 1, maximum: 14 }, 20, 14],
    [{ type: "integer", minimum: 1, maximum: 14 }, 0, 1],
    [{ type: "integer", exclusiveMinimum: 1 }, 0, 2],
    [{ type: "integer", multipleOf: 5 }, 12, 10],
    [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 3, 0.5],
    [{ type: "number", minimum: 1, maximum: 0 }, 3, undefined],
    [{ type: "number", exclusiveMaximum: 10 }, 15, 9],
    [{ type: "number" }, 1.25, 1.25],
  ])("of %j gives for %d: %j", (schema, value, nearest) => {
    expect(fitNumber(schema, value)).toBe(nearest);
  });

  it("gives numbers that the schema admits, and those that it admits unchanged", async () => {
    const bounds = fc.record(
      {
        type: fc.constantFrom("integer", "number"),
        minimum: fc.integer({ min: -20, max: 0 }),
        exclusiveMaximum: fc.integer({ min: 10, max: 20 }),
        multipleOf: fc.constantFrom(1, 3, 0.5),
      },
      { requiredKeys: ["type"] },
    );
    await fc.assert(
      fc.asyncProperty(
        bounds,
        fc.oneof(fc.integer({ min: -40, max: 40 }), fc.double({ min: -40, max: 40, noNaN: true })),
        async (schema, value) => {
          const { check } = await compileSchema(schema, { fillDefaults: false });
          const nearest = fitNumber(schema, value);
          expect(check(nearest)).toBe(true);
          if (check(value)) expect(nearest).toBe(value);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});
