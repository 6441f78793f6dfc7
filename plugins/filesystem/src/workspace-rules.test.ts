import { readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { runTool, type Tool, type ToolResult, type WorkspaceRoots } from "@aiw/core";
import { fakeContext, temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import filesystem from "./index.ts";

const SECRET = "needle in a secret";
let folder: TemporaryWorkspace;

beforeEach(async () => {
  folder = await temporaryWorkspace({
    "src/free.txt": "needle in the open\n",
    "src/keys/one.pem": SECRET,
    "src/.env": SECRET,
    "vendor/lib.js": "needle in a library\n",
    ".git": "gitdir: ../main/.git/worktrees/here\n",
    "aiw.lock": "{}",
  });
  await symlink("src/keys/one.pem", `${folder.cwd}/plain.txt`);
});
afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

async function call(
  name: string,
  input: object,
  rules: Partial<WorkspaceRoots>,
  options?: object,
): Promise<ToolResult> {
  await using fake = fakeContext({ workspace: { ...folder, ...rules }, ...(options && { options }) });
  const tool = filesystem.tools.find(({ spec }) => spec.name === name) as Tool | undefined;
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return await runTool(tool, input, fake.environment);
}

async function snapshot(): Promise<unknown> {
  const entries = await readdir(folder.cwd, { recursive: true, withFileTypes: true });
  const facts = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    return [path, entry.isFile() ? await readFile(path, "utf8") : undefined];
  });
  return (await Promise.all(facts)).toSorted();
}

const code = (result: ToolResult): unknown => (result.success ? "done" : result.code);
const patch = (path: string): string => `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n`;

/** What each tool needs to touch one path. */
const reading: [string, (path: string) => object][] = [
  ["read_file", (path) => ({ path })],
  ["list", (path) => ({ path })],
  ["tree", (path) => ({ paths: [path] })],
  ["grep", (path) => ({ pattern: "needle", path })],
  ["copy", (path) => ({ from: path, to: "elsewhere" })],
];
const writing: [string, (path: string) => object][] = [
  ["write", (path) => ({ path, content: "x", mode: "overwrite" })],
  ["edit", (path) => ({ path, edits: [{ old_text: "needle", new_text: "x" }] })],
  ["apply_patch", (path) => ({ patch: patch(path) })],
  ["move", (path) => ({ from: path, to: "elsewhere" })],
  ["move", (path) => ({ from: "src/free.txt", to: path, overwrite: true })],
  ["copy", (path) => ({ from: "src/free.txt", to: path, overwrite: true })],
  ["delete", (path) => ({ paths: [path], recursive: true })],
];

/** The same in dry runs, of those that have them. */
const attempts: [name: string, how: string, toInput: (path: string) => object][] = [
  ...writing.map(([name, toInput]): [string, string, (path: string) => object] => [name, "", toInput]),
  ...writing
    .filter(([name]) => ["write", "edit", "apply_patch"].includes(name))
    .map(([name, toInput]): [string, string, (path: string) => object] => {
      return [name, " in a dry run", (path) => ({ ...toInput(path), dry_run: true })];
    }),
];

describe("deny rules of a workspace", () => {
  const deny = ["**/*.pem", ".env"];

  it.each([...reading, ...writing])("hold for %s (SEC-FS-8)", async (name, toInput) => {
    for (const path of ["src/keys/one.pem", "src/./keys/../keys/ONE.pem", "src/.env", "new.pem"]) {
      const result = await call(name, toInput(path), { deny });
      expect(code(result), path).toBe("denied_by_policy");
      expect(JSON.stringify(result)).not.toContain(SECRET);
    }
  });

  it("hold for several files read at once, and for links", async () => {
    const result = await call("read", { file_paths: ["src/free.txt", "plain.txt"] }, { deny });
    expect(JSON.stringify(result)).toContain("denied_by_policy");
    expect(JSON.stringify(result)).not.toContain(SECRET);
  });

  it.each(["auto", "builtin"])("keep what they deny out of searches with engine %s", async (engine) => {
    const options = { search_engine: engine };
    for (const mode of ["content", "files", "count", "matches"]) {
      const found = JSON.stringify(
        await call("grep", { pattern: "needle", output_mode: mode, no_ignore: true }, { deny }, options),
      );
      expect(found).toContain("free.txt");
      expect(found).not.toMatch(/pem|\.env|secret/u);
    }
    for (const kind of ["file", "any"]) {
      const found = await call("glob", { patterns: ["**/*", "src/keys/one.pem"], kind }, { deny }, options);
      expect(JSON.stringify(found)).not.toMatch(/pem|\.env/u);
    }
    for (const name of ["list", "tree"]) {
      const found = await call(
        name,
        { ...(name === "list" ? { path: "src" } : { paths: ["src"] }) },
        { deny },
        options,
      );
      expect(code(found)).toBe("done");
      expect(JSON.stringify(found)).not.toMatch(/pem|\.env/u);
    }
  });
});

describe("read-only folders of a workspace", () => {
  it.each(attempts)("are the reason %s gives first%s", async (name, _, toInput) => {
    const before = await snapshot();
    for (const path of ["vendor/lib.js", "vendor/new.js"]) {
      expect(code(await call(name, toInput(path), { readOnly: ["vendor"] })), path).toBe("denied_by_policy");
    }
    expect(await snapshot()).toEqual(before);
    expect(code(await call("read_file", { path: "vendor/lib.js" }, { readOnly: ["vendor"] }))).toBe("done");
  });
});

describe("protected names", () => {
  it.each(attempts)("are the reason %s gives first%s, .git as a file too (SEC-FS-9)", async (name, _, toInput) => {
    const before = await snapshot();
    for (const path of [
      ".git",
      ".git/",
      ".GIT",
      "sub/.git/config",
      "aiw.lock",
      "AIW.lock",
      ".gitattributes",
      "sub/.git ",
    ]) {
      expect(code(await call(name, toInput(path), {})), path).toBe("protected_path");
    }
    expect(await snapshot()).toEqual(before);
  });
});
