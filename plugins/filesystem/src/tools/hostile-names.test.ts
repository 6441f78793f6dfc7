import { symlink, writeFile } from "node:fs/promises";
import { runTool } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { list } from "./list.ts";
import { readFile } from "./read-file.ts";
import { read } from "./read.ts";
import { write } from "./write.ts";

/** Would stand as a heading of its own, and turns what follows around. */
const NAME = "a\n=== b.txt ===\r\t\u202e\u001b[31m.txt";
const SHOWN = String.raw`a\n=== b.txt ===\r\t\u{202e}\u{1b}[31m.txt`;
const CALL = String.raw`read(file_paths=["a\n=== b.txt ===\r\t\u202e\u001b[31m.txt"]`;
const BAD = /[\n\r\t\u202e\u001b]/u;

async function benchWith(content: string): Promise<Bench> {
  const bench = await openBench();
  await writeFile(bench.folder.path(NAME), content);
  return bench;
}

describe.runIf(process.platform !== "win32")("names with line breaks and what is not seen", () => {
  it("are escaped in read's headings, calls and notices, and usable in its facts", async () => {
    await using bench = await benchWith("one\ntwo\n");
    const value = await bench.ok(read, { file_paths: [NAME, "."], limit: 1 });
    const rows = value.content.split("\n");
    expect(rows[0]).toBe(`=== ${SHOWN} ===`);
    expect(rows.filter((row) => row.startsWith("==="))).toHaveLength(2);
    expect(rows).toContain(`[next: ${CALL}, offset=2)]`);
    expect(rows).toContain(SHOWN);
    expect(value.files[0]?.path).toBe(NAME);
    expect(value.content).not.toMatch(/[\u202e\u001b]/u);
    const call = /next: read\(file_paths=(\[.*?\]), offset/u.exec(value.content)?.[1] ?? "";
    expect(JSON.parse(call)).toEqual([NAME]);
  });

  it("are escaped where read tells of failures", async () => {
    await using bench = await benchWith("one\n");
    const value = await bench.ok(read, { file_paths: [NAME, `no${NAME}`] });
    expect(value.content.split("\n").filter((row) => row.startsWith("==="))).toHaveLength(2);
    expect(value.files[1]?.error?.message).not.toMatch(BAD);
    await writeFile(bench.folder.path(NAME), Buffer.from("un caf\u00e9 et d'autres mots fran\u00e7ais\n", "latin1"));
    const failure = await bench.fail(readFile, { path: NAME });
    expect(failure).toMatchObject({ code: "undecodable", suggestion: expect.stringContaining(CALL) });
    expect(failure.error).not.toMatch(/\n=== b/u);
  });

  it("are escaped in grep's text and notices, and usable in its fields", async () => {
    await using bench = await openBench();
    await writeFile(bench.folder.path(NAME), Buffer.from([0x68, 0x69, 0x74, 0xe9, 0x0a]));
    for (const search_engine of ["auto", "builtin"]) {
      const environment = { ...bench.fake.environment, options: { search_engine } };
      const result = await runTool(grep, { pattern: "^hit" }, environment);
      const { content, notices } = result.success ? result.value : {};
      expect(content?.split("\n")).toEqual([SHOWN, expect.stringMatching(/^ {2}1: hit/u)]);
      expect(notices?.join("")).toContain(`${SHOWN}:1 is not UTF-8`);
      expect(result.preview?.join("")).not.toMatch(BAD);
      const files = await runTool(grep, { pattern: "^hit", output_mode: "files" }, environment);
      expect(files).toMatchObject({ success: true, value: { files: [NAME] } });
      const matches = await runTool(grep, { pattern: "^hit", output_mode: "matches" }, environment);
      expect(matches.preview?.join("")).not.toMatch(BAD);
    }
  });

  it("are usable in glob's and list's fields, and escaped in their notices and previews", async () => {
    await using bench = await benchWith("one\n");
    await bench.folder.write(".gitignore", "*\n");
    const environment = { ...bench.fake.environment };
    const found = await runTool(glob, { patterns: ["**"], no_ignore: true, exclude: [".gitignore"] }, environment);
    expect(found).toMatchObject({ success: true, value: { paths: [NAME] } });
    expect(found.preview?.join("")).not.toMatch(BAD);
    const literal = await runTool(glob, { patterns: [NAME] }, environment);
    expect(literal).toMatchObject({ value: { paths: [NAME], notices: [expect.stringContaining(SHOWN)] } });
    const listed = await runTool(list, { no_ignore: true }, environment);
    expect(listed).toMatchObject({ value: { entries: [{}, { name: NAME }] } });
    expect(listed.preview?.join("")).not.toMatch(BAD);
  });

  it("are escaped in write's diff, preview and failures", async () => {
    await using bench = await openBench();
    const environment = { ...bench.fake.environment };
    const result = await runTool(write, { path: NAME, content: "one\n" }, environment);
    expect(result.success && result.value.diff.split("\n").slice(0, 2)).toEqual([`--- ${SHOWN}`, `+++ ${SHOWN}`]);
    expect(result.success && result.value.path).toBe(NAME);
    expect(result.preview?.join("")).not.toMatch(BAD);
    const again = await bench.fail(write, { path: NAME, content: "two\n" });
    // Whoever wrote the file knows it, so it may be replaced at once.
    const path = CALL.slice(CALL.indexOf("[") + 1, -1);
    expect(again).toMatchObject({ code: "already_exists", suggestion: expect.stringContaining(`write(path=${path}`) });
    expect(again.error).not.toMatch(/\n=== b/u);
  });
});

describe.runIf(process.platform !== "win32")("links to nothing", () => {
  it("are called what they are", async () => {
    await using bench = await openBench({ "a.txt": "" });
    await symlink("gone/b.txt", bench.folder.path("link"));
    const message = expect.stringContaining("A link to a missing file: link leads to gone/b.txt");
    expect(await bench.fail(read, { file_paths: ["link"] })).toMatchObject({ code: "not_found", error: message });
    expect(await bench.fail(readFile, { path: "link" })).toMatchObject({ code: "not_found", error: message });
    const environment = { ...bench.fake.environment, options: { search_engine: "builtin" } };
    const results = [
      await runTool(glob, { path: "link", patterns: ["*"] }, environment),
      await runTool(grep, { path: "link", pattern: "x" }, environment),
      await runTool(list, { path: "link" }, environment),
    ];
    for (const result of results) expect(result).toMatchObject({ success: false, code: "not_found", error: message });
    expect((await bench.fail(read, { file_paths: ["missing"] })).error).toContain("File not found: missing");
  });
});
