import { execFileSync } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runTool, SessionStore, type Tool } from "@aiw/core";
import { fakeContext, temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { openBench } from "./__fixtures__/call-tool.ts";
import { namesBelow } from "./__fixtures__/names-below.ts";
import filesystem from "./index.ts";
import { filesystemOptions } from "./options.ts";
import { encodeText, findCharset } from "./text/charset.ts";
import { applyPatch } from "./tools/apply-patch.ts";
import { copy } from "./tools/copy.ts";
import { deleteTool } from "./tools/delete.ts";
import { edit } from "./tools/edit.ts";
import { glob } from "./tools/glob.ts";
import { grep } from "./tools/grep.ts";
import { history } from "./tools/history.ts";
import { move } from "./tools/move.ts";
import { read } from "./tools/read.ts";
import { undo } from "./tools/undo.ts";
import { write } from "./tools/write.ts";

/** Long enough to be told by its bytes. */
const TEXTS: readonly (readonly [label: string, text: string, word: string, other: string])[] = [
  ["gb18030", "中文文本编码检测需要足够长的句子才能可靠。\n第二行也是中文。\n", "第二行", "第三行"],
  ["shift_jis", "日本語の文章を判定するには、十分な長さの文が必要です。\nつぎの行もそうです。\n", "つぎ", "まえ"],
  ["big5", "編碼檢測需要足夠長的中文句子才能得到可靠的結果。\n第二行也是中文。\n", "第二行", "第三行"],
  ["windows-1251", "Для надёжного определения кодировки нужен длинный текст.\nВторая строка.\n", "Вторая", "Третья"],
  ["utf-16le", "plain words in two bytes each\nsecond line\n", "second", "third"],
];

describe("read and edit decode differently", () => {
  it.each(TEXTS)("one codec module for read, edit, apply_patch and grep: %s", async (label, text, word, other) => {
    const charset = findCharset(label);
    if (charset === undefined) throw new Error(label);
    const bytesOf = (value: string): Uint8Array => encodeText(charset, value) ?? new Uint8Array();
    await using bench = await openBench({ "a.txt": bytesOf(text) });
    const shown = await bench.ok(read, { file_paths: ["a.txt"], line_numbers: false });
    expect(shown.content).toContain(text.trim());
    const { edits } = await bench.ok(edit, { path: "a.txt", edits: [{ old_text: word, new_text: other }] });
    expect(edits).toMatchObject([{ strategy: "exact", replacements: 1 }]);
    expect(await readFile(join(bench.folder.cwd, "a.txt"))).toEqual(Buffer.from(bytesOf(text.replace(word, other))));
    for (const search_engine of ["auto", "builtin"]) {
      const environment = { ...bench.fake.environment, options: filesystemOptions.parse({ search_engine }) };
      const found = await runTool(grep, { pattern: other, encoding: label, output_mode: "matches" }, environment);
      expect(found).toMatchObject({ success: true, value: { matches: [{ line: 2 }] } });
    }
    const [, line = ""] = text.replace(word, other).split("\n");
    await bench.ok(applyPatch, { path: "a.txt", patch: `@@\n-${line}\n+${text.split("\n")[1] ?? ""}\n` });
    expect(await readFile(join(bench.folder.cwd, "a.txt"))).toEqual(Buffer.from(bytesOf(text)));
  });
});

describe("pattern `--pre=…` runs a program", () => {
  it("and no configuration file of ripgrep has a say", async () => {
    await using bench = await openBench({ "a.txt": "needle\n", "conf/rg.conf": "--glob=!*.txt\n--max-count=0\n" });
    const usual = process.env["RIPGREP_CONFIG_PATH"];
    process.env["RIPGREP_CONFIG_PATH"] = join(bench.folder.cwd, "conf/rg.conf");
    try {
      const found = await bench.ok(grep, { pattern: "needle", output_mode: "files" });
      expect(found).toMatchObject({ files: ["a.txt"], total_matches: 1, engine: "ripgrep" });
      expect(await bench.ok(glob, { patterns: ["*.txt"] })).toMatchObject({ paths: ["a.txt"] });
    } finally {
      if (usual === undefined) delete process.env["RIPGREP_CONFIG_PATH"];
      else process.env["RIPGREP_CONFIG_PATH"] = usual;
    }
  });
});

describe("disk full", () => {
  it("is no_space for every tool that writes, and leaves every file as it was", async ({ skip }) => {
    await using bench = await openBench({ "large.txt": "y".repeat(900_000) });
    const disk = join(bench.folder.cwd, "disk");
    await mkdir(disk);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], { stdio: "ignore" });
    } catch {
      skip("nothing can be mounted here");
    }
    try {
      await writeFile(join(disk, "a.txt"), `needle\n${"x".repeat(600_000)}`);
      const before = await readFile(join(disk, "a.txt"));
      await bench.ok(read, { file_paths: ["disk/a.txt"] });
      const long = "z".repeat(600_000);
      const full = [
        await bench.fail(write, { path: "disk/b.txt", content: long }),
        await bench.fail(write, { path: "disk/new/b.txt", content: long }),
        await bench.fail(write, { path: "disk/a.txt", content: long, mode: "append" }),
        await bench.fail(edit, { path: "disk/a.txt", edits: [{ old_text: "needle", new_text: "noodle" }] }),
        await bench.fail(applyPatch, { path: "disk/a.txt", patch: "@@\n-needle\n+noodle\n" }),
        await bench.fail(applyPatch, {
          patch: `*** Begin Patch\n*** Add File: disk/c\n+x\n*** Add File: disk/d\n+${long}\n*** End Patch\n`,
        }),
        await bench.fail(copy, { from: "large.txt", to: "disk/large.txt" }),
        await bench.fail(move, { from: "large.txt", to: "disk/large.txt" }),
      ];
      expect(full.map(({ code }) => code)).toEqual(full.map(() => "no_space"));
      expect(full.filter(({ retryable }) => retryable)).toEqual([]);
      expect(await namesBelow(bench.folder.cwd)).toEqual(["disk", "disk/a.txt", "large.txt"]);
      expect(await readFile(join(disk, "a.txt"))).toEqual(before);
      expect(await bench.ok(history, {})).toMatchObject({ entries: [] });
    } finally {
      execFileSync("umount", [disk]);
    }
  });
});

