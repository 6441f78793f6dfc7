import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defineTool } from "../define/define-tool.ts";
import { filterSpecs, toSpecFilter, type SpecFilter } from "./filter-specs.ts";

const execute = (): number => 1;
const specs = [
  defineTool({
    name: "aws_s3_get",
    description: "Gets.",
    effects: "read",
    category: "cloud",
    tags: ["aws", "read"],
    permissions: ["net"],
    execute,
  }),
  defineTool({
    name: "aws_s3_put",
    description: "Puts.",
    effects: "write",
    category: "cloud",
    tags: ["aws"],
    custom: { supports_streaming: true, limit: { a: 1, b: 2 } },
    execute,
  }),
  defineTool({ name: "add", description: "Adds.", effects: "pure", custom: { supports_streaming: false }, execute }),
].map(({ spec }) => spec);

function names(filter?: SpecFilter): string[] {
  return filterSpecs(specs, filter).map(({ name }) => name);
}

describe("filterSpecs", () => {
  it.each<[string, SpecFilter, string[]]>([
    ["nothing", {}, ["aws_s3_get", "aws_s3_put", "add"]],
    ["a category", { category: "cloud" }, ["aws_s3_get", "aws_s3_put"]],
    ["all tags", { tags: ["aws", "read"] }, ["aws_s3_get"]],
    ["a type", { type: "http" }, []],
    ["some effects", { effects: { readOnly: true } }, ["aws_s3_get", "add"]],
    ["permissions", { permissions: ["net"] }, ["aws_s3_get"]],
    ["a flag", { where: { supports_streaming: true } }, ["aws_s3_put"]],
    ["a structured flag, whatever the order of its keys", { where: { limit: { b: 2, a: 1 } } }, ["aws_s3_put"]],
    ["a flag that objects are born with", { where: { constructor: Object } as never }, []],
    ["two conditions", { category: "cloud", effects: { destructive: true } }, ["aws_s3_put"]],
    ["a glob", { namePattern: "aws_s3_*" }, ["aws_s3_get", "aws_s3_put"]],
    ["a glob of the whole name", { namePattern: "aws" }, []],
    ["a glob of one character", { namePattern: "a?d" }, ["add"]],
    ["a regular expression", { namePattern: /_s3_/ }, ["aws_s3_get", "aws_s3_put"]],
    ["a regular expression with a memory", { namePattern: /a/g }, ["aws_s3_get", "aws_s3_put", "add"]],
  ])("selects by %s", (_what, filter, expected) => {
    expect(names(filter)).toEqual(expected);
  });

  it("takes regular-expression characters of a glob literally", () => {
    expect(names({ namePattern: "a.." })).toEqual([]);
    expect(names({ namePattern: "(a+)+" })).toEqual([]);
  });

  it("agrees with the regular expression a glob stands for", () => {
    const glob = fc.array(fc.constantFrom("*", "?", "a", "b")).map((parts) => parts.join(""));
    const name = fc.array(fc.constantFrom("a", "b")).map((parts) => parts.join(""));
    fc.assert(
      fc.property(glob, name, (pattern, text) => {
        const spec = { ...(specs[0] as (typeof specs)[0]), name: text };
        const expression = new RegExp(`^${pattern.replaceAll("?", ".").replaceAll(/\*+/g, ".*")}$`);
        expect(filterSpecs([spec], { namePattern: pattern }).length === 1).toBe(expression.test(text));
      }),
    );
  });
});

describe("toSpecFilter", () => {
  it("reads criteria of the original designs; unknown keys are flags", () => {
    expect(names(toSpecFilter({ tags: ["aws"], name_pattern: "aws_*", supports_streaming: true }))).toEqual([
      "aws_s3_put",
    ]);
    expect(names(toSpecFilter({ category: "cloud" }))).toEqual(["aws_s3_get", "aws_s3_put"]);
    expect(names(toSpecFilter({ nothing_has_it: true }))).toEqual([]);
  });
});
