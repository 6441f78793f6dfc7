import type { LockedPackage } from "@aiw/core/node";
import { describe, expect, it } from "vitest";
import { findBreaking } from "./find-breaking.ts";

const text = { type: "string" };

function locked(tools: { readonly [name: string]: object }): LockedPackage {
  const entries = Object.entries(tools).map(([name, schema]): [string, object] => [
    name,
    { spec: { name, inputSchema: { type: "object", ...schema } } },
  ]);
  return { tools: new Map(entries) } as unknown as LockedPackage;
}

function parameters(properties: object, required: readonly string[] = []): LockedPackage {
  return locked({ find: { properties, required } });
}

const nested = (properties: object, required: readonly string[] = []) => ({
  edits: { type: "array", items: { type: "object", properties, required } },
});

describe("findBreaking", () => {
  it.each([
    ["a tool that is gone", locked({ find: {}, send: {} }), locked({ find: {} }), ["send is gone"]],
    [
      "a parameter that is gone",
      parameters({ q: text, limit: text }),
      parameters({ q: text }),
      ["of find, limit is gone"],
    ],
    [
      "a renamed parameter",
      parameters({ limit: text }, ["limit"]),
      parameters({ most: text }, ["most"]),
      ["of find, limit is gone, most is required now"],
    ],
    [
      "a parameter that was optional",
      parameters({ q: text }),
      parameters({ q: text }, ["q"]),
      ["of find, q is required now"],
    ],
    [
      "members of what was there",
      parameters(nested({ old: text })),
      parameters(nested({ to: text }, ["to"])),
      ["of find, edits[].old is gone, edits[].to is required now"],
    ],
    ["what is gone once", parameters(nested({ old: text })), parameters({}), ["of find, edits is gone"]],
    ["no members of what is new", parameters({}), parameters(nested({ to: text }, ["to"])), []],
    ["nothing that is optional and new", parameters({}), parameters({ q: text }), []],
    ["nothing that is needed no more", parameters({ q: text }, ["q"]), parameters({ q: text }), []],
  ] as const)("tells %s", (_what, from, to, said) => {
    expect(findBreaking(from, to)).toEqual(said);
  });

  it("says nothing of a package that is new, or gone", () => {
    expect(findBreaking(undefined, locked({ find: {} }))).toEqual([]);
    expect(findBreaking(locked({ find: {} }), undefined)).toEqual([]);
  });
});
