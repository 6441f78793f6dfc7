import { describe, expect, it } from "vitest";
import { findOmission } from "./find-omission.ts";

const find = (text: string, old = "", path = "a.ts") => findOmission(text, { old, path });

describe("findOmission", () => {
  it.each([
    "// ... rest of code ...",
    "// rest of code …",
    "  // ... existing code ...",
    "# ... (rest of the file remains the same)",
    "/* ... remaining methods ... */",
    "<!-- ... rest of the content ... -->",
    "// ... other functions stay unchanged ...",
    "{/* ... existing components ... */}",
    "-- ... rest of the script unchanged ...",
    "... rest of the implementation ...",
    "[... rest of file unchanged ...]",
    "// ... same as before ...",
  ])("finds %s", (line) => {
    expect(find(`const a = 1;\n${line}\n`)).toEqual({ line: 2, text: line.trim() });
  });

  it.each([
    "function sum(...rest) {",
    "const { a, ...others } = existing;",
    "// the rest of the code is below",
    "// see chapter 3 ...",
    "const text = `... rest of code ...`;",
    "// next: handle existing files...soon",
    "print('Loading existing file ...')",
  ])("leaves %s alone", (line) => {
    expect(find(`${line}\n`)).toBeUndefined();
  });

  it("accepts a line that was there before", () => {
    expect(find("// ... rest of code ...\n", "a\n  // ... rest of code ...\n")).toBeUndefined();
  });

  it("lets prose show examples with gaps", () => {
    expect(find("// ... rest of code ...\n", "", "docs/guide.md")).toBeUndefined();
  });
});
