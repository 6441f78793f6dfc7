import { chmod, symlink } from "node:fs/promises";
import { existsSync } from "node:fs";
import { assertFailure, assertSuccess, callTool, temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import type { Tool } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { list } from "./list.ts";

/** Calls a tool that must succeed, with an engine or a program. */
async function ok<Input, Output, Options>(
  workspace: TemporaryWorkspace,
  tool: Tool<Input, Output, Options>,
  { options, ...input }: { readonly options?: object; readonly [name: string]: unknown },
): Promise<Output> {
  const { result } = await callTool(tool, input, { workspace, ...(options && { options }) });
  assertSuccess(result);
  return result.value as Output;
}

for (const search_engine of ["auto", "builtin"] as const) {
  const options = { search_engine };
  describe(`searching and listing, engine ${search_engine}`, () => {
    it("pattern `--pre=…` runs a program: it is searched for", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "--pre=./evil\n", evil: "#!/bin/sh\ntouch ran\n" });
      await chmod(w.path("evil"), 0o755);
      const found = await ok(w, grep, { pattern: "--pre=./evil", literal: true, output_mode: "count", options });
      expect(found.counts).toEqual([{ path: "a.txt", count: 1 }]);
      expect(existsSync(w.path("ran"))).toBe(false);
    });

    it("pattern begins with `-`: it is searched for", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "-v -- -e\nother\n" });
      for (const pattern of ["-v", "--", "-e"]) {
        expect(await ok(w, grep, { pattern, options })).toMatchObject({ total_matches: 1 });
      }
      expect(await ok(w, glob, { patterns: ["--files"], options })).toMatchObject({ total: 0 });
    });

    it("folder whose name holds a line break: its rules hold below it, and are no others", async () => {
      const folder = "x\n!y";
      await using w = await temporaryWorkspace({
        [`${folder}/.gitignore`]: "q*\n",
        [`${folder}/z/q`]: "x\n",
        [`${folder}/z/p`]: "x\n",
      });
      expect(await ok(w, glob, { patterns: ["*"], path: `${folder}/z`, options })).toMatchObject({
        paths: [`${folder}/z/p`],
      });
    });

    it("pattern with a NUL character: refused by a call that can be made", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "one\n" });
      const { result } = await callTool(grep, { pattern: "o\0ne" }, { workspace: w, options });
      expect(result).toMatchObject({
        code: "invalid_regex",
        suggestion: expect.stringContaining('grep(pattern="one") searches'),
      });
    });

    it("include filter overrides ignore rules: it does not", async () => {
      await using w = await temporaryWorkspace({ ".gitignore": "*.log\n", "a.log": "x\n", "b.txt": "x\n" });
      const found = await ok(w, grep, { pattern: "x", include: ["*.log"], options });
      expect(found.total_matches).toBe(0);
      expect(found.ignored_hint).toBe(
        "1 matching line in 1 file hidden by ignore rules; no_ignore=true searches them.",
      );
    });

    it("`.gitignore` outside a repository: honoured", async () => {
      await using w = await temporaryWorkspace({
        ".gitignore": "out\n",
        "out/a": "x\n",
        "b/.gitignore": "c\n",
        "b/c": "x\n",
        d: "x\n",
      });
      expect((await ok(w, grep, { pattern: "x", output_mode: "files", options })).files).toEqual(["d"]);
      expect((await ok(w, list, {})).entries.map(({ name }) => name)).toEqual(["b", ".gitignore", "d"]);
    });

    it("hidden files missed: they are shown by default", async () => {
      await using w = await temporaryWorkspace({ ".env": "x\n", ".git/config": "x\n", ".github/w.yml": "x\n" });
      expect((await ok(w, grep, { pattern: "x", output_mode: "files", options })).files).toEqual([
        ".env",
        ".github/w.yml",
      ]);
      const found = await ok(w, glob, { patterns: ["**"], sort: "path", options });
      expect(found.paths).toEqual([".env", ".github/w.yml"]);
    });

    it("dependencies flood the answer: they are left out, and a short answer says how many were ignored", async () => {
      await using w = await temporaryWorkspace({
        ".gitignore": "node_modules\n",
        "node_modules/p/a.js": "",
        "node_modules/p/b.js": "",
      });
      const none = await ok(w, glob, { patterns: ["**/*.js"], options });
      expect(none).toMatchObject({ paths: [], total: 0, ignored_count: 2 });
      expect(none.notices?.[0]).toBe("All 2 matches are hidden by ignore rules; no_ignore=true shows them.");
    });

    it("slow monorepo: the listing comes in any order and is sorted here", async () => {
      const names = Array.from({ length: 500 }, (_, index) => `p${index % 7}/f${index}.ts`);
      await using w = await temporaryWorkspace(Object.fromEntries(names.map((name) => [name, ""])));
      const found = await ok(w, glob, { patterns: ["**/*.ts"], sort: "path", limit: 2000, options });
      expect(found.paths).toEqual(names.toSorted());
      const bySize = await ok(w, glob, { patterns: ["**/*.ts"], sort: "size", limit: 2000, options });
      expect(bySize.paths).toEqual(names.toSorted());
    });

    it("wrong totals when capped: totals do not depend on the page; page past end says so", async () => {
      const files = Object.fromEntries(
        Array.from({ length: 900 }, (_, index) => [`f${String(index).padStart(3, "0")}`, "x\ny\nx\n"]),
      );
      await using w = await temporaryWorkspace(files);
      const first = await ok(w, grep, { pattern: "x", max_matches: 3, output_mode: "matches", options });
      expect(first).toMatchObject({
        total_matches: 1800,
        total_files: 900,
        next_offset: 3,
        truncated_by: "max_matches",
      });
      const later = await ok(w, grep, { pattern: "x", max_matches: 3, offset: 1000, output_mode: "matches", options });
      expect(later.matches?.map(({ path, line }) => [path, line])).toEqual([
        ["f500", 1],
        ["f500", 3],
        ["f501", 1],
      ]);
      expect(later).toMatchObject({ total_matches: 1800, next_offset: 1003 });
      const past = await ok(w, grep, { pattern: "x", offset: 1800, options });
      expect(past.notices).toContain("offset 1800 is past 1800 matches.");
    });

    it("line between two hits: numbered as in the file, context merged", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "hit 1\nbetween\nhit 2\n4\n5\n6\n7\nhit 3\n" });
      const { content } = await ok(w, grep, { pattern: "hit", context: 1, options });
      expect(content).toBe("a.txt\n  1: hit 1\n  2- between\n  3: hit 2\n  4- 4\n  --\n  7- 7\n  8: hit 3");
    });

    it("300 KB match line: cut around the hit", async () => {
      await using w = await temporaryWorkspace({ "a.js": `${"y".repeat(200_000)}needle${"z".repeat(100_000)}\n` });
      const found = await ok(w, grep, { pattern: "needle", output_mode: "matches", options });
      expect(found.matches).toMatchObject([{ line: 1, column: 200_001 }]);
      expect(found.matches?.[0]?.text).toMatch(/^\[\+\d+ chars\] … y+needlez+ … \[\+\d+ chars\]$/u);
      expect(found.matches?.[0]?.text.length).toBeLessThan(560);
    });

    it("invalid pattern shown as no files: invalid_regex with the engine's message and what to try", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "f(\n" });
      const { result } = await callTool(grep, { pattern: "f(" }, { workspace: w, options });
      assertFailure(result);
      expect(result).toMatchObject({
        code: "invalid_regex",
        suggestion: expect.stringContaining("literal=true") as string,
      });
      expect((result.details as { readonly message?: string }).message).toMatch(/unclosed group|missing closing/u);
    });

    it("file truly named `[id].tsx`: found as written; stray `[` is invalid_glob", async () => {
      await using w = await temporaryWorkspace({ "app/[id].tsx": "x\n", "app/i.tsx": "x\n" });
      expect((await ok(w, glob, { patterns: ["app/[id].tsx"], options })).paths).toEqual(["app/[id].tsx"]);
      const { result } = await callTool(glob, { patterns: ["app/[id"] }, { workspace: w, options });
      expect(result).toMatchObject({ success: false, code: "invalid_glob" });
    });

    it("link loops, huge directories: links are not followed and counts are kept", async () => {
      const many = Object.fromEntries(Array.from({ length: 1200 }, (_, index) => [`many/${index}`, "x\n"]));
      await using w = await temporaryWorkspace({ ...many, "d/a": "x\n" });
      await symlink(w.path("d"), w.path("d/loop"));
      expect((await ok(w, grep, { pattern: "x", output_mode: "files", max_matches: 1, options })).total_files).toBe(
        1201,
      );
      expect((await ok(w, glob, { patterns: ["**"], limit: 1, options })).total).toBe(1201);
    });
  });
}

