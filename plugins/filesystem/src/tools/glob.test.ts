import { execFileSync } from "node:child_process";
import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import type { ToolResult } from "@aiw/core";
import { assertSuccess, callTool, temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { glob, type GlobOutput } from "./glob.ts";
import { runs, timeFor } from "../__fixtures__/runs.ts";

const ENGINES = ["auto", "builtin"] as const;
/** As long as it takes, where a number of runs was asked for. */
const PROPERTY_MS = timeFor(15_000);

type Engine = (typeof ENGINES)[number];

async function call(
  workspace: TemporaryWorkspace,
  input: unknown,
  engine: Engine = "auto",
  signal?: AbortSignal,
): Promise<ToolResult<GlobOutput>> {
  const { result } = await callTool(glob, input, { workspace, signal, options: { search_engine: engine } });
  return result as ToolResult<GlobOutput>;
}

async function find(workspace: TemporaryWorkspace, input: unknown, engine: Engine = "auto"): Promise<GlobOutput> {
  const result = await call(workspace, input, engine);
  assertSuccess(result);
  return result.value;
}

async function paths(
  workspace: TemporaryWorkspace,
  patterns: string[],
  more: object = {},
  engine: Engine = "auto",
): Promise<string[]> {
  return (await find(workspace, { patterns, sort: "path", ...more }, engine)).paths ?? [];
}

for (const engine of ENGINES) {
  describe(`glob with engine ${engine}`, () => {
    it("finds files at any depth, hidden ones too, and never .git", async () => {
      await using w = await temporaryWorkspace({
        "a.ts": "",
        "b/c.ts": "",
        "b/.d/e.ts": "",
        ".git/f.ts": "",
        "b/g.js": "",
        "sub/.git": "",
      });
      expect(await paths(w, ["**/*.ts"], {}, engine)).toEqual(["a.ts", "b/.d/e.ts", "b/c.ts"]);
      expect(await paths(w, ["**"], {}, engine)).not.toContain("sub/.git");
      expect(await paths(w, ["**/*.ts"], { hidden: false }, engine)).toEqual(["a.ts", "b/c.ts"]);
      expect(await paths(w, ["*.ts"], {}, engine)).toEqual(["a.ts"]);
    });

    it("honours ignore files outside a repository, nested and negated ones too", async () => {
      await using w = await temporaryWorkspace({
        ".gitignore": "*.log\n!keep.log\n/build/\ndeep/**/x\n",
        "a.log": "",
        "keep.log": "",
        "build/a.ts": "",
        "sub/build/b.ts": "",
        "sub/.gitignore": "!a.log\nsecret.ts\n",
        "sub/a.log": "",
        "sub/secret.ts": "",
        "sub/in/secret.ts": "",
        "deep/1/2/x": "",
        "deep/y": "",
        ".ignore": "!b.log\n",
        "b.log": "",
      });
      const shown = await paths(w, ["**"], {}, engine);
      expect(shown).toEqual([
        ".gitignore",
        ".ignore",
        "b.log",
        "deep/y",
        "keep.log",
        "sub/.gitignore",
        "sub/a.log",
        "sub/build/b.ts",
      ]);
      expect(await paths(w, ["**"], { no_ignore: true }, engine)).toHaveLength(13);
    });

    it("heeds the rules of folders above the one searched, unless they hide that folder", async () => {
      await using w = await temporaryWorkspace({
        ".gitignore": "*.log\nvendor/\n[x]*.ts\n",
        "a b/.gitignore": "c.ts\n",
        "a b/in/.gitignore": "!d.log\n",
        "a b/in/c.ts": "",
        "a b/in/d.log": "",
        "a b/in/e.log": "",
        "a b/in/x1.ts": "",
        "a b/in/y.ts": "",
        "vendor/p/y.ts": "",
        "vendor/p/y.log": "",
      });
      expect(await paths(w, ["**"], { path: "a b/in" }, engine)).toEqual([
        "a b/in/.gitignore",
        "a b/in/d.log",
        "a b/in/y.ts",
      ]);
      expect(await paths(w, ["vendor/p/**"], {}, engine)).toEqual(["vendor/p/y.log", "vendor/p/y.ts"]);
    });

    it("keeps ignore rules when patterns name what they hide, and says how many there were", async () => {
      await using w = await temporaryWorkspace({
        ".gitignore": "node_modules\n",
        "node_modules/a.ts": "",
        "node_modules/b/c.ts": "",
      });
      const none = await find(w, { patterns: ["**/*.ts"] }, engine);
      expect(none).toMatchObject({ paths: [], total: 0, ignored_count: 2 });
      expect(none.notices?.[0]).toContain("no_ignore=true");
      await w.write("d.ts", "");
      expect(await find(w, { patterns: ["**/*.ts"] }, engine)).toMatchObject({ paths: ["d.ts"], ignored_count: 2 });
    });

    it("takes a path that exists as written for itself, flagged when ignored", async () => {
      await using w = await temporaryWorkspace({
        "app/[id].tsx": "",
        "app/i.tsx": "",
        ".gitignore": "x.env\n",
        "x.env": "",
        "stray[": "",
        "app/[slug]/p.ts": "",
      });
      expect(await paths(w, ["app/[id].tsx"], {}, engine)).toEqual(["app/[id].tsx"]);
      expect(await paths(w, ["stray["], {}, engine)).toEqual(["stray["]);
      expect(await paths(w, ["app/[slug]/*.ts"], {}, engine)).toEqual(["app/[slug]/p.ts"]);
      const flagged = await find(w, { patterns: ["x.env"] }, engine);
      expect(flagged.paths).toEqual(["x.env"]);
      expect(flagged.notices?.[0]).toContain("x.env exists");
      expect((await find(w, { patterns: ["x.env"], long: true }, engine)).entries?.[0]).toMatchObject({
        path: "x.env",
        ignored: true,
      });
    });

    it("gives pages newest first, equal times by path even where a page begins or ends among them", async () => {
      const names = Array.from({ length: 40 }, (_, index) => `${index % 3}/${String(index).padStart(2, "0")}.ts`);
      await using w = await temporaryWorkspace(Object.fromEntries(names.map((name) => [name, ""])));
      // Sixteen of the middle time, twelve of the others.
      const ageOf = (name: string): number => [1, 0, 2, 1, 0, 2, 1][Number(name.slice(2, 4)) % 7] ?? 0;
      for (const name of names) await utimes(w.path(name), 1_700_000_000, 1_700_000_000 - ageOf(name));
      const wanted = names.toSorted((left, right) => ageOf(left) - ageOf(right) || (left < right ? -1 : 1));
      for (const limit of [1, 3, 40, 100]) {
        const found: string[] = [];
        for (let offset: number | undefined = 0; offset !== undefined;) {
          const page: GlobOutput = await find(w, { patterns: ["**/*.ts"], limit, offset }, engine);
          expect(page.total).toBe(40);
          found.push(...(page.paths ?? []));
          offset = page.next_offset;
        }
        expect(found).toEqual(wanted);
      }
    });

    it("does not follow links, neither loops nor links out of the workspace", async () => {
      await using outside = await temporaryWorkspace({ "secret.ts": "" });
      await using w = await temporaryWorkspace({ "a/b.ts": "" });
      await symlink("..", w.path("a/loop"));
      await symlink(outside.cwd, w.path("a/out"));
      await symlink(outside.path("secret.ts"), w.path("a/link.ts"));
      expect(await paths(w, ["**/*.ts"], {}, engine)).toEqual(["a/b.ts"]);
      expect(await call(w, { patterns: ["a/out/*.ts"] }, engine)).toMatchObject({
        success: false,
        code: "outside_root",
      });
      expect(await call(w, { patterns: ["../*"] }, engine)).toMatchObject({ success: false, code: "outside_root" });
      expect(await call(w, { patterns: [`${outside.cwd}/*`] }, engine)).toMatchObject({
        success: false,
        code: "outside_root",
      });
      expect(await paths(w, ["a/**"], { kind: "any" }, engine)).toEqual(["a/b.ts", "a/link.ts", "a/loop", "a/out"]);
    });

    it("lists no special files and does not wait for them", async () => {
      await using w = await temporaryWorkspace({ "a.ts": "" });
      execFileSync("mkfifo", [w.path("pipe.ts")]);
      expect(await paths(w, ["**"], {}, engine)).toEqual(["a.ts"]);
    });

    it("gives the bytes of a name that is not UTF-8", async () => {
      await using w = await temporaryWorkspace({ "d/a.ts": "" });
      await writeFile(Buffer.concat([Buffer.from(`${w.cwd}/d/b`), Buffer.from([0xff]), Buffer.from(".ts")]), "");
      const { entries } = await find(w, { patterns: ["d/*.ts"], long: true, sort: "path" }, engine);
      expect(entries).toMatchObject([{ path: "d/a.ts" }, { path: "d/b\ufffd.ts", size: 0 }]);
      expect(Buffer.from(entries?.[1]?.path_bytes ?? "", "base64")).toEqual(
        Buffer.from([0x62, 0xff, 0x2e, 0x74, 0x73]),
      );
    });

    it("sorts by time and by size what lies in many folders, is named in full, or has a name that is not UTF-8", async () => {
      await using w = await temporaryWorkspace({ "a/1.ts": "22", "b/c/2.ts": "4444", "b/3.ts": "", "d.ts": "1" });
      const odd = Buffer.concat([Buffer.from(`${w.cwd}/a/x`), Buffer.from([0xff]), Buffer.from(".ts")]);
      await writeFile(odd, "333");
      const oldestFirst = [w.path("b/c/2.ts"), odd, w.path("d.ts"), w.path("b/3.ts"), w.path("a/1.ts")];
      for (const [index, path] of oldestFirst.entries()) await utimes(path, 1_700_000_000, 1_700_000_000 + index);
      const patterns = ["d.ts", "a/*.ts", "b/**/*.ts"];
      const byTime = await find(w, { patterns }, engine);
      expect(byTime.paths).toEqual(["a/1.ts", "b/3.ts", "d.ts", "a/x\ufffd.ts", "b/c/2.ts"]);
      const bySize = await find(w, { patterns, sort: "size" }, engine);
      expect(bySize.paths).toEqual(["b/c/2.ts", "a/x\ufffd.ts", "a/1.ts", "d.ts", "b/3.ts"]);
    });

    it("gives pages that together are the whole", async () => {
      await using w = await temporaryWorkspace(
        Object.fromEntries(Array.from({ length: 23 }, (_, index) => [`f${index}.ts`, ""])),
      );
      const whole = await paths(w, ["*.ts"], { limit: 100 }, engine);
      const pages: string[] = [];
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const page = await find(w, { patterns: ["*.ts"], sort: "path", limit: 5, offset }, engine);
        expect(page.total).toBe(23);
        pages.push(...(page.paths ?? []));
        offset = page.next_offset;
      }
      expect(pages).toEqual(whole);
      expect((await find(w, { patterns: ["*.ts"], offset: 40 }, engine)).notices).toEqual([
        "offset 40 is past 23 matches.",
      ]);
    });

    it("takes a pattern that looks like an option for a pattern", async () => {
      await using w = await temporaryWorkspace({ "-x.ts": "", "--pre=touch": "" });
      expect(await paths(w, ["-*", "--pre=*"], {}, engine)).toEqual(["--pre=touch", "-x.ts"]);
    });
  });
}

