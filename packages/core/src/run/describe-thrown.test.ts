import { describe, expect, it } from "vitest";
import { describeThrown } from "./describe-thrown.ts";

describe("describeThrown", () => {
  it.each([
    ["cannot open /srv/secret/place/file.txt", "cannot open …/file.txt"],
    ["'/srv/secret/file.txt' is gone", "'…/file.txt' is gone"],
    ["imported from file:///srv/secret/a.js", "imported from …/a.js"],
    ["at C:\\Users\\ada\\a.js", "at …/a.js"],
    ["@acme/ts-tools/count_words: ./dist/index.js threw", "@acme/ts-tools/count_words: ./dist/index.js threw"],
    ["src/a/b.ts and ../c/d.ts", "src/a/b.ts and ../c/d.ts"],
    ["1/2/3", "1/2/3"],
  ])("hides where the host keeps things, and nothing else: %s", (message, shown) => {
    expect(describeThrown(new Error(message))).toBe(`Error: ${shown}`);
  });

  it("says one bounded line, whatever was thrown (SEC-LOG-4)", () => {
    expect(describeThrown("a\nb\tc")).toBe("string a b c");
    expect(describeThrown(new Error("x".repeat(5000))).length).toBeLessThan(310);
    expect(describeThrown(Object.create(null))).toBe("something that cannot be described");
  });
});
