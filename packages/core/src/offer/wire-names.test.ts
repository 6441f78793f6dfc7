import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TOOL_NAME_PATTERN } from "../contract/tool-spec.ts";
import { toWireId, toWireName, toWireNames } from "./wire-names.ts";

describe("toWireName", () => {
  it("keeps legal names and repairs others", () => {
    expect(toWireName("read_file")).toBe("read_file");
    expect(toWireName("maps.search-v2")).toBe("maps_search_v2");
    expect(toWireName("2fa")).toBe("_2fa");
    expect(toWireName("a".repeat(65))).toBe("a".repeat(55) + "_635361c4");
  });

  it("always gives a legal name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (original) =>
        TOOL_NAME_PATTERN.test(toWireName(original)),
      ),
    );
  });
});

describe("toWireId", () => {
  it("joins package and tool by two underscores", () => {
    expect(toWireId("@acme/plugin-x/read")).toBe("acme_plugin_x__read");
    expect(toWireId("read")).toBe("read");
    expect(toWireId(`@acme/${"long".repeat(30)}/read`)).toMatch(/^.{55}_[0-9a-f]{8}$/);
  });
});

describe("toWireNames", () => {
  it("gives all originals that would meet their hash, whatever their order", () => {
    const names = toWireNames(["a-b", "a.b", "c"]);
    expect([...names.values()]).toEqual([
      expect.stringMatching(/^a_b_[0-9a-f]{8}$/),
      expect.stringMatching(/^a_b_[0-9a-f]{8}$/),
      "c",
    ]);
    expect(new Map([...toWireNames(["c", "a.b", "a-b"])].toSorted())).toEqual(new Map([...names].toSorted()));
  });

  it("is one-to-one (SEC-META-4)", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ unit: fc.constantFrom(..."ab-._/1"), maxLength: 6 }), { maxLength: 40 }),
        (originals) => {
          const names = toWireNames(originals);
          expect(new Set(names.values()).size).toBe(originals.length);
          for (const name of names.values()) expect(name).toMatch(TOOL_NAME_PATTERN);
        },
      ),
    );
  });
});
