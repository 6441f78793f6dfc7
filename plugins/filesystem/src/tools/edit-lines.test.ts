import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";

async function change(before: string, line_edits: object[], more: object = {}) {
  await using bench = await openBench({ "a.ts": before });
  await bench.ok(read, { file_paths: ["a.ts"], limit: 0 });
  const output = await bench.ok(edit, { path: "a.ts", line_edits, ...more });
  return { text: await bench.folder.read("a.ts"), output };
}

async function refuse(before: string, line_edits: object[], more: object = {}) {
  await using bench = await openBench({ "a.ts": before });
  await bench.ok(read, { file_paths: ["a.ts"], limit: 0 });
  const failure = await bench.fail(edit, { path: "a.ts", line_edits, ...more });
  expect(await bench.folder.read("a.ts")).toBe(before);
  return failure;
}

describe("edit, by line", () => {
  it.each([
    ["insert before a line", "a\nb\n", [{ op: "insert", line: 2, content: "x" }], "a\nx\nb\n"],
    ["insert before the first line", "a\n", [{ op: "insert", line: 1, content: "x\ny\n" }], "x\ny\na\n"],
    ["append", "a\n", [{ op: "insert", line: 2, content: "x" }], "a\nx\n"],
    ["append after a line without an ending", "a", [{ op: "insert", line: 2, content: "x" }], "a\nx"],
    ["insert an empty line", "a\nb\n", [{ op: "insert", line: 2, content: "" }], "a\n\nb\n"],
    ["replace a line", "a\nb\nc\n", [{ op: "replace", line: 2, content: "x\ny" }], "a\nx\ny\nc\n"],
    ["replace some lines", "a\nb\nc\n", [{ op: "replace", line: 1, count: 2, content: "x" }], "x\nc\n"],
    ["replace the last line, which has no ending", "a\nb", [{ op: "replace", line: 2, content: "x\n" }], "a\nx"],
    ["delete lines", "a\nb\nc\n", [{ op: "delete", line: 2, count: 2 }], "a\n"],
    ["delete all", "a\nb", [{ op: "delete", line: 1, count: 2 }], ""],
    ["keep CR LF", "a\r\nb\r\n", [{ op: "insert", line: 2, content: "x\ny" }], "a\r\nx\r\ny\r\nb\r\n"],
    [
      "follow the region where endings are mixed",
      "a\r\nb\nc\n",
      [{ op: "replace", line: 1, content: "x" }],
      "x\r\nb\nc\n",
    ],
  ])("%s", async (_what, before, edits, after) => {
    expect((await change(before, edits)).text).toBe(after);
  });

  it("takes all numbers as they were before the call, in whatever order", async () => {
    const edits = [
      { op: "insert", line: 1, content: "0\n00" },
      { op: "delete", line: 4 },
      { op: "replace", line: 2, content: "B\nBB" },
      { op: "insert", line: 4, content: "x" },
      { op: "insert", line: 4, content: "y" },
      { op: "insert", line: 6, content: "end" },
    ];
    const { text, output } = await change("a\nb\nc\nd\ne\n", edits);
    expect(text).toBe("0\n00\na\nB\nBB\nc\nx\ny\ne\nend\n");
    expect(output.edits.map(({ first_line }) => first_line)).toEqual([1, 9, 4, 7, 8, 10]);
    expect(output.edits.every(({ strategy }) => strategy === "line")).toBe(true);
  });

  it.each([
    [
      "two that take the same line",
      [
        { op: "delete", line: 1, count: 2 },
        { op: "replace", line: 2, content: "x" },
      ],
    ],
    [
      "an insertion amid lines that go",
      [
        { op: "delete", line: 1, count: 2 },
        { op: "insert", line: 2, content: "x" },
      ],
    ],
    ["delete with content", [{ op: "delete", line: 1, content: "x" }]],
    ["replace without content", [{ op: "replace", line: 1 }]],
    ["insert with a count", [{ op: "insert", line: 1, count: 2, content: "x" }]],
  ])("refuses %s, all or nothing", async (_what, edits) => {
    expect(await refuse("a\nb\nc\n", [...edits, { op: "insert", line: 4, content: "z" }])).toMatchObject({
      code: "invalid_input",
    });
  });

  it("says how many lines there are", async () => {
    expect(await refuse("a\nb\n", [{ op: "delete", line: 2, count: 2 }])).toMatchObject({
      code: "offset_out_of_range",
      error: expect.stringContaining("The file has 2 lines, and line 3"),
      suggestion: expect.stringContaining("line 3 appends"),
    });
    expect(await refuse("a\n", [{ op: "insert", line: 3, content: "x" }])).toMatchObject({
      code: "offset_out_of_range",
    });
  });

  it("makes an edit only where the expected text stands, and says where else it does", async () => {
    const before = "a\nb\nc\n";
    expect((await change(before, [{ op: "delete", line: 2, expect: "b" }])).text).toBe("a\nc\n");
    expect((await change("a \nb\n", [{ op: "delete", line: 1, expect: "     1\ta" }])).text).toBe("b\n");
    const failure = await refuse(before, [{ op: "replace", line: 2, content: "x", expect: "c" }]);
    expect(failure).toMatchObject({ code: "no_match", details: { line: 2, text: "b", lines: [3] } });
    const edits = /line_edits=(\[.*\])\)$/u.exec(failure.suggestion ?? "")?.[1] ?? "";
    expect((await change(before, JSON.parse(edits) as object[])).text).toBe("a\nb\nx\n");
    expect(await refuse("a \nb\n", [{ op: "delete", line: 1, expect: "a" }], { match: "exact" })).toMatchObject({
      code: "no_match",
    });
  });

  it("refuses what changes nothing, and keeps what can be made with partial", async () => {
    expect(await refuse("a\nb\n", [{ op: "replace", line: 1, content: "a" }])).toMatchObject({ code: "no_change" });
    const { text, output } = await change(
      "a\nb\n",
      [
        { op: "delete", line: 9 },
        { op: "replace", line: 2, content: "c" },
      ],
      { partial: true },
    );
    expect(text).toBe("a\nc\n");
    expect(output.edits).toMatchObject([{ error: { code: "offset_out_of_range" } }, { first_line: 2 }]);
  });
});
