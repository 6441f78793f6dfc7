import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { failure, success } from "./__fixtures__/results.ts";
import { toFailureText } from "./failure-text.ts";
import { toModelOutput } from "./to-model-output.ts";

const image = { type: "image", media_type: "image/png", data: "iVBORw0KGgo=", name: "a.png" };

describe("toModelOutput", () => {
  it("gives a text as text and everything else as flat JSON", () => {
    expect(toModelOutput({ output: success("hello") })).toEqual({ type: "text", value: "hello" });
    expect(toModelOutput({ output: success({ sum: 3 }) })).toEqual({
      type: "json",
      value: { success: true, error: "", sum: 3 },
    });
    expect(toModelOutput({ output: success([1, 2]) })).toEqual({
      type: "json",
      value: { success: true, error: "", value: [1, 2] },
    });
    expect(toModelOutput({ output: success(null) })).toEqual({
      type: "json",
      value: { success: true, error: "", value: null },
    });
  });

  it("says what the host adds, beside texts too", () => {
    const notices = ["Made before."];
    expect(toModelOutput({ output: { ...success("hello"), notices } })).toEqual({
      type: "json",
      value: { success: true, error: "", value: "hello", notices },
    });
    expect(toFailureText({ ...failure(), notices })).toContain("\nMade before.\n");
  });

  it("sends attachments as files beside the rest of the value", () => {
    const output = toModelOutput({ output: success({ text: "see", attachments: [image] }) });
    expect(output).toEqual({
      type: "content",
      value: [
        { type: "text", text: '{"success":true,"error":"","text":"see"}' },
        { type: "file", mediaType: "image/png", data: { type: "data", data: "iVBORw0KGgo=" }, filename: "a.png" },
      ],
    });
  });

  it("tells a reference instead of letting the framework follow it", () => {
    const output = toModelOutput({
      output: success({ attachments: [{ type: "audio", media_type: "audio/wav", uri: "http://169.254.169.254/a" }] }),
    });
    expect(output).toMatchObject({
      value: [{ type: "text" }, { type: "text", text: "[audio audio/wav: http://169.254.169.254/a]" }],
    });
  });

  it("leaves what only looks like attachments in the value", () => {
    expect(toModelOutput({ output: success({ attachments: ["a"] }) })).toEqual({
      type: "json",
      value: { success: true, error: "", attachments: ["a"] },
    });
  });

  it("says a refusal with its code, so that the model knows what kind it is", () => {
    const denied = failure({
      status: "denied",
      code: "approval_required",
      error_type: "permission_error",
      suggestion: "Ask the operator.",
    });
    const output = toModelOutput({ output: denied });
    expect(output).toEqual({ type: "execution-denied", reason: toFailureText(denied) });
    expect(output).toHaveProperty("reason", expect.stringContaining("approval_required"));
  });

  it("says a stored failure, a preview of a stopped call and foreign outputs", () => {
    expect(toModelOutput({ output: failure() })).toEqual({ type: "error-text", value: toFailureText(failure()) });
    expect(toModelOutput({ output: { aiw: "preview", chunk: "half" } })).toEqual({
      type: "error-text",
      value: expect.stringMatching(/stopped[^]*half$/u),
    });
    expect(toModelOutput({ output: { aiw: "preview" } })).toEqual({
      type: "error-text",
      value: expect.stringContaining("stopped"),
    });
    expect(toModelOutput({ output: "plain" })).toEqual({ type: "text", value: "plain" });
    expect(toModelOutput({ output: undefined })).toEqual({ type: "json", value: null });
    expect(toModelOutput({ output: { big: 1n } })).toEqual({ type: "json", value: { big: "1" } });
  });

  it("says the same of a result that was stored and read back", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const result = success(value);
        const stored: unknown = JSON.parse(JSON.stringify(result));
        expect(toModelOutput({ output: stored })).toEqual(
          toModelOutput({ output: JSON.parse(JSON.stringify(stored)) as unknown }),
        );
      }),
    );
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.anything(), (output) => typeof toModelOutput({ output }).type === "string"));
  });
});
