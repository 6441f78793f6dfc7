import { execFileSync } from "node:child_process";
import { lstat, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { runTool, type Tool, type ToolResult } from "@aiw/core";
import { fakeContext, temporaryWorkspace, type FakeContext, type TemporaryWorkspace } from "@aiw/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { namesBelow } from "./__fixtures__/names-below.ts";
import { readCall } from "./__fixtures__/read-call.ts";
import filesystem from "./index.ts";

const SECRET = "needle of somebody else\n";
let outer: TemporaryWorkspace;
let root: string;
let fake: FakeContext;

beforeEach(async () => {
  outer = await temporaryWorkspace({
    "app/a.txt": "needle\n",
    "app/sub/b.txt": "needle\n",
    "app-old/secret.txt": SECRET,
    "secret.txt": SECRET,
  });
  root = join(outer.cwd, "app");
  fake = fakeContext({ workspace: { cwd: root, roots: [root] } });
});
afterEach(async () => {
  await fake[Symbol.asyncDispose]();
  await outer[Symbol.asyncDispose]();
});

function find(name: string): Tool {
  const tool = filesystem.tools.find(({ spec }) => spec.name === name) as Tool | undefined;
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

async function call(name: string, input: object): Promise<ToolResult> {
  return await runTool(find(name), input, fake.environment);
}

const outcome = (result: ToolResult): string => (result.success ? "done" : result.code);

type Calls = readonly (readonly [tool: string, argument: string, toInput: (path: string) => object])[];

/** Every argument that is a path, in calls that would do something there. */
const paths: Calls = [
  ["read", "file_paths", (path) => ({ file_paths: [path] })],
  ["read_file", "path", (path) => ({ path })],
  ["list", "path", (path) => ({ path })],
  ["tree", "paths", (path) => ({ paths: [path] })],
  ["grep", "path", (path) => ({ pattern: "needle", path })],
  ["glob", "path", (path) => ({ patterns: ["**/*"], path })],
  ["write", "path", (path) => ({ path, content: "x", mode: "append" })],
  ["edit", "path", (path) => ({ path, edits: [{ old_text: "needle", new_text: "x" }] })],
  ["apply_patch", "path", (path) => ({ path, patch: "@@\n-needle\n+x\n" })],
  ["move", "from", (path) => ({ from: path, to: "taken" })],
  ["move", "to", (path) => ({ from: "a.txt", to: path, overwrite: true })],
  ["copy", "from", (path) => ({ from: path, to: "taken", recursive: true })],
  ["copy", "to", (path) => ({ from: "a.txt", to: path, overwrite: true })],
  ["delete", "paths", (path) => ({ paths: [path], recursive: true, allow_irreversible: true })],
];

/** The same for patches that name their files. */
const patches: Calls = [
  ["apply_patch", "Add File", (path) => ({ patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n` })],
  [
    "apply_patch",
    "Update File",
    (path) => ({ patch: `*** Begin Patch\n*** Update File: ${path}\n@@\n-needle\n+x\n*** End Patch\n` }),
  ],
  ["apply_patch", "Delete File", (path) => ({ patch: `*** Begin Patch\n*** Delete File: ${path}\n*** End Patch\n` })],
  [
    "apply_patch",
    "Move to",
    (path) => ({ patch: `*** Begin Patch\n*** Update File: a.txt\n*** Move to: ${path}\n*** End Patch\n` }),
  ],
  [
    "apply_patch",
    "rename to",
    (path) => ({
      patch: `diff --git a/a.txt b/${path}\nrename from a.txt\nrename to ${path}\n--- a/a.txt\n+++ b/${path}\n@@ -1 +1 @@\n-needle\n+x\n`,
    }),
  ],
];

async function snapshot(): Promise<readonly string[]> {
  const names = await namesBelow(outer.cwd);
  const lines = names.map(async (name) => {
    const path = join(outer.cwd, name);
    return `${name} ${(await lstat(path)).isFile() ? await readFile(path, "utf8") : ""}`;
  });
  return (await Promise.all(lines)).toSorted();
}

describe("every path of every tool", () => {
  it.each([...paths, ...patches])(
    "wide directories: %s %s grants nothing (SEC-FS-7)",
    async (name, _argument, toInput) => {
      await call("read", { file_paths: ["a.txt"] });
      const before = await snapshot();
      for (const path of [
        "/",
        "..",
        "../",
        "~",
        "/etc",
        "sub/../..",
        outer.cwd,
        `${root}-old`,
        `${root}-old/secret.txt`,
        "../secret.txt",
      ]) {
        const result = await call(name, toInput(path));
        expect([path, outcome(result)]).toEqual([
          path,
          expect.stringMatching(/^(outside_root|protected_path|invalid_patch)$/u),
        ]);
        expect(JSON.stringify(result)).not.toContain("somebody else");
      }
      expect(await snapshot()).toEqual(before);
    },
  );

  it.each([...paths, ...patches])(
    "linked parent: %s %s does not get out by it (SEC-FS-3)",
    async (name, argument, toInput) => {
      await call("read", { file_paths: ["a.txt"] });
      await symlink("..", join(root, "up"));
      await symlink("../secret.txt", join(root, "sub/link"));
      const before = await snapshot();
      for (const path of ["up/secret.txt", "up/app-old", "up//", "up/new/x"]) {
        // A link is moved, copied and deleted itself.
        if (path === "up//" && ["from", "paths"].includes(argument) && name !== "tree") continue;
        const result = await call(name, toInput(path));
        expect([path, outcome(result)]).toEqual([path, expect.stringMatching(/^(outside_root|protected_path)$/u)]);
      }
      expect(await snapshot()).toEqual(before);
    },
  );

  it.each(paths)("NUL in a path: %s %s is invalid_path, never stripped", async (name, _argument, toInput) => {
    const before = await snapshot();
    for (const path of ["a.txt\0", "a\0.txt", "\0"])
      expect(outcome(await call(name, toInput(path)))).toBe("invalid_path");
    expect(await snapshot()).toEqual(before);
  });
});

describe("protected names", () => {
  const names = [".git", ".git/config", "sub/.GIT/x", ".gitattributes", "sub/.gitattributes", "aiw.lock", ".aiw/x"];

  /** What is not there, or is a folder, may be said before what is protected. */
  const refusals = (path: string, isThere: boolean): RegExp => {
    if (!isThere) return /^(protected_path|not_found)$/u;
    if (path.includes(".git/")) return /^(protected_path|no_match|not_found)$/u;
    return path === ".git" ? /^(protected_path|not_a_file|not_found)$/u : /^protected_path$/u;
  };

  it.each([...paths.slice(6), ...patches])(
    "%s %s writes nothing there, whatever is there (SEC-FS-9)",
    async (name, argument, toInput) => {
      if (name === "copy" && argument === "from") return;
      for (const path of names) {
        for (const isThere of [false, true]) {
          if (isThere) {
            await mkdir(join(root, path, ".."), { recursive: true });
            if (path !== ".git") await writeFile(join(root, path), "needle\n");
            else await mkdir(join(root, path), { recursive: true });
            await call("read", { file_paths: ["a.txt", path] });
          }
          const before = await snapshot();
          const result = await call(name, toInput(path));
          expect([path, isThere, outcome(result)]).toEqual([
            path,
            isThere,
            expect.stringMatching(refusals(path, isThere)),
          ]);
          expect(await snapshot()).toEqual(before);
          await rm(join(root, path), { recursive: true, force: true });
          await rm(join(root, ".git"), { recursive: true, force: true });
        }
      }
    },
  );
});

describe.runIf(process.platform === "linux")("FIFO, socket, device", () => {
  const opening: Calls = [...paths, ...patches].filter(([name, argument]) => {
    return (
      !["list", "tree", "glob", "delete", "move"].includes(name) &&
      !["to", "Move to", "Add File", "rename to"].includes(argument)
    );
  });

  it.each(opening)(
    "%s %s: not_regular_file, without blocking (SEC-FS-5)",
    { timeout: 20_000 },
    async (name, _argument, toInput) => {
      execFileSync("mkfifo", [join(root, "pipe")]);
      await symlink("pipe", join(root, "to-pipe"));
      const server = createServer().listen(join(root, "socket"));
      try {
        await new Promise((resolve) => server.once("listening", resolve));
        const before = await snapshot();
        for (const path of ["pipe", "socket", ...(name === "copy" ? [] : ["to-pipe"])]) {
          expect([path, outcome(await call(name, toInput(path)))]).toEqual([path, "not_regular_file"]);
        }
        expect(await snapshot()).toEqual(before);
      } finally {
        await new Promise((resolve) => server.close(resolve));
      }
    },
  );
});

describe("every failure of a path", () => {
  const patch = "*** Begin Patch\n*** Update File: a.txr\n@@\n-needle\n+x\n*** End Patch\n";
  const failures: readonly (readonly [name: string, input: object, code: string])[] = [
    ["read", { file_paths: ["a.txr"] }, "not_found"],
    ["read", { file_paths: ["a.txr", "nowhere"] }, "not_found"],
    ["read", { file_paths: ["subs/b.txt"] }, "not_found"],
    ["read", { file_paths: ["nowhere [x]!*?.md"] }, "not_found"],
    ["read", { file_paths: ["to-nothing"] }, "not_found"],
    ["read", { file_paths: ["../secret.txt"] }, "outside_root"],
    ["read", { file_paths: ["a.txt"], offset: 9 }, "offset_out_of_range"],
    ["read_file", { path: "a.txr", encoding: "auto" }, "not_found"],
    ["read_file", { path: "sub" }, "not_a_file"],
    ["list", { path: "sbu", long: true }, "not_found"],
    ["list", { path: "a.txt" }, "not_a_directory"],
    ["tree", { paths: ["sbu"], depth: 2 }, "not_found"],
    ["tree", { paths: ["a.txt"] }, "not_a_directory"],
    ["glob", { patterns: ["*"], path: "sbu" }, "not_found"],
    ["glob", { patterns: ["*"], path: "a.txt" }, "not_a_directory"],
    ["grep", { pattern: 'need"le', path: "sbu", output_mode: "files" }, "not_found"],
    ["grep", { pattern: "needle(" }, "invalid_regex"],
    ["grep", { pattern: "needle\n" }, "invalid_regex"],
    ["grep", { pattern: "needle", path: "a.txt", max_file_bytes: 2 }, "too_large"],
    ["grep", { pattern: "needle", type: "klingon" }, "invalid_input"],
    ["grep", { pattern: "needle", encoding: "klingon" }, "invalid_input"],
    ["write", { path: "a.txt", content: "x" }, "already_exists"],
    ["write", { path: "a.txt", content: "x", mode: "overwrite" }, "unread_target"],
    ["write", { path: "sub", content: "x" }, "not_a_file"],
    ["edit", { path: "a.txr", edits: [{ old_text: "a", new_text: "b" }] }, "not_found"],
    ["edit", { path: "a.txt", edits: [{ old_text: "wheedle", new_text: "b" }] }, "no_match"],
    ["edit", { path: "a.txt", line_edits: [{ op: "delete", line: 1 }] }, "unread_target"],
    ["edit", { path: "sub", edits: [{ old_text: "a", new_text: "b" }] }, "not_a_file"],
    ["apply_patch", { patch }, "not_found"],
    ["apply_patch", { patch: patch.replace("txr", "txt").replace("needle", "needle ") }, "unread_target"],
    ["move", { from: "a.txr", to: "c.txt" }, "not_found"],
    ["move", { from: "a.txt", to: "sub/b.txt" }, "already_exists"],
    ["copy", { from: "sub", to: "bus" }, "not_a_file"],
    ["delete", { paths: ["a.txr"] }, "not_found"],
    ["delete", { paths: ["sub"] }, "not_a_file"],
    ["undo", {}, "nothing_to_undo"],
    ["redo", {}, "nothing_to_undo"],
  ];

  it.each(failures)("%s %j: %s, with a call that works", async (name, input, code) => {
    await symlink("gone/b.txt", join(root, "to-nothing"));
    const failed = await call(name, input);
    expect(outcome(failed)).toBe(code);
    const suggestion = failed.success ? "" : (failed.suggestion ?? "");
    const next = readCall(suggestion);
    expect(next, suggestion).toBeDefined();
    if (next !== undefined)
      expect([suggestion, outcome(await call(next.name, next.input))]).toEqual([suggestion, "done"]);
  });

  it.each(failures)("%s %j is previewed in at most three lines", async (name, input) => {
    const { preview } = await call(name, input);
    expect(preview.length).toBeGreaterThan(0);
    expect(preview.length).toBeLessThanOrEqual(3);
    expect(preview.join("")).not.toMatch(/[\n\r\t]/u);
  });
});
