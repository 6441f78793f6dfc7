import { describe, expect, it } from "vitest";
import { toResourcePlaces } from "./resource-places.ts";

const keys = (resource: string): string[] =>
  toResourcePlaces(resource).map(({ key, within }) => (within ? `in ${key}` : key));

describe("toResourcePlaces", () => {
  it("gives a file, and that something is used within each folder above it", () => {
    expect(keys("file:/a/b")).toEqual(["file:/a/b", "in folder:/", "in folder:/a/", "in folder:/a/b/"]);
  });

  it("gives a folder, however its end is written", () => {
    expect(keys("folder:/a/b")).toEqual(["in folder:/", "in folder:/a/", "folder:/a/b/"]);
    expect(keys("folder:/a/b/")).toEqual(keys("folder:/a/b"));
    expect(keys("folder:/")).toEqual(["folder:/"]);
  });

  it("reads paths with drives and backslashes", () => {
    expect(keys(String.raw`folder:C:\a`)).toEqual(["in folder:/", "in folder:/C:/", "folder:/C:/a/"]);
  });

  it("gives every other resource as it is", () => {
    expect(keys("table:users")).toEqual(["table:users"]);
    expect(keys("file:")).toEqual(["file:"]);
  });

  it("takes what lies very deep for the folder on the last level", () => {
    const deep = `/${"d/".repeat(5000)}x`;
    expect(keys(`folder:${deep}`).at(-1)).toBe(keys(`folder:/${"d/".repeat(64)}`).at(-1));
    expect(keys(`file:${deep}`)).toHaveLength(66);
  });
});
