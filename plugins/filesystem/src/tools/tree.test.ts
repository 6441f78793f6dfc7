import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runTool } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { openBench, type Bench } from "../__fixtures__/call-tool.ts";
import { tree } from "./tree.ts";

const FILES = {
  "readme.md": "",
  ".env": "",
  ".gitignore": "dist/\n*.log\n",
  "dist/out.js": "",
  "src/b.ts": "",
  "src/a.ts": "",
  "src/deep/er/still/x.ts": "",
  "src/noise.log": "",
};

const numbered = (folder: string, count: number): { [path: string]: string } =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/f${String(index).padStart(4, "0")}`, ""]));

const at = (bench: Bench, path: string): string => join(bench.folder.cwd, path);

describe("tree", () => {
  it("shows a folder's files, then its folders, and closes those that are too deep", async () => {
    await using bench = await openBench(FILES);
    expect(await bench.ok(tree, {})).toEqual({
      content: [
        "./",
        "  .env",
        "  .gitignore",
        "  readme.md",
        "  src/",
        "    a.ts",
        "    b.ts",
        "    deep/",
        "      er/ …",
      ].join("\n"),
      entries: 8,
      omitted: 0,
      ignored_count: 2,
    });
  });

  it("leaves out hidden names, and all but folders, and heeds no ignore rules when told so", async () => {
    await using bench = await openBench(FILES);
    const plain = await bench.ok(tree, { hidden: false, depth: 1 });
    expect(plain.content).toBe("./\n  readme.md\n  src/ …");
    const folders = await bench.ok(tree, { dirs_only: true, no_ignore: true, depth: 10 });
    expect(folders.content).toBe("./\n  dist/\n  src/\n    deep/\n      er/\n        still/");
    expect(folders.ignored_count).toBeUndefined();
  });

  it("never shows .git", async () => {
    await using bench = await openBench({ ".git/config": "", a: "" });
    expect((await bench.ok(tree, { no_ignore: true })).content).toBe("./\n  a");
  });

  it("counts what one folder has too much of, folders before files", async () => {
    await using bench = await openBench({ ...numbered("many", 40), "many/sub/x": "", z: "" });
    const { content, entries, omitted } = await bench.ok(tree, { per_dir: 4 });
    expect(content.split("\n")).toEqual([
      "./",
      "  z",
      "  many/",
      "    f0000",
      "    f0001",
      "    f0002",
      "    … 37 more",
      "    sub/",
      "      x",
    ]);
    expect([entries, omitted]).toEqual([7, 37]);
  });

  it("shares its room fairly among paths", async () => {
    await using bench = await openBench({ ...numbered("a", 500), ...numbered("b", 500), "c/x": "" });
    const { content, entries, omitted } = await bench.ok(tree, {
      paths: ["a", "b", "c"],
      max_entries: 41,
      per_dir: 1000,
    });
    expect([entries, omitted]).toEqual([41, 960]);
    expect(content.split("\n").filter((line) => line.startsWith("  f"))).toHaveLength(40);
    expect(content).toContain("  … 480 more\nb/\n");
    expect(content.endsWith("c/\n  x")).toBe(true);
  });

  it("shows what is near the top before what is deep", async () => {
    await using bench = await openBench({ ...numbered("a/a", 30), b: "", c: "", d: "" });
    const { content } = await bench.ok(tree, { max_entries: 6 });
    expect(content).toBe("./\n  b\n  c\n  d\n  a/\n    a/\n      f0000\n      … 29 more");
  });

  it("link loops, huge directories (claude-code 2.1.149): links are told and not followed", async () => {
    await using bench = await openBench(numbered("huge", 3000));
    await mkdir(at(bench, "loop"));
    await symlink("..", at(bench, "loop/up"));
    await symlink("/etc/passwd", at(bench, "loop/out"));
    await symlink("gone", at(bench, "loop/broken"));
    const { content, omitted } = await bench.ok(tree, { per_dir: 3 });
    expect(content).toContain("    broken -> gone\n    out -> /etc/passwd\n    up -> ..");
    expect(content).toContain("    … 2997 more");
    expect(omitted).toBe(2997);
  });

  it.runIf(process.platform === "linux")(
    "tells other kinds, escapes names, and opens none that is not UTF-8",
    async () => {
      await using bench = await openBench({ "a\nb": "" });
      execFileSync("mkfifo", [at(bench, "pipe")]);
      await mkdir(Buffer.concat([Buffer.from(at(bench, "bad")), Buffer.from([0xff])]));
      const { content, notices } = await bench.ok(tree, {});
      expect(content).toBe(String.raw`./` + "\n" + String.raw`  a\nb` + "\n  pipe (fifo)\n  bad\u{fffd}/ (unreadable)");
      expect(notices).toEqual(["Could not be read: bad\u{fffd}."]);
    },
  );

  it.runIf(process.getuid?.() !== 0)("says which subfolder is unreadable, and goes on", async () => {
    await using bench = await openBench({ "shut/x": "", "open/y": "" });
    await chmod(at(bench, "shut"), 0o000);
    const { content, notices } = await bench.ok(tree, {});
    await chmod(at(bench, "shut"), 0o700);
    expect(content).toBe("./\n  open/\n    y\n  shut/ (unreadable)");
    expect(notices).toEqual(["Could not be read: shut."]);
  });

  it("fails for what is no folder, is not there or lies outside; says it beside those that are shown", async () => {
    await using bench = await openBench({ "src/a.ts": "" });
    const file = await bench.fail(tree, { paths: ["src/a.ts"] });
    expect([file.code, file.suggestion]).toEqual(["not_a_directory", 'read(file_paths=["src/a.ts"])']);
    const missing = await bench.fail(tree, { paths: ["scr"] });
    expect([missing.code, missing.suggestion]).toEqual(["not_found", 'tree(paths=["src"])']);
    expect((await bench.fail(tree, { paths: [".."] })).code).toBe("outside_root");
    const some = await bench.ok(tree, { paths: ["src", "scr"] });
    expect(some.content).toBe("src/\n  a.ts");
    expect(some.notices).toEqual(['File not found: scr tree(paths=["src"])']);
  });

  it("shows an ignored folder that is asked for by name", async () => {
    await using bench = await openBench(FILES);
    expect((await bench.ok(tree, { paths: ["dist"] })).content).toBe("dist/\n  out.js");
  });

  it("does not show what an operator denies", async () => {
    await using bench = await openBench({ "a/keys.pem": "", "a/b": "", "secret/x": "" });
    const { cwd, roots } = bench.folder;
    const environment = { ...bench.fake.environment, workspace: { cwd, roots, deny: ["*.pem", "secret"] } };
    const result = await runTool(tree, {}, environment);
    expect(result.success && result.value.content).toBe("./\n  a/\n    b");
  });

  it("says what is empty, and what rules hide whole", async () => {
    await using bench = await openBench({ "x/.gitignore": "*\n", "x/a": "" });
    await mkdir(at(bench, "empty"));
    const { content, notices } = await bench.ok(tree, { paths: ["empty", "x"] });
    expect(content).toBe("empty/\nx/");
    expect(notices).toEqual(["Ignore rules hide everything; no_ignore=true shows it."]);
  });

  it("fits the room there is for its result", async () => {
    await using bench = await openBench(
      { ...numbered("a", 300), ...numbered("b/c", 300) },
      { maxResultCharacters: 3000 },
    );
    const output = await bench.ok(tree, { max_entries: 600, per_dir: 600 });
    expect(JSON.stringify(output).length).toBeLessThanOrEqual(3000);
    expect(output.entries).toBeGreaterThan(30);
    expect(output.entries + output.omitted).toBeGreaterThanOrEqual(303);
  });

  it("sees a folder that begins with a dot-dot name", async () => {
    await using bench = await openBench();
    await mkdir(at(bench, "..odd"));
    await writeFile(at(bench, "..odd/x"), "");
    expect((await bench.ok(tree, {})).content).toBe("./\n  ..odd/\n    x");
  });

  it("previews how much it shows", async () => {
    await using bench = await openBench({ a: "", "b/c": "" });
    const value = await bench.ok(tree, {});
    const lines = tree.preview?.({ success: true, value } as never, 3);
    expect(lines).toEqual(["3 entries", "./", "  a"]);
  });
});
