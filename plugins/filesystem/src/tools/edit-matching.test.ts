import { describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { edit } from "./edit.ts";
import { read } from "./read.ts";

/** Reads a file, makes one edit by text, and gives the file and how the place was found. */
async function change(before: string, edits: object | object[], more: object = {}) {
  await using bench = await openBench({ "a.ts": before });
  await bench.ok(read, { file_paths: ["a.ts"], limit: 0 });
  const output = await bench.ok(edit, { path: "a.ts", edits: Array.isArray(edits) ? edits : [edits], ...more });
  return { text: await bench.folder.read("a.ts"), output, strategy: output.edits[0]?.strategy };
}

/** Reads a file and makes edits that must fail without a trace. */
async function refuse(before: string, edits: object | object[], more: object = {}) {
  await using bench = await openBench({ "a.ts": before });
  await bench.ok(read, { file_paths: ["a.ts"], limit: 0 });
  const failure = await bench.fail(edit, { path: "a.ts", edits: Array.isArray(edits) ? edits : [edits], ...more });
  expect(await bench.folder.read("a.ts")).toBe(before);
  return failure;
}

describe("edit, matching", () => {
  it("near-miss block: never applied, similarity serves hints only", async () => {
    const before = "function total(items) {\n  return items.length;\n}\n";
    const failure = await refuse(before, {
      old_text: "function total(item) {\n  return item.length;\n}",
      new_text: "x",
    });
    expect(failure).toMatchObject({
      code: "no_match",
      error: expect.stringContaining("a.ts"),
      suggestion: expect.stringContaining('read(file_paths=["a.ts"], offset=1, limit=3)'),
      details: { candidates: [{ first_line: 1, last_line: 3, similarity: 0.96, text: before.trimEnd() }] },
    });
  });

  it("tolerant match rewrites the file: original bytes are spliced, and the diff is from true old and new", async () => {
    const before = "“kept”  \n\tif (a) {   \n\t\tb();\t\n\t}\n“kept too”\t\n";
    const edits = { old_text: "\tif (a) {\n\t\tb();\n\t}\n", new_text: "\tif (a) {\n\t\tc();\n\t}\n" };
    const { text, output, strategy } = await change(before, edits);
    expect(strategy).toBe("trailing_whitespace");
    expect(text).toBe("“kept”  \n\tif (a) {   \n\t\tc();\n\t}\n“kept too”\t\n");
    expect(output).toMatchObject({
      additions: 1,
      deletions: 1,
      diff: expect.stringContaining("-\t\tb();\t\n+\t\tc();\n"),
    });
  });

  it.each(["$&", "$$", "$`", "$'", "$1"])(
    "%s in new text: inserted literally, single and replace_all",
    async (sign) => {
      expect((await change("a b\n", { old_text: "a", new_text: sign })).text).toBe(`${sign} b\n`);
      const all = { old_text: "a", new_text: sign, replace_all: true };
      expect((await change("a a\nba\n", all)).text).toBe(`${sign} ${sign}\nb${sign}\n`);
    },
  );

  it("CR LF, mixed endings: matched blind to them; new lines take the region's ending; others untouched", async () => {
    const mixed = "a\r\nb\nc\r\nd\n";
    const edits = { old_text: "a\nb\nc\n", new_text: "a\nx\ny\nc\n" };
    expect((await change(mixed, edits)).text).toBe("a\r\nx\ny\nc\r\nd\n");
    expect((await change("a\r\nb\r\n", { old_text: "a", new_text: "a\nz" })).text).toBe("a\r\nz\r\nb\r\n");
    expect((await change("a\nb\n", { old_text: "a\r\nb", new_text: "a\r\nz\r\nb" })).text).toBe("a\nz\nb\n");
    expect((await change("a", { old_text: "a", new_text: "a\r\nb" })).text).toBe("a\r\nb");
  });

  it("trailing spaces, final newline in new text: verbatim; the final newline follows the edit", async () => {
    expect((await change("a\nb", { old_text: "b", new_text: "c  " })).text).toBe("a\nc  ");
    expect((await change("a\nb", { old_text: "b", new_text: "c\n" })).text).toBe("a\nc\n");
    expect((await change("a\nb\n", { old_text: "b\n", new_text: "c" })).text).toBe("a\nc");
    const { text, strategy } = await change("a\nb", { old_text: "a\nb\n", new_text: "a\nc\n" });
    expect([text, strategy]).toEqual(["a\nc", "trailing_whitespace"]);
  });

  it("curly quotes straightened; HTML entities decoded: folding only to match, inserted text verbatim", async () => {
    const before = "He said “yes” – then\u00a0left.\nIt’s late.\n";
    const block = {
      old_text: 'He said "yes" - then left.\nIt\'s late.\n',
      new_text: 'He said "yes" - then left.\nIt’s "early" &amp; &lt;b&gt;.\n',
    };
    const { text, strategy } = await change(before, block);
    expect([text, strategy]).toEqual(['He said “yes” – then\u00a0left.\nIt’s "early" &amp; &lt;b&gt;.\n', "unicode"]);
    const within = await change(before, { old_text: 'said "yes"', new_text: 'said "no"' });
    expect(within.text).toBe('He said "no" – then\u00a0left.\nIt’s late.\n');
  });

  it("shifts new lines as the place is indented, and leaves shared lines alone", async () => {
    const before = "class A {\n    run() {\n        one();\n\n        two();\n    }\n}\n";
    const added = {
      old_text: "run() {\n    one();\n\n    two();\n}\n",
      new_text: "run() {\n    one();\n\n    three();\n    if (x) four();\n}\n",
    };
    const { text, strategy } = await change(before, added);
    expect(strategy).toBe("indent");
    expect(text).toBe("class A {\n    run() {\n        one();\n\n        three();\n        if (x) four();\n    }\n}\n");
    const removed = await change("a() {\n  b();\n}\n", {
      old_text: "\ta() {\n\t  b();\n\t}\n",
      new_text: "\ta() {\n\t  c();\n\t}\n",
    });
    expect(removed.text).toBe("a() {\n  c();\n}\n");
  });

  it("never shifts when indentation is the edit, nor by different shifts", async () => {
    expect(await refuse("    a\n    b\n", { old_text: "  a\n  b\n", new_text: "a\nb\n" })).toMatchObject({
      code: "no_match",
    });
    expect(await refuse("  a\n    b\n", { old_text: "a\nb\n", new_text: "a\nc\n" })).toMatchObject({
      code: "no_match",
    });
    expect(await refuse("a\n", { old_text: "  a\n", new_text: "b\n  a\n" })).toMatchObject({ code: "no_match" });
  });

  it("model returns `    12<TAB>` prefixes: stripped only if on every line, and said", async () => {
    const before = "a\nb\nc\n";
    const { text, output } = await change(before, {
      old_text: "     1\ta\n     2\tb\n",
      new_text: "     1\ta\n     2\tx\n",
    });
    expect(text).toBe("a\nx\nc\n");
    expect(output).toMatchObject({
      edits: [{ strategy: "line_numbers" }],
      notices: [expect.stringContaining("Line numbers")],
    });
    expect((await change(before, { old_text: "     2\tb", new_text: "y" })).text).toBe("a\ny\nc\n");
    expect(await refuse(before, { old_text: "     1\ta\nb\n", new_text: "x" })).toMatchObject({ code: "no_match" });
    expect(await refuse(before, { old_text: "     1\ta\n     2\tb\n", new_text: "     1\ta\nx\n" })).toMatchObject({
      code: "no_match",
    });
  });

  it.each([
    [String.raw`say(\"hi\");`, 'say("hi");\n', 'say("hi");'],
    [String.raw`a();\nb();`, "a();\nb();\n", "a();\nb();"],
  ])(
    'over-escaped \\n or \\": %s is not applied; a unique unescaped match is offered as suggestion',
    async (old, before, bare) => {
      const failure = await refuse(before, { old_text: old, new_text: "x" });
      expect(failure).toMatchObject({ code: "no_match", suggestion: expect.stringContaining(JSON.stringify(bare)) });
      const edits = /edits=(\[.*\])\)$/u.exec(failure.suggestion ?? "")?.[1] ?? "";
      expect((await change(before, JSON.parse(edits) as object[])).text).toBe("x\n");
    },
  );

  it("with match exact, only line endings may differ", async () => {
    const edits = { old_text: "a\nb\n", new_text: "a\nc\n" };
    expect((await change("a\r\nb\r\n", edits, { match: "exact" })).text).toBe("a\r\nc\r\n");
    expect(await refuse("a \nb\n", edits, { match: "exact" })).toMatchObject({
      code: "no_match",
      suggestion: expect.stringContaining('match="tolerant"'),
    });
  });

  it("makes edits in order on the evolving text, and says where each stands in the end", async () => {
    const edits = [
      { old_text: "c\n", new_text: "c\nd\n" },
      { old_text: "d\n", new_text: "e\n" },
      { old_text: "a\n", new_text: "0\n1\n2\n" },
    ];
    const { text, output } = await change("a\nb\nc\n", edits);
    expect(text).toBe("0\n1\n2\nb\nc\ne\n");
    expect(output.edits.map(({ first_line }) => first_line)).toEqual([5, 6, 1]);
  });
});

