import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../contract/json.ts";
import { validateOutput } from "./validate-output.ts";

const outputSchema: JsonSchema = {
  type: "object",
  properties: { temperature: { type: "number" } },
  required: ["temperature"],
};

describe("validateOutput", () => {
  it("passes what fits, and everything where no schema is", async () => {
    await expect(validateOutput({ outputSchema }, { temperature: 5, more: undefined })).resolves.toBeUndefined();
    await expect(validateOutput({}, 5n)).resolves.toBeUndefined();
  });

  it("names the path and what was expected, never the value", async () => {
    await expect(validateOutput({ outputSchema }, { temperature: "hunter2" })).rejects.toMatchObject({
      code: "invalid_output",
      type: "system_error",
      message: "1 problem with the tool's own output.\n- temperature: expected a number; received a string.",
    });
    await expect(validateOutput({ outputSchema }, undefined)).rejects.toMatchObject({ code: "invalid_output" });
  });

  it("survives circles and getters", async () => {
    const tree: JsonSchema = { type: "object", properties: { below: { $ref: "#" } } };
    const circle: { below?: unknown } = {};
    circle.below = circle;
    await expect(validateOutput({ outputSchema: tree }, circle)).rejects.toMatchObject({ code: "invalid_output" });
    const hostile = {
      get temperature(): number {
        throw new Error("no");
      },
    };
    await expect(validateOutput({ outputSchema }, hostile)).rejects.toMatchObject({ code: "invalid_output" });
  });
});
