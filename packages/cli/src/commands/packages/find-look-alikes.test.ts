import { describe, expect, it } from "vitest";
import { findLookAlikes, OWN_NAMES } from "./find-look-alikes.ts";

describe("findLookAlikes", () => {
  it.each([
    ["row 47: letters left out", "@acme/aiw-tikets", "@acm/aiw-tickets", ["@acm/aiw-tickets"]],
    ["row 47: digits for letters", "fx-too1s", "fx-tools", ["fx-tools"]],
    ["row 47: separators moved", "fxtools", "fx-tools", ["fx-tools"]],
    ["row 47: letters that look like one", "fx-rnail", "fx-mail", ["fx-mail"]],
    ["row 47: the scope misspelt", "@a1w/plugin-shell", "@aiw/plugin-shell", []],
    ["row 47: the scope as part of the name", "aiw-plugin-web", "@aiw/plugin-web", []],
  ])("%s", (_what, name, known, dependencies) => {
    const found = findLookAlikes(name, [...dependencies, ...OWN_NAMES]);
    expect(found).toContainEqual({ name, known, why: "spelling" });
  });

  it("says nothing within one scope, whose names one owner gives out", () => {
    expect(findLookAlikes("@acme/tools-a", ["@acme/tools-b"])).toEqual([]);
  });

  it("row 47: finds the last part of a name in another scope", () => {
    expect(findLookAlikes("@other/ticket-tools", ["@acme/ticket-tools"])).toEqual([
      { name: "@other/ticket-tools", known: "@acme/ticket-tools", why: "scope" },
    ]);
  });

  it("says nothing of a dependency itself, of short names, and of names that are far apart", () => {
    expect(findLookAlikes("fx-tools", ["fx-tools", "fx-tool"])).toEqual([]);
    expect(findLookAlikes("tsx", ["tsc"])).toEqual([]);
    expect(findLookAlikes("@acme/aiw-tickets", OWN_NAMES)).toEqual([]);
    expect(findLookAlikes("@other/core", OWN_NAMES)).toEqual([]);
  });
});
