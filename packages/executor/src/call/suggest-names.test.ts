import { createEntry } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { suggestNames } from "./suggest-names.ts";

function entry(id: string) {
  const name = id.slice(id.lastIndexOf("/") + 1);
  return createEntry({
    id,
    name,
    origin: { source: "explicit" },
    load: () => Promise.reject(new Error("not here")),
  });
}

const offered = ["@aiw/plugin-filesystem/read", "@aiw/plugin-filesystem/read_file", "@acme/notes/find_notes"].map(
  entry,
);

describe("suggestNames", () => {
  it.each([
    ["Read", "read"],
    ["readFile", "read_file"],
    ["read-file", "read_file"],
    ["functions.read", "read"],
    ["default_api.read_file", "read_file"],
    ["mcp__filesystem__read_file", "read_file"],
    ["tools:find-notes", "find_notes"],
    ["aiw_plugin_filesystem__read", "read"],
    ["functions.acme_notes__find_notes", "find_notes"],
    ["other/read", "read"],
  ])("knows %s for %s", (name, meant) => {
    const { names, isSame } = suggestNames(name, offered);
    expect(names[0]).toBe(meant);
    expect(isSame).toBe(true);
  });

  it("is not sure of a name that is misspelt, and silent about one it does not know", () => {
    expect(suggestNames("functions.raed_file", offered)).toEqual({ names: ["read_file"], isSame: false });
    expect(suggestNames("launch_rocket", offered)).toEqual({ names: [], isSame: false });
    expect(suggestNames("read.".repeat(1000), offered).names).toEqual([]);
  });

  it("answers every name with offered ones alone", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."read_file./:-R "), maxLength: 300 }), (name) => {
        const { names } = suggestNames(name, offered);
        expect(names.length).toBeLessThanOrEqual(3);
        expect(names.every((suggested) => offered.some((tool) => tool.name === suggested))).toBe(true);
      }),
    );
  });
});
