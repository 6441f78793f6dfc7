import type { Tool, ToolFailure } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { suggestedCalls } from "../__fixtures__/suggested-calls.ts";
import { edit } from "./edit.ts";
import { readFile } from "./read-file.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

const TOOLS: Readonly<Record<string, Tool<never, unknown, never>>> = {
  edit,
  write,
  read,
  read_file: readFile,
} as never;

/** Makes the calls that a failure suggests, all of which must succeed. */
async function follow(bench: Bench, { suggestion }: ToolFailure): Promise<string[]> {
  const calls = suggestedCalls(suggestion);
  expect(calls, suggestion).not.toHaveLength(0);
  for (const { tool, input } of calls) await bench.ok(TOOLS[tool] ?? edit, input);
  return calls.map(({ tool }) => tool);
}

const one = (old_text: string, new_text: string, more: object = {}): object => ({
  path: "a.txt",
  edits: [{ old_text, new_text, ...more }],
});

describe("suggestions of edit", () => {
  it.each([
    ["a text that is there only tolerantly", "a  \nb\n", { ...one("a\nb\n", "c\n"), match: "exact" }, "c\n"],
    ["a file without text", "", one("a", "b\n"), "b\n"],
    [
      "an empty file and line numbers",
      "",
      { path: "a.txt", line_edits: [{ op: "insert", line: 1, content: "a\n" }] },
      "a\n",
    ],
    ["a wrong count", "x\nx\nx\n", one("x", "y", { expected_count: 2 }), "y\ny\ny\n"],
    ["several places, none of them shown", "x\n-\nx\n", one("x", "y"), "y\n-\nx\n"],
    ["two places equally near", "x\n-\nx\n", one("x", "y", { near_line: 2 }), "y\n-\nx\n"],
    [
      "lines that stand elsewhere",
      "a\nb\n",
      { path: "a.txt", line_edits: [{ op: "replace", line: 1, content: "c", expect: "b" }] },
      "a\nc\n",
    ],
  ])("are calls that do it: %s", async (_, before, input, after) => {
    await using bench = await openBench({ "a.txt": before });
    await follow(bench, await bench.fail(edit, input));
    expect(await bench.folder.read("a.txt")).toBe(after);
  });

  it.each([
    ["two places", "x = foo(1) + foo(1);\nz\n", "foo(1)", "x = bar + foo(1);\nz\n"],
    ["places that overlap", "aaaa\n", "aa", "baraa\n"],
    ["a line that is there twice", "foo foo\r\nfoo foo\r\n", "foo", "bar foo\r\nfoo foo\r\n"],
    ["the line of another that spans lines", "a\nb a\nb a\nb\n", "a\nb", "bar a\nb a\nb\n"],
    ["one line, and a place alone on another", "foo foo\nfoo\n", "foo", "foo foo\nbar\n"],
  ])("tell apart %s on one line", async (_, text, old_text, after) => {
    await using bench = await openBench({ "a.txt": text });
    await bench.ok(read, { file_paths: ["a.txt"] });
    await follow(bench, await bench.fail(edit, one(old_text, "bar")));
    expect(await bench.folder.read("a.txt")).toBe(after);
  });

  it("offer of several places the only one that was shown", async () => {
    await using bench = await openBench({ "a.txt": "x\n-\nx\n-\nx\n" });
    await bench.ok(read, { file_paths: ["a.txt"], offset: 3, limit: 1 });
    const failure = await bench.fail(edit, one("x", "y"));
    expect(failure.suggestion).toContain("near_line=3 (or 1, 5)");
    await follow(bench, failure);
    expect(await bench.folder.read("a.txt")).toBe("x\n-\ny\n-\nx\n");
  });

  it("spell both calls where one place and many are asked for", async () => {
    await using bench = await openBench({ "a.txt": "x\nx\n" });
    const failure = await bench.fail(edit, one("x", "y", { near_line: 2, replace_all: true }));
    expect(suggestedCalls(failure.suggestion)).toEqual([
      { tool: "edit", input: one("x", "y", { near_line: 2 }) },
      { tool: "edit", input: one("x", "y", { replace_all: true }) },
    ]);
  });

  it.each([
    ["no_change", "a\n", one("a", "a")],
    ["already_applied", "const port = 8080;\n", one("const port = 80;", "const port = 8080;")],
    ["omission_placeholder", "a();\n", { ...one("a();", "// ... existing code ..."), path: "a.ts" }],
    ["conflict", "a\n", { ...one("a", "b"), expected_etag: "sha256:0" }],
  ])("show the file where nothing is to be repeated: %s", async (code, before, input) => {
    await using bench = await openBench({ "a.txt": before, "a.ts": before });
    const failure = await bench.fail(edit, input);
    expect(failure.code).toBe(code);
    expect(await follow(bench, failure)).toEqual(["read"]);
  });

  it("make a file that is missing, with the text that was to come", async () => {
    await using bench = await openBench();
    await follow(bench, await bench.fail(edit, one("a", "b\n")));
    expect(await bench.folder.read("a.txt")).toBe("b\n");
  });

  it("stay short for long texts, and still say what to change", async () => {
    await using bench = await openBench({ "a.txt": "x\nx\n" });
    const long = "y".repeat(100_000);
    for (const more of [{}, { expected_count: 3 }, { near_line: 1, replace_all: true }]) {
      const { suggestion = "" } = await bench.fail(edit, one("x", long, more));
      expect(suggestion.length).toBeLessThan(1000);
      expect(suggestion).toMatch(/near_line|expected_count=2/u);
    }
  });

  it("say for binary files that no call can help", async () => {
    await using bench = await openBench({ "a.txt": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]) });
    const { code, suggestion } = await bench.fail(edit, one("a", "b"));
    expect([code, suggestion]).toEqual(["binary_file", expect.stringContaining("shell tool")]);
    const appended = await bench.fail(write, { path: "a.txt", content: "a", mode: "append" });
    expect([appended.code, appended.suggestion]).toEqual(["binary_file", expect.stringContaining("shell tool")]);
  });
});

describe("suggestions of write", () => {
  it("replace a file that exists, after it was read where it was not", async () => {
    await using bench = await openBench({ "a.txt": "old\n" });
    const first = await bench.fail(write, { path: "a.txt", content: "new\n", eol: "lf" });
    expect(await follow(bench, first)).toEqual(["read", "write"]);
    expect(await bench.folder.read("a.txt")).toBe("new\n");
    const again = await bench.fail(write, { path: "a.txt", content: "newer\n" });
    expect(await follow(bench, again)).toEqual(["write"]);
    expect(await bench.folder.read("a.txt")).toBe("newer\n");
  });

  it("leave out the etag of a file that is gone", async () => {
    await using bench = await openBench();
    await follow(bench, await bench.fail(write, { path: "a.txt", content: "a\n", expected_etag: "sha256:0" }));
    expect(await bench.folder.read("a.txt")).toBe("a\n");
  });

  it("name an encoding that can express the text", async () => {
    await using bench = await openBench();
    await follow(bench, await bench.fail(write, { path: "a.txt", content: "żółw\n", encoding: "latin1" }));
    expect(await bench.folder.read("a.txt")).toBe("żółw\n");
  });
});