describe("edit, counting", () => {
  it("replaces every place, and none that overlaps another", async () => {
    const { text, output } = await change("aaa a\n", { old_text: "aa", new_text: "b", replace_all: true });
    expect([text, output.edits]).toEqual(["ba a\n", [{ strategy: "exact", replacements: 1, first_line: 1 }]]);
    expect((await change("x\ny\nx\n", { old_text: "x", new_text: "xx", expected_count: 2 })).text).toBe("xx\ny\nxx\n");
  });

  it("counts what a looser step finds with what stricter ones found", async () => {
    const edits = { old_text: "x\ny\n", new_text: "z\n", expected_count: 2 };
    const { text, strategy } = await change("x\ny\n-\nx \ny\n", edits);
    expect([text, strategy]).toEqual(["z\n-\nz\n", "trailing_whitespace"]);
  });

  it("equal contexts: ambiguous_match, never the first hit", async () => {
    const before = "f();\ng();\nf();\nh();\n";
    const failure = await refuse(before, { old_text: "f();", new_text: "k();" });
    expect(failure).toMatchObject({ code: "ambiguous_match", details: { count: 2, lines: [1, 3] } });
    expect(failure.suggestion).toContain("near_line=1");
    expect(await refuse("aaa\n", { old_text: "aa", new_text: "b" })).toMatchObject({ code: "ambiguous_match" });
    const three = { old_text: "f();", new_text: "k();", expected_count: 3 };
    expect(await refuse(before, three)).toMatchObject({
      code: "ambiguous_match",
      error: expect.stringContaining("3 places"),
    });
  });

  it("takes the place nearest to a line, and none when two are equally near", async () => {
    const before = "f();\ng();\nf();\nh();\nf();\n";
    const at = (near_line: number): object => ({ old_text: "f();", new_text: "k();", near_line });
    expect((await change(before, at(5))).text).toBe("f();\ng();\nf();\nh();\nk();\n");
    expect((await change(before, at(3))).text).toBe("f();\ng();\nk();\nh();\nf();\n");
    expect(await refuse(before, at(2))).toMatchObject({
      code: "ambiguous_match",
      error: expect.stringContaining("as near"),
    });
    expect(await refuse(before, { ...at(2), replace_all: true })).toMatchObject({ code: "invalid_input" });
  });

  it("counts lines as they were before the call", async () => {
    const edits = [
      { old_text: "top\n", new_text: "1\n2\n3\n4\n5\n6\n" },
      { old_text: "f();", new_text: "k();", near_line: 4 },
    ];
    expect((await change("top\nf();\n-\nf();\n", edits)).text).toBe("1\n2\n3\n4\n5\n6\nf();\n-\nk();\n");
  });
});