describe("history kept in memory", () => {
  it.each([
    ["write", { path: "b.txt", content: "x" }],
    ["delete", { paths: ["a.txt"] }],
    ["move", { from: "a.txt", to: "b.txt" }],
  ])("is for the whole conversation, whichever tool is first: %s", async (name, input) => {
    const folder = await temporaryWorkspace({ "a.txt": "a\n" });
    const state = await temporaryWorkspace({});
    const usual = process.env["AIW_STATE_HOME"];
    process.env["AIW_STATE_HOME"] = state.cwd;
    try {
      await using fake = fakeContext({
        workspace: { ...folder, history: "memory" },
        session: new SessionStore("memory"),
      });
      const { environment } = fake;
      const find = (wanted: string): Tool => filesystem.tools.find(({ spec }) => spec.name === wanted) as Tool;
      const done = await runTool(find(name), input, environment);
      expect(done).toMatchObject({ success: true, value: { notices: [expect.stringContaining("in memory alone")] } });
      expect(await runTool(find("undo"), {}, environment)).toMatchObject({ success: true });
      expect(await readFile(join(folder.cwd, "a.txt"), "utf8")).toBe("a\n");
      expect(await namesBelow(state.cwd)).toEqual([]);
    } finally {
      process.env["AIW_STATE_HOME"] = usual;
      await rm(folder.cwd, { recursive: true });
      await rm(state.cwd, { recursive: true });
    }
  });
});

describe("every tool", () => {
  const reading = ["read", "read_file", "glob", "grep", "list", "tree", "history"];
  const writing = ["write", "edit", "apply_patch", "move", "copy", "delete", "undo", "redo"];

  it("is there", () => {
    expect(filesystem.tools.map(({ spec }) => spec.name).toSorted()).toEqual([...reading, ...writing].toSorted());
  });

  it.each([...reading, ...writing])("%s has the effects, permissions and time that operators count on", (name) => {
    const spec = filesystem.tools.find((tool) => tool.spec.name === name)?.spec;
    const { permissions, timeoutMs, effects } = spec?.metadata ?? {};
    const isReading = reading.includes(name);
    expect(permissions).toEqual(isReading ? ["fs:read"] : ["fs:read", "fs:write"]);
    expect(timeoutMs).toBe(isReading ? 30_000 : 60_000);
    expect(effects).toMatchObject(
      isReading
        ? { readOnly: true, idempotent: true, openWorld: false }
        : { readOnly: false, destructive: true, openWorld: false },
    );
    expect(spec?.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(JSON.stringify(spec?.inputSchema)).not.toMatch(/"oneOf"|"type":\[/u);
  });
});

describe("delete and undo", () => {
  it("undo by git clean deletes files: what git ignores or does not know stays", async () => {
    await using bench = await openBench({
      "a.txt": "a\n",
      "untracked.txt": "u\n",
      ".gitignore": "ignored\n",
      ignored: "i\n",
    });
    await bench.ok(write, { path: "made.txt", content: "m\n" });
    await bench.ok(deleteTool, { paths: ["a.txt"] });
    await bench.ok(undo, { count: 2 });
    expect(await namesBelow(bench.folder.cwd)).toEqual([".gitignore", "a.txt", "ignored", "untracked.txt"]);
  });
});
