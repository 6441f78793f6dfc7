import { describe, expect, it } from "vitest";
import { findMeantTag } from "./tag-names.ts";

describe("findMeantTag", () => {
  it("finds the tag of ours that was nearly written", () => {
    const meant = {
      catgory: "category",
      effect: "effects",
      Effects: "effects",
      minimun: "minimum",
      examle: "example",
      retruns: "returns",
      min: "minimum",
      max: "maximum",
    };
    for (const [written, tag] of Object.entries(meant)) expect(findMeantTag(written)).toBe(tag);
  });

  it("leaves known tags and foreign ones alone", () => {
    for (const tag of ["effects", "throws", "see", "defaultValue", "return", "acme", "pram", "x".repeat(10_000)]) {
      expect(findMeantTag(tag)).toBeUndefined();
    }
  });
});
