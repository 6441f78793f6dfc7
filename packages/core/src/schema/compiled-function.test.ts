import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { specOf } from "../discover/__fixtures__/make-project.ts";
import { compiledOf, findCompiledIssues } from "./compiled-function.ts";
import { validateSpec } from "./validate-spec.ts";

const INPUT = {
  type: "object",
  properties: { title: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
  required: ["title"],
};

function specWith(implementation: unknown, changes: object = {}): Record<string, unknown> {
  return specOf("open", { inputSchema: INPUT, implementation, ...changes });
}

describe("findCompiledIssues", () => {
  it.each<[string, object]>([
    ["a function of one object", { compiled: true }],
    ["a method", { compiled: true, method: "open" }],
    ["a static method", { compiled: true, method: "open", static: true }],
    ["parameters and a rest", { compiled: true, parameters: ["title", "tags"], rest: true }],
    ["dates", { compiled: true, dates: ["/title", "/tags/*", "/a~1b"], outputDates: [""] }],
  ])("finds nothing wrong with %s", (_what, implementation) => {
    expect(validateSpec(specWith(implementation))).toEqual([]);
    expect(compiledOf(specWith(implementation) as never)).toEqual(implementation);
  });

  it.each<[object, string, string]>([
    [{ compiled: "yes" }, "/compiled", "must be true"],
    [{ compiled: false }, "/compiled", "must be true"],
    [{ compiled: true, arguments: [] }, "/arguments", "not known"],
    [JSON.parse('{"compiled":true,"__proto__":{"method":"x"}}') as object, "/__proto__", "not known"],
    [{ compiled: true, method: 5 }, "/method", "must name a method"],
    [{ compiled: true, method: "" }, "/method", "must name a method"],
    [{ compiled: true, static: true }, "/static", "needs a method"],
    [{ compiled: true, method: "a", static: false }, "/static", "must be true, or absent"],
    [{ compiled: true, rest: true }, "/rest", "needs parameters"],
    [{ compiled: true, rest: "last", parameters: ["title"] }, "/rest", "must be true, or absent"],
    [{ compiled: true, rest: true, parameters: [] }, "/rest", "needs parameters"],
    [{ compiled: true, parameters: "title" }, "/parameters", "list of names"],
    [{ compiled: true, parameters: ["title", 5] }, "/parameters", "list of names"],
    [{ compiled: true, parameters: ["title", "title"] }, "/parameters/1", "named twice"],
    [{ compiled: true, parameters: ["title", "toString"] }, "/parameters/1", "not among the properties"],
    [{ compiled: true, parameters: ["title", "__proto__"] }, "/parameters/1", "not among the properties"],
    [{ compiled: true, parameters: ["tags"] }, "/parameters", 'where "title" goes'],
    [{ compiled: true, dates: "/title" }, "/dates", "JSON Pointers"],
    [{ compiled: true, dates: ["title"] }, "/dates/0", "JSON Pointer"],
    [{ compiled: true, dates: ["/a~2"] }, "/dates/0", "JSON Pointer"],
    [{ compiled: true, outputDates: [null] }, "/outputDates/0", "JSON Pointer"],
    [{ compiled: true, dates: Array.from({ length: 257 }, () => "/title") }, "/dates", "at most 256"],
  ])("refuses %j, pointing at %s", (implementation, pointer, message) => {
    expect(validateSpec(specWith(implementation))).toContainEqual({
      pointer: `/implementation${pointer}`,
      message: expect.stringContaining(message),
    });
  });

  it("has nothing to say of other implementations and other types", () => {
    expect(validateSpec(specWith({ url: "https://x.test" }, { type: "http" }))).toEqual([]);
    expect(validateSpec(specWith({ compiled: "mine" }, { type: "own" }))).toEqual([]);
    expect(validateSpec(specWith({ mine: true }))).toEqual([]);
    expect(compiledOf(specWith({ compiled: true }, { type: "http" }) as never)).toBeUndefined();
  });

  it("never throws, whatever the implementation and the schema are", () => {
    const member = fc.oneof(fc.anything(), fc.constantFrom(true, "open", ["title"], ["/title"]));
    const implementation = fc.record(
      {
        compiled: member,
        method: member,
        static: member,
        parameters: member,
        rest: member,
        dates: member,
        outputDates: member,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(implementation, fc.oneof(fc.anything(), fc.constant(INPUT)), (one, inputSchema) => {
        for (const { pointer } of findCompiledIssues({ type: "function", implementation: one, inputSchema })) {
          expect(pointer).toMatch(/^\//);
        }
      }),
    );
  });
});
