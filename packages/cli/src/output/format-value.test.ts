import { stripVTControlCharacters } from "node:util";
import { createPaint } from "@aiw/executor/node";
import { escapeHiddenText, type Json } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatValue } from "./format-value.ts";

const plain = createPaint(false, undefined);
const coloured = createPaint(true, undefined);

function format(value: Json, width = 80): string {
  return formatValue(value, { paint: plain, width });
}

const DIFF = "--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n--- x\n+new\n same";

describe("formatValue", () => {
  it.each<[string, Json, string]>([
    ["a text as it is, without the end of its last line", "one\n\n  two\n", "one\n\n  two"],
    ["a number", 3, "3"],
    ["nothing", null, "null"],
    ["an empty object", {}, "{}"],
    ["an object that holds nothing but what is empty", { a: [], b: { c: "" } }, '{"a":[],"b":{"c":""}}'],
    ["an empty text so that it is seen", "", '""'],
    ["text of white space so that it is seen", { a: " \n" }, 'a: " \\n"'],
    ["members on a line each", { path: "a.ts", bytes: 0, made: false }, "path: a.ts\nbytes: 0\nmade: false"],
    ["nothing for empty members", { a: "", b: [], c: {}, d: null, e: [null], f: 1 }, "e:\n  - null\nf: 1"],
    ["text of several lines as a block", { content: "a\n\n b\n", total: 2 }, "content: |\n  a\n\n   b\ntotal: 2"],
    ["text of one line that ends behind its name", { content: "a\n" }, "content: a"],
    ["objects in objects deeper", { a: { b: { c: 1, d: "x\ny" } } }, "a:\n  b:\n    c: 1\n    d: |\n      x\n      y"],
    ["small things side by side", { ids: ["u1", "u2"], none: [1, true] }, "ids: u1, u2\nnone: 1, true"],
    ["texts with commas below each other", { all: ["a, b", "c"] }, "all:\n  - a, b\n  - c"],
    ["texts of several lines in a list", { all: ["a\nb", "c"] }, "all:\n  - a\n    b\n  - c"],
    [
      "small objects of a list on a line each",
      {
        entries: [
          { name: "src", kind: "dir" },
          { name: "a, b", kind: "file" },
        ],
      },
      "entries:\n  - name: src, kind: dir\n  - name: a, b\n    kind: file",
    ],
    [
      "objects of a list that hold more in lines of their own",
      { files: [{ path: "a.ts", edits: [{ line: 1, note: "" }], diff: "x\ny" }] },
      "files:\n  - path: a.ts\n    edits:\n      - line: 1\n    diff: |\n      x\n      y",
    ],
    ["lists in lists", [[1, 2], [{ a: [] }], []], '- 1, 2\n- - {"a":[]}\n- []'],
  ])("shows %s", (_what, value, shown) => {
    expect(format(value)).toBe(shown);
  });

  it("puts below each other what does not fit the width, and never cuts or breaks a text", () => {
    const long = "x".repeat(500);
    expect(format({ long, paths: ["aaaa", "bbbb"], entries: [{ name: "aaaa", kind: "dir" }] }, 16)).toBe(
      `long: ${long}\npaths:\n  - aaaa\n  - bbbb\nentries:\n  - name: aaaa\n    kind: dir`,
    );
  });

  it("lets nothing foreign move the cursor, hide, or pass for a line of its own", () => {
    expect(format("a\r\nb\u001B[2Jc\rd\u202Ee")).toBe("a\nb\\u{1b}[2Jc\\rd\\u{202e}e");
    expect(format({ "a\nundo_id": "x\r\nundo_id: u1", "\u001B]0;": "\u0007" })).toBe(
      "a\\nundo_id: |\n  x\n  undo_id: u1\n\\u{1b}]0;: \\u{7}",
    );
  });

  it("gives printable text alone for any value, and colours change nothing but colours", () => {
    const unit = fc.constantFrom(
      "a",
      " ",
      ":",
      "\n",
      "\r",
      "\t",
      "\u001B",
      "[",
      "m",
      "\u009B",
      "\u202E",
      "\u2028",
      "é",
    );
    const any = fc.jsonValue({ stringUnit: unit, maxDepth: 3 });
    fc.assert(
      fc.property(any, fc.integer({ min: 1, max: 120 }), (value, width) => {
        const shown = format(value as Json, width);
        expect(escapeHiddenText(shown)).toBe(shown);
        expect(shown).not.toContain("\r");
        expect(stripVTControlCharacters(formatValue(value as Json, { paint: coloured, width }))).toBe(shown);
      }),
    );
  });

  it("gives back each line of a text deeper than its name", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "", "b: 1", "- c", " d"), { minLength: 2 }), (lines) => {
        fc.pre(lines.some((line) => line !== "") && lines.at(-1) !== "");
        const [head, ...below] = format({ text: lines.join("\n"), end: 1 }).split("\n");
        expect(head).toBe("text: |");
        expect(below).toEqual([...lines.map((line) => (line === "" ? "" : `  ${line}`)), "end: 1"]);
      }),
    );
  });

  it("colours names and the lines of a diff, its names not as lines that went", () => {
    expect(formatValue({ diff: DIFF }, { paint: coloured, width: 80 })).toBe(
      [
        "\u001B[36mdiff: |\u001B[39m",
        "  \u001B[1m--- a.ts\u001B[22m",
        "  \u001B[1m+++ a.ts\u001B[22m",
        "  \u001B[36m@@ -1,2 +1,2 @@\u001B[39m",
        "  \u001B[31m--- x\u001B[39m",
        "  \u001B[32m+new\u001B[39m",
        "   same",
      ].join("\n"),
    );
    expect(formatValue("- a\n+ b", { paint: coloured, width: 80 })).toBe("- a\n+ b");
  });
});
