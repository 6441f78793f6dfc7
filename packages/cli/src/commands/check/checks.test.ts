import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CHECKS } from "./checks.ts";

describe("CHECKS", () => {
  it("are the rows of their page, in its order", () => {
    const page = readFileSync(new URL("../../../../../docs/reference/check.md", import.meta.url), "utf8");
    const rows = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(rows).toEqual(Object.keys(CHECKS));
  });
});
