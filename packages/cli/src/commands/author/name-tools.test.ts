import { describe, expect, it } from "vitest";
import { nameTools } from "./name-tools.ts";

describe("nameTools", () => {
  it("names a few tools, and counts the others", () => {
    const names = Array.from({ length: 40 }, (_, index) => `t${index}`);
    expect(nameTools([])).toBe("");
    expect(nameTools(names.slice(0, 8))).toBe("t0, t1, t2, t3, t4, t5, t6, t7");
    expect(nameTools(names)).toBe("t0, t1, t2, t3, t4, t5, t6, t7 and 32 more");
  });
});