describe("searching and listing", () => {
  it("engine binary vanished: another is found in the middle of a conversation", async () => {
    await using w = await temporaryWorkspace({ "a.txt": "x\n" });
    const found = await ok(w, grep, { pattern: "x", options: { ripgrep_path: w.path("gone/rg") } });
    expect(found).toMatchObject({ total_matches: 1, engine: "ripgrep" });
  });

  it("catastrophic pattern in the fallback: answered in linear time", async () => {
    await using w = await temporaryWorkspace({ "a.txt": `${"a".repeat(50_000)}!\n` });
    const found = await ok(w, grep, { pattern: "(a+)+$", options: { search_engine: "builtin" } });
    expect(found).toMatchObject({ total_matches: 0 });
  });

  it("name or line not UTF-8: shown with U+FFFD, plus base64 bytes", async () => {
    await using w = await temporaryWorkspace({ "a.txt": Uint8Array.of(0x78, 0xff, 0x0a) });
    for (const search_engine of ["auto", "builtin"]) {
      const found = await ok(w, grep, { pattern: "x", output_mode: "matches", options: { search_engine } });
      expect(found.matches).toMatchObject([{ text: "x\ufffd", text_bytes: "eP8=" }]);
    }
  });

  it("keeps what is denied out of answers and counts, whichever way it is found", async () => {
    await using w = await temporaryWorkspace({ "a.ts": "x\n", "secret.ts": "x\n" });
    const workspace = { ...w, deny: ["secret.*"] };
    for (const search_engine of ["auto", "builtin"]) {
      for (const patterns of [["**/*.ts"], ["*"]]) {
        const { result } = await callTool(glob, { patterns }, { workspace, options: { search_engine } });
        expect(result).toMatchObject({ success: true, value: { paths: ["a.ts"], total: 1 } });
      }
      const { result } = await callTool(grep, { pattern: "x" }, { workspace, options: { search_engine } });
      expect(result).toMatchObject({ success: true, value: { total_matches: 1 } });
    }
  });

  it("says that word boundaries of the built-in engine know ASCII alone, where a pattern has one", async () => {
    await using w = await temporaryWorkspace({ "a.txt": "x\n" });
    const options = { search_engine: "builtin" };
    const notice = "Searched with the built-in engine: the operator chose the built-in engine";
    expect((await ok(w, grep, { pattern: "\\bx", options })).notices).toEqual([
      `${notice}; its \\b knows ASCII words only, word=true knows all.`,
    ]);
    for (const more of [{ pattern: "\\bx", literal: true }, { pattern: "x" }]) {
      expect((await ok(w, grep, { ...more, options })).notices?.at(-1)).toBe(`${notice}.`);
    }
    expect((await ok(w, grep, { pattern: "\\bx" })).notices).toBeUndefined();
  });
});
