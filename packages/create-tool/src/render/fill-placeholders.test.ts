import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillPlaceholders } from "./fill-placeholders.ts";

describe("fillPlaceholders", () => {
  it("puts values in, and leaves what workflows of GitHub write alone", () => {
    expect(fillPlaceholders("{{a}}-{{b}} ${{ matrix.node }} ${{a}}", { a: "1", b: "2" })).toBe(
      "1-2 ${{ matrix.node }} ${{a}}",
    );
  });

  it("takes a value as it is, whatever it looks like", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("$&", "$1", "$$", "{{a}}", "{{b}}", "$`", "\\")),
        (value) => {
          expect(fillPlaceholders("<{{a}}>{{b}}", { a: value, b: "b" })).toBe(`<${value}>b`);
        },
      ),
    );
  });

  it.each(["unknown", "constructor", "__proto__"])("refuses the placeholder %s, which has no value", (name) => {
    expect(() => fillPlaceholders(`{{${name}}}`, {})).toThrow(name);
  });
});
