import { describe, expect, it } from "vitest";
import { nearestNames } from "./nearest-names.ts";

describe("nearestNames", () => {
  it("finds the same letters whatever their case and separators", () => {
    expect(nearestNames("readFile", ["write", "read_file"])).toEqual(["read_file"]);
    expect(nearestNames("READ-FILE", ["read_file"])).toEqual(["read_file"]);
  });

  it("finds names two edits away, nearest first", () => {
    expect(nearestNames("cty", ["units", "city", "days"])).toEqual(["city"]);
    expect(nearestNames("raed", ["read", "road", "red"])).toEqual(["red", "read", "road"]);
  });

  it("does not guess when most of the name would change", () => {
    expect(nearestNames("a", ["b"])).toEqual([]);
    expect(nearestNames("ab", ["cd"])).toEqual([]);
    expect(nearestNames("x".repeat(1_000_000), ["x"])).toEqual([]);
  });

  it("keeps to the limit and never names the name itself", () => {
    expect(nearestNames("tool1", ["tool1", "tool2", "tool3", "tool4", "tool5"], 2)).toEqual(["tool2", "tool3"]);
  });
});
