import { describe, expect, it } from "vitest";
import { failure } from "./__fixtures__/results.ts";
import { toFailureText } from "./failure-text.ts";
import { ToolCallError } from "./tool-call-error.ts";

describe("ToolCallError", () => {
  it("reads as the model's text and carries the whole result", () => {
    const result = failure({ suggestion: "Try b." });
    const error = new ToolCallError(result);
    expect(String(error)).toBe(toFailureText(result));
    expect(error.message).toBe(toFailureText(result));
    expect(error.result).toBe(result);
    expect(error.stack).not.toContain("at ");
  });

  it("is recognised across copies, and nothing else is", () => {
    expect(ToolCallError.is(new ToolCallError(failure()))).toBe(true);
    expect([new Error("x"), null, "x", {}].some((value) => ToolCallError.is(value))).toBe(false);
  });
});
