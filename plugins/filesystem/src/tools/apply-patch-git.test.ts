import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createTwoFilesPatch } from "diff";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBench } from "../__fixtures__/call-tool.ts";
import { runs, timeFor } from "../__fixtures__/runs.ts";
import { applyPatch } from "./apply-patch.ts";
import { read } from "./read.ts";

const hasGit = ((): boolean => {
  try {
    execFileSync("git", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const TIMEOUT = { timeout: timeFor(300_000) };
const ENVIRONMENT = {
  ...process.env,
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.org",
};

const line = fc.tuple(fc.constantFrom("", "a", "b", "c", "  a", "}", "-- x"), fc.constantFrom("\n", "\n", "\r\n"));
const lines = fc.array(
  line.map(([text, ending]) => text + ending),
  { maxLength: 25 },
);
const change = fc.tuple(
  fc.nat(),
  fc.nat(3),
  fc.array(
    line.map(([text, ending]) => text + ending),
    { maxLength: 3 },
  ),
);
const texts = fc
  .tuple(lines, fc.array(change, { minLength: 1, maxLength: 3 }), lines, fc.boolean())
  .map(([old, changes, before, isBare]) => {
    const young = [...old];
    for (const [at, removed, added] of changes) young.splice(at % (young.length + 1), removed, ...added);
    const end = (all: string[]): string => (isBare ? all.join("").replace(/\r?\n$/u, "") : all.join(""));
    return { old: end(old), young: end(young), shifted: before.join("") + end(old) };
  })
  .filter(({ old, young }) => old !== young && old !== "" && young !== "");

describe.skipIf(!hasGit)("apply_patch beside git", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "aiw-git-"));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  function git(...args: string[]): string {
    return execFileSync("git", args, { cwd: folder, env: ENVIRONMENT, encoding: "utf8", stdio: "pipe" });
  }

  /** What git makes of a file, `undefined` where it refuses. */
  async function applyByGit(content: string, patch: string): Promise<string | undefined> {
    await writeFile(join(folder, "f"), content);
    await writeFile(join(folder, "patch"), patch);
    try {
      git("-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "patch");
    } catch {
      return undefined;
    }
    return execFileSync("cat", ["f"], { cwd: folder, encoding: "utf8" });
  }

  it("comes to the same bytes as git apply, also in a file that has more lines before", TIMEOUT, async () => {
    let both = 0;
    await fc.assert(
      fc.asyncProperty(texts, async ({ old, young, shifted }) => {
        const patch = createTwoFilesPatch("a/f", "b/f", old, young).replace(/^=+\n/u, "");
        for (const content of [old, shifted]) {
          await using bench = await openBench({ f: content });
          await bench.ok(read, { file_paths: ["f"], limit: 0 });
          const expected = await applyByGit(content, patch);
          if (content === old) {
            await bench.ok(applyPatch, { patch });
            expect(await bench.folder.read("f")).toBe(young);
            expect(expected).toBe(young);
            continue;
          }
          const value = await bench.ok(applyPatch, { patch, dry_run: true }).catch(() => undefined);
          if (value === undefined || expected === undefined) continue;
          await bench.ok(applyPatch, { patch });
          expect(await bench.folder.read("f")).toBe(expected);
          both += 1;
        }
      }),
      { numRuns: Math.min(runs(40), 500) },
    );
    expect(both).toBeGreaterThan(0);
  });

  it("applies what git writes of a tree: renames, modes, new and deleted files, quoted names", TIMEOUT, async () => {
    const old: Record<string, string> = {
      "src/a.ts": Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join(""),
      "src/moved.ts": Array.from({ length: 30 }, (_, at) => `moved ${at}\n`).join(""),
      "only moved.txt": "stays\n",
      "gone.txt": "gone\r\nbare",
      "run.sh": "echo\n",
      'na"me é.txt': "old\n",
      "empty-then-full": "",
    };
    git("init", "-q", ".");
    await mkdir(join(folder, "src"));
    for (const [path, text] of Object.entries(old)) await writeFile(join(folder, path), text);
    git("add", "-A");
    git("commit", "-q", "-m", "old");
    const young: Record<string, string> = {
      "src/a.ts": (old["src/a.ts"] ?? "").replace("line 3\n", "line 3\nnew\n").replace("line 29\n", "line 29"),
      "lib/moved.ts": (old["src/moved.ts"] ?? "").replace("moved 15\n", ""),
      "lib/only moved.txt": "stays\n",
      "run.sh": "echo\n",
      'na"me é.txt': "new\n",
      "empty-then-full": "full\n",
      "new/bare.txt": "a\r\nb\nc",
      "new/empty.txt": "",
    };
    await mkdir(join(folder, "lib"));
    await rename(join(folder, "src/moved.ts"), join(folder, "lib/moved.ts"));
    await rename(join(folder, "only moved.txt"), join(folder, "lib/only moved.txt"));
    await unlink(join(folder, "gone.txt"));
    await chmod(join(folder, "run.sh"), 0o755);
    for (const [path, text] of Object.entries(young)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    git("add", "-A");
    const patch = git("-c", "core.autocrlf=false", "diff", "--cached", "-M");
    await using bench = await openBench(old);
    await bench.ok(read, { file_paths: Object.keys(old) });
    await bench.ok(applyPatch, { patch });
    for (const [path, text] of Object.entries(young)) expect(await bench.folder.read(path)).toBe(text);
    for (const path of ["gone.txt", "src/moved.ts", "only moved.txt"]) {
      await expect(stat(bench.folder.path(path))).rejects.toThrow("ENOENT");
    }
    expect((await stat(bench.folder.path("run.sh"))).mode & 0o111).not.toBe(0);
  });
});
