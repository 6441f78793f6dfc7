import { describe, expect, it } from "vitest";
import { parseUrl } from "@aiw/core/node";
import { toRawFileTarget } from "./raw-file-url.ts";

describe("toRawFileTarget", () => {
  it.each([
    ["https://github.com/o/r/blob/main/a/b.md", "https://raw.githubusercontent.com/o/r/main/a/b.md"],
    ["https://gitlab.com/g/s/r/-/blob/main/a.md", "https://gitlab.com/g/s/r/-/raw/main/a.md"],
    ["https://github.com/o/r", "https://github.com/o/r"],
    ["https://github.com/o/r/blob/main", "https://github.com/o/r/blob/main"],
    ["https://github.com.evil.test/o/r/blob/main/a", "https://github.com.evil.test/o/r/blob/main/a"],
    ["http://github.com/o/r/blob/main/a", "http://github.com/o/r/blob/main/a"],
  ])("turns %s into %s", (page, raw) => {
    expect(toRawFileTarget(parseUrl(page)).url.href).toBe(raw);
  });
});
