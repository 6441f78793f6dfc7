import { describe, expect, it } from "vitest";
import type { Diagnostic } from "./diagnostic.ts";
import { formatDiagnostic } from "./format-diagnostic.ts";

const diagnostic: Diagnostic = {
  code: "name_illegal",
  severity: "error",
  file: "/p/src/weather.ts",
  line: 2,
  column: 8,
  message: "It is wrong.",
  fix: "Write it right.",
};

describe("formatDiagnostic", () => {
  it("says where, what and what to write", () => {
    expect(formatDiagnostic(diagnostic, { cwd: "/p" })).toBe(
      "src/weather.ts:2:8 error name_illegal It is wrong.\n  Write it right.",
    );
  });

  it("names a file elsewhere whole", () => {
    expect(formatDiagnostic(diagnostic, { cwd: "/q" })).toMatch(/^\/p\/src\/weather\.ts:2:8 /);
  });

  it("shows the line with a caret", () => {
    const readFile = (): string => "first\r\n\texport\u200b wrong\r\n";
    const [, line, caret] = formatDiagnostic(diagnostic, { cwd: "/p", readFile }).split("\n");
    expect(line).toBe("     export\\u{200b} wrong");
    expect(caret?.indexOf("^")).toBe("     export".length);
  });

  it("cuts long lines around the place, and escapes what would move the cursor", () => {
    const readFile = (): string => `\n${"a".repeat(5000)}X${"b".repeat(5000)}`;
    const shown = formatDiagnostic({ ...diagnostic, column: 5001, message: "\u001b[2J\nx" }, { cwd: "/p", readFile });
    const [head, line = "", caret = ""] = shown.split("\n");
    expect(head).toContain("\\u{1b}[2J x");
    expect(line.length).toBeLessThan(120);
    expect(line[caret.indexOf("^")]).toBe("X");
  });
});
