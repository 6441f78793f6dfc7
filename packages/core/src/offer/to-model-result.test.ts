import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallRecord, ToolFailure, ToolSuccess } from "../contract/tool-result.ts";
import { toModelResult } from "./to-model-result.ts";

const call: CallRecord = { callId: "c1", toolId: "t", toolName: "t", startedAt: 0, durationMs: 1, attempts: 1 };
const ok = (value: unknown): ToolSuccess => ({
  success: true,
  status: "ok",
  error: "",
  value,
  preview: ["seen by people"],
  call,
});
const failed = (more: Partial<ToolFailure>): ToolFailure => ({
  success: false,
  status: "error",
  error: "t(): No.",
  error_type: "user_error",
  code: "not_found",
  retryable: false,
  settled: true,
  preview: [],
  call,
  ...more,
});

describe("toModelResult", () => {
  it("lays the fields of an object flat", () => {
    expect(toModelResult(ok({ output: "x", return_code: 0 }))).toStrictEqual({
      success: true,
      error: "",
      output: "x",
      return_code: 0,
    });
  });

  it("adds the host's notices after the tool's own", () => {
    const notices = ["Made before."];
    const head = { success: true, error: "" };
    expect(toModelResult({ ...ok({ a: 1 }), notices })).toStrictEqual({ ...head, a: 1, notices });
    expect(toModelResult({ ...ok("x"), notices })).toStrictEqual({ ...head, value: "x", notices });
    expect(toModelResult({ ...ok({ notices: ["Own."] }), notices })).toStrictEqual({
      ...head,
      notices: ["Own.", "Made before."],
    });
    expect(toModelResult({ ...ok({ notices: 3 }), notices })).toStrictEqual({
      ...head,
      value: { notices: 3 },
      notices,
    });
    expect(toModelResult({ ...failed({}), notices })).toMatchObject({ code: "not_found", notices });
    expect(toModelResult({ ...ok(1), notices: [7] } as unknown as ToolSuccess)).toStrictEqual({ ...head, value: 1 });
  });

  it("keeps what is no object under `value`", () => {
    for (const value of ["x", 5, null, [1], false])
      expect(toModelResult(ok(value))).toStrictEqual({ success: true, error: "", value });
    expect(toModelResult(ok(undefined))).toStrictEqual({ success: true, error: "" });
  });

  it("keeps an object that uses a reserved name whole", () => {
    for (const name of ["success", "error", "error_type", "code", "suggestion"]) {
      expect(toModelResult(ok({ [name]: 1, a: 2 }))).toStrictEqual({
        success: true,
        error: "",
        value: { [name]: 1, a: 2 },
      });
    }
    expect(toModelResult(ok({ value: 1 }))).toStrictEqual({ success: true, error: "", value: 1 });
  });

  it("lays a failure's details flat, and nothing of the host", () => {
    const failure = failed({ suggestion: "Look.", details: { output: "x", return_code: 2 } });
    expect(toModelResult(failure)).toStrictEqual({
      success: false,
      error: "t(): No.",
      error_type: "user_error",
      code: "not_found",
      suggestion: "Look.",
      output: "x",
      return_code: 2,
    });
    expect(toModelResult(failed({ details: { code: "E1" } }))).toMatchObject({
      code: "not_found",
      details: { code: "E1" },
    });
  });

  it("leaves attachments to the content beside it", () => {
    const attachments = [{ type: "image", media_type: "image/png", data: "AA==" }];
    expect(toModelResult(ok({ width: 1, attachments }))).toStrictEqual({ success: true, error: "", width: 1 });
    expect(toModelResult(ok({ attachments: ["a.txt"] }))).toMatchObject({ attachments: ["a.txt"] });
  });

  it("says in text what JSON cannot say", () => {
    class Point {
      x = 1;
      #y = 2;
      get sum() {
        return this.x + this.#y;
      }
    }
    const circle: { self?: unknown } = {};
    circle.self = circle;
    const value = {
      big: 10n,
      date: new Date(0),
      map: new Map([["a", 1]]),
      pairs: new Map([[1, 2]]),
      set: new Set([1]),
      nan: Number.NaN,
      none: undefined,
      call: () => 1,
      bytes: new Uint8Array(3),
      error: undefined,
      point: new Point(),
      circle,
      holes: [undefined, Symbol("x")],
      lone: "\ud800",
      get broken() {
        throw new Error("no");
      },
      url: new URL("https://example.com/"),
    };
    expect(toModelResult(ok({ nested: value }))["nested"]).toStrictEqual({
      big: "10",
      date: "1970-01-01T00:00:00.000Z",
      map: { a: 1 },
      pairs: [[1, 2]],
      set: [1],
      nan: "NaN",
      bytes: "[3 bytes]",
      point: { x: 1 },
      circle: { self: "[circular]" },
      holes: [null, null],
      lone: "\ufffd",
      broken: "[unreadable]",
      url: "https://example.com/",
    });
  });

  it("never shows a stack", () => {
    expect(JSON.stringify(toModelResult(ok({ cause: new Error("x") })))).not.toContain("at ");
  });

  it("gives JSON, whatever the value", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withTypedArray: true,
      withNullPrototype: true,
      withSparseArray: true,
    });
    fc.assert(
      fc.property(anything, (value) => {
        const json = toModelResult(ok(value));
        expect(JSON.parse(JSON.stringify(json))).toEqual(JSON.parse(JSON.stringify(json)));
        expect(json["success"]).toBe(true);
      }),
    );
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    expect(toModelResult(ok(hostile))).toStrictEqual({ success: true, error: "", value: "[unreadable]" });
    let deep: unknown = 1;
    for (let level = 0; level < 20_000; level += 1) deep = [deep];
    expect(JSON.stringify(toModelResult(ok(deep)))).toContain("[too deep]");
    expect(JSON.stringify(toModelResult(ok(Array.from({ length: 300_000 }, () => 0))))).toContain("[too large]");
  });
});
