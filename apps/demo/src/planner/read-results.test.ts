import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readFailure } from "./read-failure.ts";
import { readResults } from "./read-results.ts";

type Output = Extract<LanguageModelV4Prompt[number], { role: "tool" }>["content"][number] extends infer Part
  ? Part extends { type: "tool-result"; output: infer Value }
    ? Value
    : never
  : never;

function promptWith(output: Output): LanguageModelV4Prompt {
  return [
    { role: "system", content: "be brief" },
    { role: "user", content: [{ type: "text", text: "read a.ts" }] },
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId: "c", toolName: "read", input: { file_paths: ["a.ts"] } }],
    },
    { role: "tool", content: [{ type: "tool-result", toolCallId: "c", toolName: "read", output }] },
  ];
}

describe("readResults", () => {
  it("reads the last request, its calls and the number of steps", () => {
    const state = readResults([
      { role: "user", content: [{ type: "text", text: "old" }] },
      ...promptWith({ type: "json", value: { success: true, error: "", content: "x" } }),
    ]);
    expect(state).toMatchObject({ request: "read a.ts", steps: 1, messages: 5 });
    expect(state.outcomes).toEqual([
      {
        callId: "c",
        toolName: "read",
        input: { file_paths: ["a.ts"] },
        status: "ok",
        value: { success: true, error: "", content: "x" },
      },
    ]);
  });

  it("takes a result that says it did not succeed for a failure", () => {
    const [outcome] = readResults(
      promptWith({ type: "json", value: { success: false, error: "read(): no", code: "approval_required" } }),
    ).outcomes;
    expect(outcome).toMatchObject({ status: "denied", failure: { code: "approval_required", message: "no" } });
  });

  it("gives the reason of a denied execution", () => {
    const [outcome] = readResults(promptWith({ type: "execution-denied", reason: "a person said no" })).outcomes;
    expect(outcome).toMatchObject({ status: "denied", failure: { message: "a person said no", refused: true } });
  });

  it("marks a call without result as unanswered", () => {
    const [outcome] = readResults(promptWith({ type: "text", value: "" }).slice(0, 3)).outcomes;
    expect(outcome?.status).toBe("unanswered");
  });

  it("never throws on any JSON result", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = value as Extract<Output, { type: "json" }>["value"];
        for (const type of ["json", "error-json"] as const) readResults(promptWith({ type, value: json }));
        readResults(promptWith({ type: "error-text", value: JSON.stringify(value) }));
      }),
    );
  });
});

describe("readFailure", () => {
  it("reads message, suggestion and details from lines", () => {
    const failure = readFailure(
      'read(file_paths=["refused.ts"]): File not found: refused.ts\nread(file_paths=["used.ts"])\n{"candidates":["used.ts"]}',
    );
    expect(failure).toMatchObject({ code: "not_found", refused: false, nearest: ["used.ts"] });
    expect(failure.suggested).toMatchObject([{ toolName: "read", input: { file_paths: ["used.ts"] } }]);
    expect(failure.message).toContain("File not found: refused.ts");
  });

  it("does not take words of the call's own arguments for the reason", () => {
    expect(readFailure('bash(command="echo not allowed"): exit code 1').code).toBe("command_failed");
  });

  it("knows a refusal by its words", () => {
    expect(readFailure("write: this needs approval and nobody can answer")).toMatchObject({
      code: "approval_required",
      refused: true,
    });
    expect(readFailure("../x is outside the workspace")).toMatchObject({ code: "outside_root", refused: true });
  });

  it("reads spoken nearest names", () => {
    expect(readFailure("File not found. Did you mean a.ts, b.ts or c.ts?").nearest).toEqual(["a.ts", "b.ts", "c.ts"]);
  });

  it("never throws on any text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => void readFailure(text)));
  });
});
