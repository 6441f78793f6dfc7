import { defineTool, runTool, ToolError, type ToolResult } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { assertDenied, assertFailure, assertStreamed, assertSuccess } from "./assert-result.ts";

const tool = defineTool({
  name: "half",
  description: "Halves a number.",
  input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  execute({ n }: { n: number }) {
    if (n % 2 === 1) throw new ToolError("not_found", "No half of it.", { suggestion: "half(n=2)" });
    return { half: n / 2 };
  },
});

const half = async (n: unknown): Promise<ToolResult<{ half: number }>> => runTool(tool, { n });

describe("assertSuccess", () => {
  it("leaves a success, typed", async () => {
    const result = await half(4);
    assertSuccess(result);
    expect(result.value.half).toBe(2);
  });

  it("says the failure, its code and its suggestion", async () => {
    const result = await half(3);
    expect(() => assertSuccess(result)).toThrow(
      "The call failed. half(n=3): No half of it.\ncode: not_found (user_error, error)\nsuggestion: half(n=2)",
    );
  });
});

describe("assertFailure", () => {
  it("leaves a failure that is as expected, typed", async () => {
    const result = await half(3);
    assertFailure(result, { code: "not_found", error_type: "user_error", error: "No half", suggestion: /n=2/ });
    expect(result.settled).toBe(true);
  });

  it.each([
    { code: "not_f" },
    { error_type: "system_error" },
    { retryable: true },
    { error: /^No half/ },
    { suggestion: "half(n=4)" },
  ] as const)("says what is other than %o", async (expected) => {
    const result = await half(3);
    expect(() => assertFailure(result, expected)).toThrow(
      `The call failed otherwise: ${Object.keys(expected).join()}. half(n=3): No half of it.`,
    );
  });

  it("says what a call that succeeded gave", async () => {
    const result = await half(4);
    expect(() => assertFailure(result)).toThrow('The call succeeded. It gave: {"half":2}');
  });
});

describe("assertDenied", () => {
  it("tells a refusal from other failures", async () => {
    const failed = await half(3);
    expect(() => assertDenied(failed)).toThrow("The call failed otherwise: status.");
    const denied = { ...failed, status: "denied" } as ToolResult;
    expect(() => assertDenied(denied, { code: "not_found" })).not.toThrow();
    expect(() => assertDenied(denied, { code: "other" })).toThrow("otherwise: code");
  });
});

describe("assertStreamed", () => {
  const streamed = { text: (channel?: string) => (channel === undefined ? "one\ntwo\n" : "") };

  it("finds a text or a pattern in what was streamed", () => {
    expect(() => assertStreamed(streamed, "two")).not.toThrow();
    expect(() => assertStreamed(streamed, /^one/)).not.toThrow();
  });

  it("says what was streamed instead", () => {
    expect(() => assertStreamed(streamed, "three")).toThrow('"three" was not streamed, but:\none\ntwo\n');
    expect(() => assertStreamed(streamed, /two/, "stderr")).toThrow("/two/ was not streamed on stderr, but:\nnothing");
  });
});