describe("glob", () => {
  it("sorts the newest first unless told otherwise", async () => {
    await using w = await temporaryWorkspace({ "a.ts": "1", "b.ts": "22", "c.ts": "333" });
    await utimes(w.path("b.ts"), 2_000_000_000, 2_000_000_000);
    await utimes(w.path("a.ts"), 1_000_000_000, 1_000_000_000);
    expect((await find(w, { patterns: ["*"] })).paths).toEqual(["b.ts", "c.ts", "a.ts"]);
    expect((await find(w, { patterns: ["*"], sort: "size" })).paths).toEqual(["c.ts", "b.ts", "a.ts"]);
  });

  it("finds folders, and alternatives with several folders to begin at", async () => {
    await using w = await temporaryWorkspace({ "src/a.ts": "", "test/b.ts": "", "lib/test/c.ts": "" });
    await mkdir(w.path("empty"));
    expect(await paths(w, ["**"], { kind: "dir" })).toEqual(["empty", "lib", "lib/test", "src", "test"]);
    expect(await paths(w, ["{src,test}/*.ts", "src/**"])).toEqual(["src/a.ts", "test/b.ts"]);
    expect(await paths(w, ["**/*.ts", "!lib/**"], { exclude: ["b.ts"] })).toEqual(["src/a.ts"]);
  });

  it("ignores case when the pattern has no capital letter", async () => {
    await using w = await temporaryWorkspace({ "README.md": "", "Docs/readme.MD": "" });
    expect(await paths(w, ["**/readme.md"])).toEqual(["Docs/readme.MD", "README.md"]);
    expect(await paths(w, ["docs/*.md"])).toEqual(["Docs/readme.MD"]);
    expect(await paths(w, ["**/README.md"])).toEqual(["README.md"]);
    expect(await paths(w, ["**/readme.md"], { case_sensitive: true })).toEqual([]);
  });

  it("names the position and a corrected form of a pattern that is wrong", async () => {
    await using w = await temporaryWorkspace();
    const wrong = async (pattern: string): Promise<unknown> => await call(w, { patterns: [pattern] });
    expect(await wrong("src/[a*.ts")).toMatchObject({
      code: "invalid_glob",
      details: { position: 5, corrected: "src/\\[a*.ts" },
    });
    expect(await wrong("a{b,c")).toMatchObject({
      code: "invalid_glob",
      details: { position: 2, corrected: "a\\{b,c" },
    });
    expect(await wrong("*.@(js|ts)")).toMatchObject({ code: "invalid_glob", details: { corrected: "*.{js,ts}" } });
    expect(await wrong("{1..1000}{1..1000}")).toMatchObject({ code: "invalid_glob" });
    expect(await wrong("*/../x")).toMatchObject({ code: "invalid_glob" });
  });

  it("refuses a path that is no folder or does not exist, with the next step", async () => {
    await using w = await temporaryWorkspace({ "source/a.ts": "" });
    expect(await call(w, { patterns: ["*"], path: "source/a.ts" })).toMatchObject({
      code: "not_a_directory",
      suggestion: 'read(file_paths=["source/a.ts"])',
    });
    expect(await call(w, { patterns: ["*"], path: "sorce" })).toMatchObject({
      code: "not_found",
      suggestion: expect.stringContaining("source"),
    });
  });

  it("answers for patterns that make backtracking engines stall", async () => {
    const name = "a".repeat(200);
    await using w = await temporaryWorkspace({ [name]: "" });
    expect(await paths(w, [`${"*a".repeat(60)}b`, `${"{a,*a}".repeat(9)}b`, `${"**/".repeat(200)}b`])).toEqual([]);
  });

  it("stops when the call is cancelled", async () => {
    await using w = await temporaryWorkspace({ "a.ts": "" });
    expect(await call(w, { patterns: ["**"] }, "auto", AbortSignal.abort())).toMatchObject({ code: "cancelled" });
  });

  it("says that nothing matched and what might", async () => {
    await using w = await temporaryWorkspace({ "src/a.ts": "" });
    expect((await find(w, { patterns: ["*.ts"] })).notices).toEqual(['Nothing matched. "**/*.ts" looks at any depth.']);
  });

  const name = fc.constantFrom("a", "b", "ab", "a.ts", "b.ts", ".x", "B", "[a]");
  const path = fc
    .array(name, { minLength: 1, maxLength: 3 })
    .map((names) => [...names.slice(0, -1), `${names.at(-1)}.f`].join("/"));
  const part = fc.constantFrom(
    "*",
    "**",
    "a",
    "b",
    "ab",
    "?",
    "a*",
    "*.f",
    "[ab]*",
    "{a,b}",
    "*.{ts,f}",
    "[^a]*",
    ".x*",
  );
  const pattern = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));

  // On a busy machine fewer trees are tried: each starts programs.
  it(
    "agrees with another matcher, and its engines with each other, on any tree",
    { timeout: 2 * PROPERTY_MS + 90_000 },
    async () => {
      const end = Date.now() + PROPERTY_MS;
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(path, { minLength: 1, maxLength: 8 }), pattern, async (files, wanted) => {
          if (Date.now() > end) return;
          await using w = await temporaryWorkspace(Object.fromEntries(files.map((file) => [file, ""])));
          // There `a/**` also means a itself.
          const matches = picomatch(wanted.replace(/\/\*\*$/u, "/**/*"), { dot: true });
          const expected = files.filter((file) => matches(file)).sort();
          expect(await paths(w, [wanted], { case_sensitive: true })).toEqual(expected);
          expect(await paths(w, [wanted], { case_sensitive: true }, "builtin")).toEqual(expected);
        }),
        { numRuns: runs(60) },
      );
    },
  );

  const rule = fc.constantFrom(
    "a",
    "/a",
    "a/",
    "!a",
    "*.f",
    "!a.f",
    "b/**",
    "**/ab",
    "a/*",
    "!b/",
    "/*/b",
    "ab/a.f",
    "[ab].f",
    "# x",
    "",
    "\\!a",
    "a.f ",
    "B",
    "{a,b}.f",
  );
  it("hides with both engines the same, whatever the ignore rules", { timeout: 2 * PROPERTY_MS + 90_000 }, async () => {
    const end = Date.now() + PROPERTY_MS;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(path, { minLength: 2, maxLength: 10 }),
        fc.array(rule, { maxLength: 4 }),
        fc.array(rule, { maxLength: 3 }),
        fc.constantFrom(".", "a", "a/b"),
        async (files, outer, inner, start) => {
          if (Date.now() > end) return;
          const rules = { ".gitignore": outer.join("\n"), "a/.gitignore": inner.join("\n"), "a/b/z": "" };
          await using w = await temporaryWorkspace({
            ...Object.fromEntries(files.map((file) => [file, ""])),
            ...rules,
          });
          expect(await paths(w, ["**"], { path: start }, "builtin")).toEqual(await paths(w, ["**"], { path: start }));
        },
      ),
      { numRuns: runs(60) },
    );
  });
});
