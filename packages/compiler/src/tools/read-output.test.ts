import { describe, expect, it } from "vitest";
import { compileOne, compileSource, placesOf } from "../__fixtures__/compile-source.ts";

function specOf(code: string): ReturnType<typeof compileOne>["spec"] {
  return compileOne(`/** A.\n * @returns What it finds.\n * @effects pure */\nexport ${code}`).spec;
}

describe("readOutput", () => {
  it("looks through promises", () => {
    expect(specOf("async function f() { return { a: 1 }; }").outputSchema).toMatchObject({
      type: "object",
      properties: { a: { type: "number" } },
      description: "What it finds.",
    });
    expect(specOf("function f(): Promise<string[]> { return Promise.resolve([]); }").outputSchema).toMatchObject({
      type: "array",
      items: { type: "string" },
    });
  });

  it("takes what a generator returns in the end", () => {
    const streaming = "async function* f(): AsyncGenerator<string, { n: number }> { yield 'x'; return { n: 1 }; }";
    expect(specOf(streaming).outputSchema).toMatchObject({ properties: { n: { type: "number" } } });
    expect(specOf("function* f() { yield 'x'; return 1; }").outputSchema).toMatchObject({ type: "number" });
    expect(specOf("async function* f() { yield 'x'; }").outputSchema).toBeUndefined();
  });

  it("refuses a generator that yields what is not text", () => {
    const source = "/** A. @effects pure */\nexport async function* f() { yield 1; }";
    expect(placesOf(compileSource(source))).toEqual(["src/index.ts:2:24 error yield_unsupported"]);
  });

  it("gives no schema for nothing, anything, and what is sometimes nothing", () => {
    for (const type of ["void", "Promise<void>", "undefined", "never", "any", "unknown", "string | undefined"]) {
      expect(specOf(`declare function f(): ${type};`).outputSchema).toBeUndefined();
    }
    expect(specOf("function f(value: unknown): asserts value is string {}").outputSchema).toBeUndefined();
    expect(specOf("function f(value: string): value is 'a' { return true; }").outputSchema).toMatchObject({
      type: "boolean",
    });
  });

  it("tells what is returned to people too", () => {
    expect(specOf("function f(): string { return ''; }").instructions).toEqual({ expectedOutput: "What it finds." });
  });

  it("tells where the output has dates", () => {
    expect(specOf("function f(): { at: Date }[] { return []; }").implementation).toMatchObject({
      outputDates: ["/*/at"],
    });
  });
});
