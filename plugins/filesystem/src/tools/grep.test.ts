import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTool, type ToolResult } from "@aiw/core";
import { assertSuccess, callTool, fakeContext, temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { runs, timeFor } from "../__fixtures__/runs.ts";
import type { GrepOutput } from "../search/grep-schema.ts";
import { readStateKey, type SeenLines } from "../read-state.ts";
import { grep } from "./grep.ts";

const ENGINES = ["auto", "builtin"] as const;

type Engine = (typeof ENGINES)[number];

interface CallOptions {
  readonly engine?: Engine;
  readonly signal?: AbortSignal;
  readonly options?: object;
}

async function call(
  workspace: TemporaryWorkspace,
  input: unknown,
  { engine = "auto", options, ...more }: CallOptions = {},
): Promise<ToolResult<GrepOutput>> {
  const { result } = await callTool(grep, input, {
    workspace,
    options: { search_engine: engine, ...options },
    ...more,
  });
  return result as ToolResult<GrepOutput>;
}

async function search(workspace: TemporaryWorkspace, input: unknown, engine: Engine = "auto"): Promise<GrepOutput> {
  const result = await call(workspace, input, { engine });
  assertSuccess(result);
  return result.value;
}

/** What must not depend on the engine. */
function common({ engine: _, notices, ...rest }: GrepOutput): unknown {
  const told = notices?.filter((notice) => !notice.startsWith("Searched with"));
  return { ...rest, ...(told !== undefined && told.length > 0 && { notices: told }) };
}

/** Processes started by this one, by name. */
function children(): string[] {
  const ids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").trim().split(" ");
  return ids.flatMap((id) => (id === "" ? [] : [readFileSync(`/proc/${id}/comm`, "utf8").trim()]));
}

for (const engine of ENGINES) {
  describe(`grep with engine ${engine}`, () => {
    it("names its engine, and why it is not the usual one", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "x\n" });
      const { engine: used, notices } = await search(w, { pattern: "x" }, engine);
      expect(used).toBe(engine === "auto" ? "ripgrep" : "builtin");
      expect(notices?.some((notice) => notice.includes("built-in engine")) ?? false).toBe(engine === "builtin");
    });

    it("shows a single hit with forty lines around it, and two or three with fifteen", async () => {
      const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`);
      await using w = await temporaryWorkspace({ "a.txt": `${lines.join("\n")}\n` });
      const one = (await search(w, { pattern: "^line 100$" }, engine)).content?.split("\n") ?? [];
      expect([one[0], one[1], one.at(-1)]).toEqual(["a.txt", "  60- line 60", "  140- line 140"]);
      expect(one).toContain("  100: line 100");
      const two = (await search(w, { pattern: "^line (100|110)$" }, engine)).content?.split("\n") ?? [];
      expect([two[1], two.at(-1), two.length]).toEqual(["  85- line 85", "  125- line 125", 42]);
      const asked = (await search(w, { pattern: "^line (100|102|110)$", context: 1 }, engine)).content;
      expect(asked).toBe(
        "a.txt\n  99- line 99\n  100: line 100\n  101- line 101\n  102: line 102\n  103- line 103\n  --\n  109- line 109\n  110: line 110\n  111- line 111",
      );
    });

    it("gives files, counts and matches", async () => {
      await using w = await temporaryWorkspace({
        "b.ts": "foo\nFoo foo\n",
        "a/c.ts": "éé foo\nbar\n",
        "d.ts": "none\n",
      });
      expect(common(await search(w, { pattern: "foo", output_mode: "files" }, engine))).toEqual({
        files: ["a/c.ts", "b.ts"],
        total_matches: 3,
        total_files: 2,
      });
      expect(common(await search(w, { pattern: "foo", output_mode: "count" }, engine))).toEqual({
        counts: [
          { path: "a/c.ts", count: 1 },
          { path: "b.ts", count: 2 },
        ],
        total_matches: 3,
        total_files: 2,
      });
      expect((await search(w, { pattern: "foo", output_mode: "matches", after: 1 }, engine)).matches).toEqual([
        { path: "a/c.ts", line: 1, column: 4, text: "éé foo", before: [], after: ["bar"] },
        { path: "b.ts", line: 1, column: 1, text: "foo", before: [], after: ["Foo foo"] },
        { path: "b.ts", line: 2, column: 1, text: "Foo foo", before: [], after: [] },
      ]);
    });

    it("chooses case by the pattern, or as told", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "foo\nFoo\nFOO\n" });
      const count = async (input: object): Promise<number> => (await search(w, input, engine)).total_matches;
      expect(await count({ pattern: "foo" })).toBe(3);
      expect(await count({ pattern: "Foo" })).toBe(1);
      expect(await count({ pattern: "fo\\S" })).toBe(3);
      expect(await count({ pattern: "foo", case: "sensitive" })).toBe(1);
      expect(await count({ pattern: "FOO", case: "insensitive" })).toBe(3);
    });

    it("searches words, literal text, the rest, and across lines", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "foobar\nfoo bar\na.b(c\nsüß foo\nend\n" });
      const lines = async (input: object): Promise<unknown> =>
        (await search(w, { output_mode: "matches", ...input }, engine)).matches?.map(({ line, column }) => [
          line,
          column,
        ]);
      expect(await lines({ pattern: "foo", word: true })).toEqual([
        [2, 1],
        [4, 5],
      ]);
      expect(await lines({ pattern: "s|sü|süß", word: true })).toEqual([[4, 1]]);
      expect(await lines({ pattern: "a.b(c", literal: true })).toEqual([[3, 1]]);
      expect(await lines({ pattern: "foo", invert: true })).toEqual([
        [3, 1],
        [5, 1],
      ]);
      expect(await lines({ pattern: "bar\\na\\.b", multiline: true })).toEqual([[2, 5]]);
      const { content } = await search(w, { pattern: "(?s)foo bar.*end", multiline: true }, engine);
      expect(content).toBe("a.txt\n  1- foobar\n  2: foo bar\n  3: a.b(c\n  4: süß foo\n  5: end");
    });

    it("takes a carriage return for the end of a line, also in the middle of one", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "foo\r\r\nx\rfoo\n" });
      const columns = async (pattern: string): Promise<unknown> => {
        const { matches = [] } = await search(w, { pattern, output_mode: "matches" }, engine);
        return matches.map(({ line, column }) => [line, column]);
      };
      expect(await columns("foo[^o]")).toEqual([]);
      expect(await columns("^foo$")).toEqual([
        [1, 1],
        [2, 3],
      ]);
      expect(await columns("x$")).toEqual([[2, 1]]);
      expect(await columns("x.foo")).toEqual([]);
    });

    it("reads CRLF, byte order marks, UTF-16, and encodings that are named", async () => {
      await using w = await temporaryWorkspace({
        "crlf.txt": "one foo\r\ntwo\r\n",
        "bom.txt": "\ufefffoo\n",
        "wide.txt": Buffer.from("\ufeffa\nfoo\n", "utf16le"),
        "latin.txt": Buffer.from("caf\xe9 foo\n", "latin1"),
      });
      const found = await search(w, { pattern: "foo$", output_mode: "matches" }, engine);
      expect(found.matches?.map(({ path, line, text }) => [path, line, text])).toEqual([
        ["bom.txt", 1, "foo"],
        ["crlf.txt", 1, "one foo"],
        ["latin.txt", 1, "caf\ufffd foo"],
        ["wide.txt", 2, "foo"],
      ]);
      expect(Buffer.from(found.matches?.[2]?.text_bytes ?? "", "base64").toString("latin1")).toBe("caf\xe9 foo");
      expect(
        (await search(w, { pattern: "café", encoding: "latin1", output_mode: "matches" }, engine)).matches,
      ).toMatchObject([{ path: "latin.txt", text: "café foo" }]);
      expect((await search(w, { pattern: "foo", path: "latin.txt" }, engine)).notices?.join()).toContain(
        "Y2Fm6SBmb28=",
      );
      expect(await call(w, { pattern: "x", encoding: "klingon" }, { engine })).toMatchObject({ code: "invalid_input" });
    });

    it("filters by name, path and language, and keeps ignore rules all the same", async () => {
      await using w = await temporaryWorkspace({
        ".gitignore": "gen.ts\n",
        "gen.ts": "x",
        "a.ts": "x",
        "a.js": "x",
        "src/b.tsx": "x",
        "src/deep/c.ts": "x",
        Dockerfile: "x",
        ".env": "x",
      });
      const files = async (input: object): Promise<unknown> =>
        (await search(w, { pattern: "x", output_mode: "files", ...input }, engine)).files;
      expect(await files({ include: ["*.ts"] })).toEqual(["a.ts", "src/deep/c.ts"]);
      expect(await files({ include: ["src/**"], exclude: ["deep"] })).toEqual(["src/b.tsx"]);
      expect(await files({ type: "typescript" })).toEqual(["a.ts", "src/b.tsx", "src/deep/c.ts"]);
      expect(await files({ type: "docker" })).toEqual(["Dockerfile"]);
      expect(await files({ include: ["*.ts"], no_ignore: true })).toEqual(["a.ts", "gen.ts", "src/deep/c.ts"]);
      expect(await files({})).toContain(".env");
      expect(await files({ hidden: false })).not.toContain(".env");
      expect(await files({ path: "gen.ts" })).toEqual(["gen.ts"]);
      expect(await call(w, { pattern: "x", type: "klingon" }, { engine })).toMatchObject({
        code: "invalid_input",
        suggestion: expect.stringContaining("*.klingon"),
      });
      expect(await call(w, { pattern: "x", include: ["[a"] }, { engine })).toMatchObject({ code: "invalid_glob" });
    });

    it("says how much ignore rules hide when nothing else matched", async () => {
      await using w = await temporaryWorkspace({ ".ignore": "dist\n", "dist/a.js": "needle\nneedle\n" });
      const none = await search(w, { pattern: "needle" }, engine);
      expect(none).toMatchObject({
        total_matches: 0,
        ignored_hint: "2 matching lines in 1 file hidden by ignore rules; no_ignore=true searches them.",
      });
      expect((await search(w, { pattern: "absent" }, engine)).notices?.[0]).toBe("No line matched.");
    });

    it("counts all matches whatever the page, and gives pages that together are the whole", async () => {
      const files = Object.fromEntries(
        Array.from({ length: 7 }, (_, file) => [`f${file}.txt`, "hit\nmiss\n".repeat(file + 1)]),
      );
      await using w = await temporaryWorkspace(files);
      const ask = async (more: object): Promise<GrepOutput> =>
        await search(w, { pattern: "hit", output_mode: "matches", max_per_file: 5, ...more }, engine);
      const whole = (await ask({})).matches;
      expect(whole).toHaveLength(1 + 2 + 3 + 4 + 5 + 5 + 5);
      expect(await ask({})).toMatchObject({ total_matches: 28, truncated_by: "max_per_file" });
      const pages: unknown[] = [];
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const page = await ask({ max_matches: 4, offset });
        expect([page.total_matches, page.total_exact]).toEqual([28, undefined]);
        pages.push(...(page.matches ?? []));
        offset = page.next_offset;
      }
      expect(pages).toEqual(whole);
      expect((await ask({ offset: 99 })).notices).toContain("offset 99 is past 25 matches.");
    });

    it("takes options in the pattern for the pattern", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "--pre=./evil\n-e\n-\n", evil: "#!/bin/sh\ntouch hurt\n" });
      execFileSync("chmod", ["+x", w.path("evil")]);
      for (const [pattern, count] of [
        ["--pre=./evil", 1],
        ["-e", 1],
        ["-", 3],
        ["--files", 0],
      ] as const) {
        expect((await search(w, { pattern, path: "a.txt" }, engine)).total_matches).toBe(count);
        expect((await search(w, { pattern, literal: true, path: "a.txt" }, engine)).total_matches).toBe(count);
      }
      expect(readdirSync(w.cwd).sort()).toEqual(["a.txt", "evil"]);
    });

    it("says what is wrong with a pattern and what to try", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "foo(\n" });
      const wrong = async (input: object): Promise<unknown> => await call(w, input, { engine });
      expect(await wrong({ pattern: "foo(" })).toMatchObject({
        code: "invalid_regex",
        suggestion: expect.stringContaining("literal=true"),
      });
      expect(await wrong({ pattern: "interface {" })).toMatchObject({
        code: "invalid_regex",
        error_type: "validation_error",
      });
      expect(await wrong({ pattern: "(?<=a)b" })).toMatchObject({
        code: "invalid_regex",
        suggestion: expect.stringContaining("pcre2=true"),
      });
      expect(await wrong({ pattern: "a\\nb" })).toMatchObject({
        code: "invalid_regex",
        suggestion: expect.stringContaining("multiline=true"),
      });
      if (engine === "auto") {
        expect(await wrong({ pattern: "a\\r$" })).toMatchObject({
          code: "invalid_regex",
          suggestion: expect.stringContaining("multiline=true"),
        });
      }
      expect(await wrong({ pattern: "x", path: "b.txt" })).toMatchObject({
        code: "not_found",
        suggestion: expect.stringContaining("a.txt"),
      });
    });

    it("cuts a huge line around its hit and stays whole", async () => {
      const line = `${"a".repeat(150_000)}needle${"b".repeat(150_000)}`;
      await using w = await temporaryWorkspace({
        "min.js": `${line}\n`,
        "max.js": `${"x".repeat(2_000_000)}needle\nsecond needle\n`,
      });
      const { matches } = await search(w, { pattern: "needle", output_mode: "matches" }, engine);
      expect(matches?.map(({ path, line: at, column }) => [path, at, column])).toEqual([
        ["max.js", 1, 2_000_001],
        ["max.js", 2, 8],
        ["min.js", 1, 150_001],
      ]);
      for (const { text } of matches ?? []) {
        expect(text).toContain("needle");
        expect(text.length).toBeLessThan(600);
      }
      expect(matches?.[2]?.text).toMatch(/^\[\+\d+ chars\] … a+needleb+ … \[\+\d+ chars\]$/u);
    });

    it("skips binary and large files, special files and links", async () => {
      await using outside = await temporaryWorkspace({ "secret.txt": "needle\n" });
      await using w = await temporaryWorkspace({
        "a.txt": "needle\n",
        "bin.dat": "needle\n\0\n",
        "late.dat": `needle\n${"x\n".repeat(100_000)}\0`,
        "large.txt": `needle\n${"x".repeat(2000)}`,
        ".git/config": "needle\n",
        "sub/b.txt": "b\n",
      });
      execFileSync("mkfifo", [w.path("pipe")]);
      await symlink("..", w.path("sub/loop"));
      await symlink(outside.cwd, w.path("sub/out"));
      await symlink(outside.path("secret.txt"), w.path("secret.txt"));
      expect(
        (await search(w, { pattern: "needle", output_mode: "files", max_file_bytes: 1000 }, engine)).files,
      ).toEqual(["a.txt"]);
      expect((await search(w, { pattern: "needle", output_mode: "files" }, engine)).files).toEqual([
        "a.txt",
        "large.txt",
      ]);
      expect(await call(w, { pattern: "needle", path: "sub/out" }, { engine })).toMatchObject({ code: "outside_root" });
      expect(await call(w, { pattern: "needle", path: "secret.txt" }, { engine })).toMatchObject({
        code: "outside_root",
      });
      expect(await call(w, { pattern: "needle", path: "pipe" }, { engine })).toMatchObject({
        code: "not_regular_file",
      });
      expect(await call(w, { pattern: "needle", path: "large.txt", max_file_bytes: 10 }, { engine })).toMatchObject({
        code: "too_large",
      });
    });

    it("searches through a link inside the workspace under the name it was given", async () => {
      await using w = await temporaryWorkspace({ "real/a.txt": "needle\n" });
      await symlink("real", w.path("alias"));
      expect((await search(w, { pattern: "needle", path: "alias", output_mode: "files" }, engine)).files).toEqual([
        "alias/a.txt",
      ]);
    });

    it("says so when a file's name is not UTF-8", async () => {
      await using w = await temporaryWorkspace({ "a.txt": "needle\n" });
      await writeFile(Buffer.concat([Buffer.from(`${w.cwd}/`), Buffer.from([0xff])]), "needle\n");
      const found = await search(w, { pattern: "needle", output_mode: "files" }, engine);
      expect(found.files).toEqual(["a.txt"]);
      expect(found.notices).toContain("1 file with a name that is not UTF-8 could not be opened.");
    });

    it("marks the lines it shows whole as read", async () => {
      await using w = await temporaryWorkspace({ "a.txt": `one\nneedle\n${"x".repeat(600)} needle\nfour\nfive\n` });
      await using fake = fakeContext({ workspace: w });
      const run = async (input: object): Promise<void> => {
        await runTool(grep, input, { ...fake.environment, options: { search_engine: engine } });
      };
      const marked: unknown[] = [];
      const state = await fake.context.session.get(readStateKey);
      state.mark = (path: string, seen: SeenLines) => void marked.push([path, seen.totalLines, seen.ranges]);
      await run({ pattern: "needle", after: 1 });
      expect(marked).toEqual([
        [
          w.path("a.txt"),
          5,
          [
            [2, 2],
            [4, 4],
          ],
        ],
      ]);
      await run({ pattern: "needle", output_mode: "files" });
      expect(marked).toHaveLength(1);
    });

    it("bounds the answer and says where to go on", async () => {
      await using w = await temporaryWorkspace({ "a.txt": `${"needle ".repeat(70)}\n`.repeat(1000) });
      const found = await search(w, { pattern: "needle", max_matches: 1000, max_per_file: 1000 }, engine);
      expect(found).toMatchObject({ total_matches: 1000, truncated_by: "size" });
      expect(found.content?.length).toBeLessThan(110_000);
      const next = await search(
        w,
        { pattern: "needle", max_matches: 1000, max_per_file: 1000, offset: found.next_offset, output_mode: "matches" },
        engine,
      );
      expect(next.matches?.[0]?.line).toBe((found.next_offset ?? 0) + 1);
    });

    it("ends when the call is cancelled, and leaves nothing behind", async () => {
      await using w = await temporaryWorkspace({
        ".gitignore": "*.log\n",
        "sub/a.txt": `${"a".repeat(100_000)}\n`.repeat(90),
      });
      const slow = await w.write("slow", "#!/bin/sh\nexec sleep 60\n");
      execFileSync("chmod", ["+x", slow]);
      // Other tests search at the same time.
      const own = await mkdtemp(join(tmpdir(), "aiw-grep-"));
      for (const name of ["TMPDIR", "TEMP", "TMP"]) vi.stubEnv(name, own);
      onTestFinished(async () => {
        vi.unstubAllEnvs();
        await rm(own, { recursive: true });
      });
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      const input = { pattern: "(a|aa|aaa){1,50}(a|aa|aaa){1,50}b", path: "sub" };
      const result = await call(w, input, { engine, signal: controller.signal, options: { ripgrep_path: slow } });
      expect(result).toMatchObject({ success: false, code: "cancelled" });
      expect(readdirSync(own)).toEqual([]);
      expect(children()).not.toContain("sleep");
    });
  });
}

describe("grep", () => {
  it("answers for patterns that make backtracking engines stall", async () => {
    await using w = await temporaryWorkspace({ "a.txt": `${"a".repeat(50_000)}!\n` });
    for (const engine of ENGINES) {
      expect(await search(w, { pattern: "(a+)+$" }, engine)).toMatchObject({ total_matches: 0 });
      expect(await search(w, { pattern: "(a|aa)+b" }, engine)).toMatchObject({ total_matches: 0 });
    }
  });

  it("uses PCRE2 when asked to, where ripgrep is there", async () => {
    await using w = await temporaryWorkspace({ "a.txt": "ab\ncb\n" });
    expect((await search(w, { pattern: "(?<=a)b", pcre2: true, output_mode: "matches" })).matches).toMatchObject([
      { line: 1, column: 2 },
    ]);
    expect(await call(w, { pattern: "(?<=a)b", pcre2: true }, { engine: "builtin" })).toMatchObject({
      code: "not_configured",
    });
  });

  it("goes on with another program, then with its own engine, when one cannot be started", async () => {
    await using w = await temporaryWorkspace({ "a.txt": "x\n", rg: "not a program\n" });
    const gone = await call(w, { pattern: "x" }, { options: { ripgrep_path: w.path("absent") } });
    expect(gone).toMatchObject({ success: true, value: { engine: "ripgrep", total_matches: 1 } });
    execFileSync("chmod", ["+x", w.path("rg")]);
    const broken = await call(w, { pattern: "x", path: "a.txt" }, { options: { ripgrep_path: w.path("rg") } });
    expect(broken).toMatchObject({ success: true, value: { total_matches: 1 } });
  });

  it("does not show lines that are gone when it opens the file again", async () => {
    await using w = await temporaryWorkspace({
      rg: `#!/bin/sh\n${[
        '{"type":"begin","data":{"path":{"text":"./a.txt"}}}',
        '{"type":"match","data":{"path":{"text":"./a.txt"},"lines":{"text":"secret x\\n"},"line_number":1,"absolute_offset":0,"submatches":[{"match":{"text":"x"},"start":7,"end":8}]}}',
        '{"type":"end","data":{"path":{"text":"./a.txt"},"binary_offset":null}}',
        '{"type":"begin","data":{"path":{"text":"./../out.txt"}}}',
        '{"type":"match","data":{"path":{"text":"./../out.txt"},"lines":{"text":"secret x\\n"},"line_number":1,"absolute_offset":0,"submatches":[{"match":{"text":"x"},"start":7,"end":8}]}}',
        '{"type":"end","data":{"path":{"text":"./../out.txt"},"binary_offset":null}}',
      ]
        .map((line) => `echo '${line.replaceAll("\\", "\\\\")}'`)
        .join("\n")}\n`,
      "a.txt": "now other\n",
    });
    execFileSync("chmod", ["+x", w.path("rg")]);
    const result = await call(w, { pattern: "x" }, { options: { ripgrep_path: w.path("rg") } });
    expect(result).toMatchObject({ success: true, value: { content: "", engine: "ripgrep" } });
    expect(JSON.stringify(result)).not.toContain("secret");
    expect(result.success && result.value.notices?.[0]).toContain("2 files changed");
  });

  it("reads rule files of a folder that goes away without failing", async () => {
    await using w = await temporaryWorkspace({ "a/b.txt": "x\n" });
    await rm(w.path("a"), { recursive: true });
    expect((await search(w, { pattern: "x" })).total_matches).toBe(0);
  });

  const word = fc.constantFrom(
    "foo",
    "Foo",
    "bar",
    "a.b",
    "foo bar",
    "x1",
    "é",
    "",
    "  ",
    "foo\r",
    "bar\rfoo",
    "ab12 foo",
    "\u{1f600} foo",
  );
  const text = fc
    .array(word, { maxLength: 6 })
    .chain((lines) => fc.constantFrom("\n", "").map((end) => lines.join("\n") + end));
  const path = fc.constantFrom("a.ts", "b/a.ts", "b/c.js", "b/d/e.ts", ".h/f.ts", "g.md", "b-c.ts", "out/i.ts");
  // A text as it may lie on a disk: as it is, with CRLF, with a mark, in UTF-16, with NUL.
  const content = fc.tuple(text, fc.constantFrom("", "", "", "crlf", "mark", "utf-16", "nul")).map(([plain, form]) => {
    const ended = form === "crlf" ? plain.replaceAll("\n", "\r\n") : plain;
    if (form === "utf-16") return Buffer.from(`\ufeff${ended}`, "utf16le");
    return Buffer.from(form === "mark" ? `\ufeff${ended}` : form === "nul" ? `${ended}\0` : ended);
  });
  const rules = fc.constantFrom("", "out\n", "*.js\n", "b\n!b/a.ts\n");
  const atom = fc.constantFrom(
    "foo",
    "o",
    ".",
    "\\w+",
    "\\d",
    "\\s",
    "a\\.b",
    "[a-f]+",
    "[^o]",
    "^",
    "$",
    "\\bfoo",
    "(?:foo|bar)",
    "x?",
    "é",
    "\\S{2,3}",
    "[\\w.]+",
    "(?i)FOO",
  );
  const query = fc.record(
    {
      pattern: fc.array(atom, { minLength: 1, maxLength: 3 }).map((atoms) => atoms.join("")),
      word: fc.boolean(),
      invert: fc.boolean(),
      multiline: fc.boolean(),
      literal: fc.boolean(),
      case: fc.constantFrom("smart", "sensitive", "insensitive"),
      output_mode: fc.constantFrom("content", "files", "count", "matches"),
      context: fc.nat(2),
      include: fc.constantFrom([], ["*.ts"], ["b/**"]),
      hidden: fc.boolean(),
      exclude: fc.constantFrom([], ["*.js"], ["b/d"]),
      type: fc.constantFrom("ts", "js"),
      no_ignore: fc.boolean(),
      max_matches: fc.integer({ min: 1, max: 4 }),
      max_per_file: fc.integer({ min: 1, max: 3 }),
      offset: fc.nat(3),
    },
    { requiredKeys: ["pattern"] },
  );

  // On a busy machine fewer trees are tried: both engines start a program or a thread for each.
  it("gives the same answer with either engine, on any tree and pattern", { timeout: timeFor(120_000) }, async () => {
    const end = Date.now() + timeFor(15_000);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(path, content, { maxKeys: 4 }), rules, query, async (files, ignore, input) => {
        if (Date.now() > end) return;
        // Which empty words there are is a matter of taste.
        fc.pre(
          input.word !== true ||
            input.literal === true ||
            !new RegExp(`^(?:${input.pattern.replaceAll("(?i)", "")})$`, "mu").test(""),
        );
        await using w = await temporaryWorkspace({ ...files, ".gitignore": ignore });
        expect(common(await search(w, input, "builtin"))).toEqual(common(await search(w, input, "auto")));
      }),
      { numRuns: runs(25) },
    );
  });
});
