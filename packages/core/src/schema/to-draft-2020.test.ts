import { describe, expect, it } from "vitest";
import { toDraft2020 } from "./to-draft-2020.ts";

const draft7 = { $schema: "http://json-schema.org/draft-07/schema#" };

describe("toDraft2020", () => {
  it("leaves 2020-12 as it is", () => {
    const schema = {
      type: "object",
      properties: { items: { type: "array", prefixItems: [{}], items: { $ref: "#/$defs/a", maxLength: 1 } } },
      $defs: { a: {} },
    };
    expect(toDraft2020(schema)).toEqual(schema);
  });

  it("turns lists of items into prefixItems, declared or not, and moves pointers along", () => {
    const schema = {
      type: "array",
      items: [{ type: "string" }, { $ref: "#/items/0" }] as never,
      additionalItems: { $ref: "#/additionalItems" },
    };
    const expected = {
      type: "array",
      prefixItems: [{ type: "string" }, { $ref: "#/prefixItems/0" }],
      items: { $ref: "#/items" },
    };
    expect(toDraft2020(schema)).toEqual(expected);
    expect(toDraft2020({ ...draft7, ...schema })).toEqual(expected);
  });

  it("splits dependencies", () => {
    expect(toDraft2020({ dependencies: { a: ["b"], c: { required: ["d"] } } })).toEqual({
      dependentRequired: { a: ["b"] },
      dependentSchemas: { c: { required: ["d"] } },
    });
  });

  it("drops what old drafts ignored beside a reference, but no words", () => {
    const below = { $ref: "#/definitions/x", maxLength: 1, description: "Kept." };
    expect(toDraft2020({ ...draft7, properties: { a: below } })).toEqual({
      properties: { a: { $ref: "#/definitions/x", description: "Kept." } },
    });
  });

  it("reads draft 4's ids and exclusive bounds", () => {
    expect(
      toDraft2020({
        $schema: "http://json-schema.org/draft-04/schema#",
        id: "#a",
        minimum: 1,
        exclusiveMinimum: true,
        maximum: 5,
        exclusiveMaximum: false,
      }),
    ).toEqual({
      $anchor: "a",
      exclusiveMinimum: 1,
      maximum: 5,
    });
    expect(toDraft2020({ properties: { id: { type: "string" }, dependencies: { type: "string" } } })).toEqual({
      properties: { id: { type: "string" }, dependencies: { type: "string" } },
    });
  });

  it("makes plain references of dynamic ones that can only mean one thing", () => {
    expect(toDraft2020({ items: { $dynamicRef: "#a" }, $defs: { a: { $dynamicAnchor: "a" } } })).toEqual({
      items: { $ref: "#a" },
      $defs: { a: { $dynamicAnchor: "a" } },
    });
    expect(toDraft2020({ items: { $recursiveRef: "#" } })).toEqual({ items: { $ref: "#" } });
  });
});
