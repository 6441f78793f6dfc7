import { execFileSync } from "node:child_process";
import { link, lstat, mkdir, readFile as readText, readlink, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { namesBelow } from "../__fixtures__/names-below.ts";
import { move } from "./move.ts";
import { read } from "./read.ts";
import { redo } from "./redo.ts";
import { undo } from "./undo.ts";
import { write } from "./write.ts";

const at = (bench: Bench, path: string): string => join(bench.folder.cwd, path);
const names = async (bench: Bench): Promise<string[]> => await namesBelow(bench.folder.cwd);
const text = async (bench: Bench, path: string): Promise<string> => await readText(at(bench, path), "utf8");
const assess = async (bench: Bench, input: object): Promise<unknown> =>
  await move.assess?.({ overwrite: false, create_dirs: true, ...input } as never, bench.fake.context as never);

describe("move", () => {
  it("renames a file, undo takes it back, redo makes it again", async () => {
    await using bench = await openBench({ "a.txt": "a\r\n" });
    await utimes(at(bench, "a.txt"), 1_000_000_000, 1_000_000_000);
    const moved = await bench.ok(move, { from: "a.txt", to: "lib/deep/b.txt" });
    expect(moved).toEqual({ from: "a.txt", to: "lib/deep/b.txt", entries: 1, undo_id: expect.any(String) });
    expect(await names(bench)).toEqual(["lib", "lib/deep", "lib/deep/b.txt"]);
    await bench.ok(undo, { undo_id: moved.undo_id });
    expect(await names(bench)).toEqual(["a.txt"]);
    expect((await lstat(at(bench, "a.txt"))).mtimeMs).toBe(1_000_000_000_000);
    await bench.ok(redo, {});
    expect(await text(bench, "lib/deep/b.txt")).toBe("a\r\n");
  });

  it("moves a folder with all it holds, and undo brings it back", async () => {
    await using bench = await openBench({ "a/x": "x", "a/b/y": "y" });
    expect(await bench.ok(move, { from: "a", to: "c" })).toMatchObject({ to: "c", entries: 4 });
    expect(await names(bench)).toEqual(["c", "c/b", "c/b/y", "c/x"]);
    await bench.ok(undo, {});
    expect(await names(bench)).toEqual(["a", "a/b", "a/b/y", "a/x"]);
  });

  it("goes into a folder that exists and says so, and into one that ends in a separator", async () => {
    await using bench = await openBench({ "a.txt": "a", "b.txt": "b", "lib/x": "", "src/y": "" });
    expect(await bench.ok(move, { from: "a.txt", to: "lib" })).toMatchObject({
      to: "lib/a.txt",
      notices: ["lib is a folder, so it was moved into it."],
    });
    const open = await bench.ok(move, { from: "b.txt", to: "new/" });
    expect([open.to, open.notices]).toEqual(["new/b.txt", undefined]);
    expect((await bench.ok(move, { from: "src", to: "lib/" })).to).toBe("lib/src");
    expect((await bench.ok(move, { from: "lib/src", to: "source/" })).to).toBe("source");
    expect(await names(bench)).toEqual(["lib", "lib/a.txt", "lib/x", "new", "new/b.txt", "source", "source/y"]);
  });

  it("replaces a file only when told, and undo brings back what was replaced", async () => {
    await using bench = await openBench({ "a.txt": "a", "b.txt": "b" });
    const taken = await bench.fail(move, { from: "a.txt", to: "b.txt" });
    expect([taken.code, taken.suggestion]).toEqual([
      "already_exists",
      'move(from="a.txt", to="b.txt", overwrite=true)',
    ]);
    await bench.ok(move, { from: "a.txt", to: "b.txt", overwrite: true });
    expect(await names(bench)).toEqual(["b.txt"]);
    await bench.ok(undo, {});
    expect([await text(bench, "a.txt"), await text(bench, "b.txt")]).toEqual(["a", "b"]);
  });

  it("never replaces a folder", async () => {
    await using bench = await openBench({ "a/x": "", "lib/a/y": "" });
    const failed = await bench.fail(move, { from: "a", to: "lib", overwrite: true });
    expect([failed.code, failed.suggestion]).toEqual(["already_exists", 'list(path="lib/a")']);
  });

  it("never names another file in a call that moves, and says how folders are made", async () => {
    await using bench = await openBench({ "readme.md": "" });
    const missing = await bench.fail(move, { from: "redme.md", to: "b.md", overwrite: true });
    expect([missing.code, missing.suggestion]).toEqual(["not_found", 'list(path=".")']);
    expect(missing.details).toMatchObject({ nearest: ["readme.md"] });
    const parents = await bench.fail(move, { from: "readme.md", to: "x/y.md", create_dirs: false });
    expect([parents.code, parents.suggestion]).toEqual([
      "not_found",
      'move(from="readme.md", to="x/y.md", create_dirs=true)',
    ]);
    const folder = await bench.fail(move, { from: "gone/readme.md", to: "b.md", create_dirs: false });
    expect([folder.code, folder.suggestion]).toEqual(["not_found", 'glob(patterns=["**/readme.md"], kind="any")']);
    expect(await names(bench)).toEqual(["readme.md"]);
  });

  it("into itself is refused, and so is its own place", async () => {
    await using bench = await openBench({ "a/x": "x" });
    for (const input of [
      { from: "a", to: "a/b" },
      { from: "a/x", to: "a/x", overwrite: true },
      { from: "a/x", to: "a", overwrite: true },
      { from: "a/x", to: "./b/../a/x" },
    ]) {
      expect((await bench.fail(move, input)).code, input.to).toBe("invalid_path");
    }
    expect(await text(bench, "a/x")).toBe("x");
  });

  it("case-only renames work", async () => {
    await using bench = await openBench({ "Readme.md": "r", "Src/a": "" });
    expect((await bench.ok(move, { from: "Readme.md", to: "README.md" })).to).toBe("README.md");
    expect((await bench.ok(move, { from: "Src", to: "src" })).to).toBe("src");
    expect(await names(bench)).toEqual(["README.md", "src", "src/a"]);
    await bench.ok(undo, { count: 2 });
    expect(await names(bench)).toEqual(["Readme.md", "Src", "Src/a"]);
  });

  it("symbolic link: the link itself is moved, a dangling one too", async () => {
    await using bench = await openBench({ "a.txt": "a" });
    await symlink("a.txt", at(bench, "l"));
    await symlink("/nowhere/at/all", at(bench, "broken"));
    const { notices } = await bench.ok(move, { from: "l", to: "m" });
    expect(notices).toEqual(["l is a link; the link itself was moved, not what it leads to."]);
    expect(await readlink(at(bench, "m"))).toBe("a.txt");
    await bench.ok(move, { from: "broken", to: "still-broken" });
    await bench.ok(undo, { count: 2 });
    expect(await names(bench)).toEqual(["a.txt", "broken", "l"]);
  });

  it("hard link: one of two names is moved, and one replaces the other", async () => {
    await using bench = await openBench({ "a.txt": "a" });
    await link(at(bench, "a.txt"), at(bench, "b.txt"));
    await bench.ok(move, { from: "a.txt", to: "c.txt" });
    expect((await lstat(at(bench, "c.txt"))).nlink).toBe(2);
    await bench.ok(move, { from: "c.txt", to: "b.txt", overwrite: true });
    expect(await names(bench)).toEqual(["b.txt"]);
  });

  it("read-only file in a writable directory: permission_denied, rename must not get round it", async () => {
    await using bench = await openBench({ "a.txt": "a" });
    await writeFile(at(bench, "shut"), "s", { mode: 0o444 });
    expect((await bench.fail(move, { from: "a.txt", to: "shut", overwrite: true })).code).toBe("permission_denied");
    expect(await text(bench, "shut")).toBe("s");
  });

  it("names in NFD, with U+202F or curly quotes: variants tried and said", async () => {
    const nfd = "Café.txt".normalize("NFD");
    await using bench = await openBench({ [nfd]: "c", "Shot 1\u202fPM.txt": "s" });
    const { from, notices } = await bench.ok(move, { from: "Café.txt".normalize("NFC"), to: "b.txt" });
    expect(from).toBe(nfd);
    expect(notices).toHaveLength(1);
    await bench.ok(move, { from: "Shot 1 PM.txt", to: "c.txt" });
    expect(await names(bench)).toEqual(["b.txt", "c.txt"]);
  });

  it("linked parent escapes on create (GHSA-q66q-fx2p-7w4m): both ends stay inside; trailing slashes normalised first", async () => {
    await using bench = await openBench({ "a.txt": "a" });
    await using outside = await openBench({ secret: "s" });
    await symlink(outside.folder.cwd, at(bench, "door"));
    for (const to of ["door/a.txt", "door/", "door", "../a.txt", join(outside.folder.cwd, "a.txt")]) {
      expect((await bench.fail(move, { from: "a.txt", to })).code, to).toBe("outside_root");
    }
    expect((await bench.fail(move, { from: "door/secret", to: "mine" })).code).toBe("outside_root");
    expect(await names(outside)).toEqual(["secret"]);
    await bench.ok(move, { from: "door/", to: "gate" });
    expect(await readlink(at(bench, "gate"))).toBe(outside.folder.cwd);
  });

  it.each([".git/hooks/pre-commit", ".gitattributes", "sub/.GIT/config", "aiw.lock"])(
    "refuses %s at either end (SEC-FS-9)",
    async (path) => {
      await using bench = await openBench({ "a.txt": "a", [path]: "x" });
      const before = await names(bench);
      expect((await bench.fail(move, { from: path, to: "b.txt" })).code).toBe("protected_path");
      expect((await bench.fail(move, { from: "a.txt", to: path, overwrite: true })).code).toBe("protected_path");
      expect(await names(bench)).toEqual(before);
    },
  );

  it("refuses roots, cwd, home and a folder that holds .git", async () => {
    await using bench = await openBench({ "repo/.git/config": "", "repo/a": "" });
    for (const from of [".", bench.folder.cwd, "repo"]) {
      expect((await bench.fail(move, { from, to: "elsewhere" })).code, from).toMatch(
        /^(protected_path|invalid_path)$/u,
      );
    }
    expect((await bench.fail(move, { from: "repo", to: "elsewhere" })).details).toEqual({ protected: "repo/.git" });
  });

  it("parent is a file: not_a_directory", async () => {
    await using bench = await openBench({ "a.txt": "a", file: "f" });
    expect((await bench.fail(move, { from: "a.txt", to: "file/b.txt" })).code).toBe("not_a_directory");
    expect((await bench.fail(move, { from: "a.txt", to: "file/" })).code).toBe("not_a_directory");
  });

  it("read state follows, into folders too", async () => {
    await using bench = await openBench({ "src/a.txt": "a\n", "b.txt": "b\n" });
    await bench.ok(read, { file_paths: ["src/a.txt"] });
    await bench.ok(move, { from: "src", to: "lib" });
    await bench.ok(write, { path: "lib/a.txt", content: "new\n", mode: "overwrite" });
    await bench.ok(move, { from: "b.txt", to: "c.txt" });
    expect((await bench.fail(write, { path: "c.txt", content: "new\n", mode: "overwrite" })).code).toBe(
      "unread_target",
    );
  });

  it("two writers on one file: undo refuses what somebody changed since", async () => {
    await using bench = await openBench({ "a.txt": "a" });
    await bench.ok(move, { from: "a.txt", to: "b.txt" });
    await writeFile(at(bench, "a.txt"), "theirs");
    expect((await bench.fail(undo, {})).code).toBe("conflict");
    expect([await text(bench, "a.txt"), await text(bench, "b.txt")]).toEqual(["theirs", "a"]);
  });

  it("moves what is no regular file within its volume", async ({ skip }) => {
    if (process.platform !== "linux") skip("no such files here");
    await using bench = await openBench();
    execFileSync("mkfifo", [at(bench, "pipe")]);
    await bench.ok(move, { from: "pipe", to: "tube" });
    expect((await lstat(at(bench, "tube"))).isFIFO()).toBe(true);
  });

  it("across devices: copied, compared, removed, and undo brings it back", async ({ skip }) => {
    await using bench = await openBench({ "a/x": "x", "a/b/y": "y" });
    await mkdir(at(bench, "disk"));
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", at(bench, "disk")], { stdio: "ignore" });
    } catch {
      skip("nothing can be mounted here");
    }
    try {
      await utimes(at(bench, "a/x"), 1_000_000_000, 1_000_000_000);
      expect(await bench.ok(move, { from: "a", to: "disk" })).toMatchObject({ to: "disk/a", entries: 4 });
      expect(await names(bench)).toEqual(["disk", "disk/a", "disk/a/b", "disk/a/b/y", "disk/a/x"]);
      await bench.ok(undo, {});
      expect(await names(bench)).toEqual(["a", "a/b", "a/b/y", "a/x", "disk"]);
      expect((await lstat(at(bench, "a/x"))).mtimeMs).toBe(1_000_000_000_000);
      await writeFile(at(bench, "large"), Buffer.alloc(2 * 1024 * 1024));
      expect((await bench.fail(move, { from: "large", to: "disk/" })).code).toBe("no_space");
      expect(await names(bench)).toEqual(["a", "a/b", "a/b/y", "a/x", "disk", "large"]);
    } finally {
      execFileSync("umount", [at(bench, "disk")]);
    }
  });

  it.runIf(process.platform !== "win32")("escapes names that break lines or are not seen", async () => {
    const name = "a\n=== b\u202e.txt";
    await using bench = await openBench({ [name]: "", "c/x": "" });
    const taken = await bench.fail(move, { from: "c/x", to: name });
    const missing = await bench.fail(move, { from: `${name}x`, to: "d" });
    for (const { error, suggestion } of [taken, missing]) expect(error + suggestion).not.toMatch(/[\n\u202e]/u);
    expect(missing.details).toMatchObject({ nearest: [name] });
    const moved = await bench.ok(move, { from: name, to: "c" });
    expect([moved.to, moved.notices?.join("")]).toEqual([`c/${name}`, "c is a folder, so it was moved into it."]);
  });

  it("asks for start-up files at both ends, and for a folder that holds one", async () => {
    await using bench = await openBench({ "a.txt": "", ".npmrc": "", "pkg/sub/AGENTS.md": "", "plain/x": "" });
    await mkdir(at(bench, ".vscode"));
    for (const input of [
      { from: "a.txt", to: ".bashrc" },
      { from: "a.txt", to: ".vscode" },
      { from: ".npmrc", to: "b" },
      { from: "pkg", to: "lib" },
      { from: "plain", to: ".husky" },
    ]) {
      expect(await assess(bench, input), input.to).toMatchObject({ decision: "ask", rule: "startup_file" });
    }
    const { cwd } = bench.folder;
    expect(await assess(bench, { from: "plain", to: "lib/" })).toEqual({
      decision: "allow",
      reason: "Moves plain (2 entries) to lib.",
      resources: [`folder:${cwd}/plain`, `folder:${cwd}/lib`],
    });
    expect(await assess(bench, { from: "gone", to: "b" })).toMatchObject({
      decision: "allow",
      resources: [`file:${cwd}/gone`, `file:${cwd}/b`],
      failure: { code: "not_found" },
    });
    expect(await assess(bench, { from: "gone", to: ".npmrc" })).toMatchObject({
      decision: "ask",
      rule: "startup_file",
      failure: { code: "not_found" },
    });
    await expect(assess(bench, { from: "gone", to: "../b" })).rejects.toMatchObject({ code: "outside_root" });
    await expect(assess(bench, { from: ".git/config", to: "b" })).rejects.toMatchObject({ code: "protected_path" });
  });

  it("previews what it did", () => {
    const value = { from: "a", to: "b\n", entries: 3 };
    expect(move.preview?.({ success: true, value } as never, 3)).toEqual([String.raw`Moved a to b\n, 3 entries`]);
  });
});
