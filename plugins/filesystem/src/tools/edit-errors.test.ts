import { chmod, truncate } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { edit } from "./edit.ts";

const one = (old_text: string, new_text: string): object => ({ path: "a.txt", edits: [{ old_text, new_text }] });

describe("edit, refusing", () => {
  it("names each line once, and one line as one", async () => {
    await using bench = await openBench({ "a.txt": "f(); f();\nconst port = 8080;\n" });
    const twice = await bench.fail(edit, one("f();", "g();"));
    expect(twice).toMatchObject({ code: "ambiguous_match", details: { count: 2, lines: [1] } });
    expect(twice.error).toContain("stands at 2 places, line 1: a.txt");
    expect((await bench.fail(edit, one("const port = 8081;", "x"))).error).toMatch(
      /; most like it: line 2 \(similarity 0\.\d+\)/u,
    );
  });

  it("`old_text` equals `new_text`; replacement already there: `no_change`; `already_applied`", async () => {
    await using bench = await openBench({ "a.txt": "const port = 8080;\nimport a;\nimport b;\n" });
    expect(await bench.fail(edit, one("x", "x"))).toMatchObject({ code: "no_change" });
    expect(await bench.fail(edit, one("import a;\r\n", "import a;\n"))).toMatchObject({ code: "no_change" });
    expect(await bench.fail(edit, one("const port = 80;", "const port = 8080;"))).toMatchObject({
      code: "already_applied",
      details: { line: 1 },
    });
    expect(await bench.fail(edit, one("import a;", "import a;\nimport b;"))).toMatchObject({ code: "already_applied" });
    const there_and_back = [
      { old_text: "import a;", new_text: "import c;" },
      { old_text: "import c;", new_text: "import a;" },
    ];
    expect(await bench.fail(edit, { path: "a.txt", edits: there_and_back })).toMatchObject({ code: "no_change" });
  });

  it("`// rest of code …` not in the old text: `omission_placeholder`", async () => {
    await using bench = await openBench({ "a.ts": "a();\nb();\n// ... existing code ...\n" });
    const place = "// ... existing code ...";
    const edits = [{ old_text: "a();\nb();", new_text: `a();\n${place}` }];
    expect(await bench.fail(edit, { path: "a.ts", edits })).toMatchObject({
      code: "omission_placeholder",
      details: { line: 2 },
    });
    const kept = [{ old_text: `b();\n${place}`, new_text: `c();\n${place}` }];
    expect(await bench.ok(edit, { path: "a.ts", edits: kept })).toMatchObject({ additions: 1 });
    const lines = [{ op: "insert", line: 1, content: "// ... rest of the code ..." }];
    expect(await bench.fail(edit, { path: "a.ts", line_edits: lines })).toMatchObject({ code: "omission_placeholder" });
  });

  it("lists all failing edits of a batch, and makes none", async () => {
    await using bench = await openBench({ "a.txt": "a\nb\nb\n" });
    const edits = [
      { old_text: "a", new_text: "c" },
      { old_text: "missing", new_text: "x" },
      { old_text: "b", new_text: "x" },
    ];
    const failure = await bench.fail(edit, { path: "a.txt", edits });
    expect(failure).toMatchObject({
      code: "no_match",
      error: expect.stringMatching(/2 of 3 edits cannot be made.*\[1\].*\[2\]/u),
      details: {
        failed: [
          { edit: 1, code: "no_match" },
          { edit: 2, code: "ambiguous_match", details: { lines: [2, 3] } },
        ],
      },
    });
    expect(await bench.folder.read("a.txt")).toBe("a\nb\nb\n");
  });

  it("keeps what can be made with partial, and lists the rest", async () => {
    await using bench = await openBench({ "a.txt": "a\nb\n" });
    const edits = [
      { old_text: "missing", new_text: "x" },
      { old_text: "b", new_text: "c" },
    ];
    const value = await bench.ok(edit, { path: "a.txt", edits, partial: true });
    expect(value).toMatchObject({
      edits: [
        { replacements: 0, error: { code: "no_match" } },
        { strategy: "exact", replacements: 1, first_line: 2 },
      ],
      notices: ["1 of 2 edits could not be made; edits[].error says why."],
    });
    expect(await bench.folder.read("a.txt")).toBe("a\nc\n");
    expect(await bench.fail(edit, { path: "a.txt", edits: edits.slice(0, 1), partial: true })).toMatchObject({
      code: "no_match",
    });
  });

  it.each([{}, { edits: [{ old_text: "a", new_text: "b" }], line_edits: [{ op: "delete", line: 1 }] }])(
    "wants edits or line_edits: %j",
    async (input) => {
      await using bench = await openBench({ "a.txt": "a\n" });
      expect(await bench.fail(edit, { path: "a.txt", ...input })).toMatchObject({
        code: "invalid_input",
        suggestion: expect.stringContaining('edit(path="a.txt", edits=['),
      });
    },
  );

  it("edit of a huge file: `too_large`", async () => {
    await using bench = await openBench({ "a.txt": "a\n" });
    await truncate(bench.folder.path("a.txt"), 21 * 1024 * 1024);
    expect(await bench.fail(edit, one("a", "b"))).toMatchObject({
      code: "too_large",
      suggestion: expect.stringContaining("shell"),
    });
  });

  it("refuses what is no text, and what would lose bytes", async () => {
    await using bench = await openBench({
      "a.txt": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
      "b.txt": Buffer.from([...Buffer.from("Größe äöü ".repeat(20)), 0xff, 0xfe, 0x80]),
    });
    expect(await bench.fail(edit, one("a", "b"))).toMatchObject({ code: "binary_file" });
    expect(await bench.fail(edit, { ...one("Größe", "b"), path: "b.txt" })).toMatchObject({ code: "undecodable" });
  });

  it("names near names of a file that is missing, and says write for an empty one", async () => {
    await using bench = await openBench({ "main.txt": "a\n", "empty.txt": "" });
    expect(await bench.fail(edit, { ...one("a", "b"), path: "mian.txt" })).toMatchObject({
      code: "not_found",
      details: { nearest: ["main.txt"] },
    });
    expect(await bench.fail(edit, { ...one("a", "b"), path: "zzz/new.txt" })).toMatchObject({
      code: "not_found",
      suggestion: expect.stringContaining("write("),
    });
    expect(await bench.fail(edit, { ...one("a", "b"), path: "empty.txt" })).toMatchObject({
      code: "no_match",
      suggestion: expect.stringContaining('write(path="empty.txt"'),
    });
    const first = { path: "empty.txt", line_edits: [{ op: "insert", line: 1, content: "a" }] };
    expect(await bench.fail(edit, first)).toMatchObject({
      code: "offset_out_of_range",
      suggestion: expect.stringContaining("write("),
    });
  });

  it("names in NFD, with U+202F or curly quotes: variants tried, the real name said", async () => {
    await using bench = await openBench({ "It’s\u202f5 cafe\u0301.txt": "a\n" });
    const value = await bench.ok(edit, { ...one("a", "b"), path: "It's 5 caf\u00e9.txt" });
    expect(value).toMatchObject({
      path: "It’s\u202f5 cafe\u0301.txt",
      notices: [expect.stringContaining("really named")],
    });
    expect(await bench.folder.read("It’s\u202f5 cafe\u0301.txt")).toBe("b\n");
  });

  it("read-only file in a writable directory: `permission_denied`, also in a dry run", async () => {
    await using bench = await openBench({ "a.txt": "a\n" });
    await chmod(bench.folder.path("a.txt"), 0o444);
    expect(await bench.fail(edit, one("a", "b"))).toMatchObject({ code: "permission_denied" });
    expect(await bench.fail(edit, { ...one("a", "b"), dry_run: true })).toMatchObject({ code: "permission_denied" });
  });

  it("refuses protected names, folders and paths outside", async () => {
    await using bench = await openBench({ ".gitattributes": "a\n", "d/x": "" });
    for (const dry_run of [true, false])
      expect(await bench.fail(edit, { ...one("a", "b"), path: ".gitattributes", dry_run })).toMatchObject({
        code: "protected_path",
      });
    expect(await bench.fail(edit, { ...one("a", "b"), path: "d" })).toMatchObject({
      code: expect.stringMatching(/not_a_file|not_regular_file/u),
    });
    expect(await bench.fail(edit, { ...one("a", "b"), path: "../x" })).toMatchObject({ code: "outside_root" });
  });
});
