import { describe, expect, it } from "vitest";
import { failure } from "./__fixtures__/results.ts";
import { toFailureText } from "./failure-text.ts";

describe("toFailureText", () => {
  it("writes what happened, what to do next, and the facts, a line each", () => {
    const text = toFailureText(failure({ suggestion: 'read(path="b")', details: { nearest: ["b"], output: "x\ny" } }));
    expect(text.split("\n")).toEqual([
      'read(path="a"): File not found: a',
      'read(path="b")',
      '{"code":"not_found","error_type":"user_error","nearest":["b"],"output":"x\\ny"}',
    ]);
  });

  it("says when the work may still run and when trying again may help", () => {
    const text = toFailureText(
      failure({ status: "timed_out", code: "timeout", error_type: "system_error", retryable: true, settled: false }),
    );
    expect(text.split("\n").at(-1)).toBe(
      '{"code":"timeout","error_type":"system_error","retryable":true,"settled":false}',
    );
  });

  it("lets no detail pass for the code", () => {
    expect(toFailureText(failure({ details: { code: "ok", error_type: "none", extra: 1 } }))).toContain(
      '{"code":"not_found","error_type":"user_error","extra":1}',
    );
  });

  it("says in text what JSON cannot say", () => {
    const details: Record<string, unknown> = { size: 1n };
    expect(toFailureText(failure({ details })).split("\n").at(-1)).toBe(
      '{"code":"not_found","error_type":"user_error","size":"1"}',
    );
  });
});
