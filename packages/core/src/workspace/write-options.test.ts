import {
  link,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWorkspace, type Workspace } from "./workspace.ts";

let root: string;
let workspace: Workspace;
const at = (path: string): string => join(root, path);

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "aiw-options-")));
  workspace = await openWorkspace({ cwd: root, roots: [root] });
});
afterEach(async () => {
  await workspace[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

describe("writeFile", () => {
  it.each(["create", "overwrite"] as const)("gives bits and time to a file it writes to %s", async (mode) => {
    if (mode === "overwrite") await writeFile(at("a"), "old", { mode: 0o600 });
    await workspace.writeFile("a", "new", { mode, permissions: 0o751, modifiedAt: 1_400_000_000_500 });
    const facts = await stat(at("a"));
    expect([facts.mode & 0o777, Math.round(facts.mtimeMs)]).toEqual([0o751, 1_400_000_000_500]);
  });

  it("gives bits and time to a file whose content stays", async () => {
    await writeFile(at("a"), "same", { mode: 0o600 });
    await workspace.writeFile("a", "same", { mode: "overwrite", permissions: 0o640, modifiedAt: 1_400_000_000_000 });
    const facts = await stat(at("a"));
    expect([facts.mode & 0o777, Math.round(facts.mtimeMs)]).toEqual([0o640, 1_400_000_000_000]);
  });

  it("takes content in blocks", async () => {
    await writeFile(at("a"), "old ");
    async function* blocks(): AsyncGenerator<Uint8Array> {
      for (const text of ["one ", "two"]) yield new TextEncoder().encode(text);
    }
    expect(await workspace.writeFile("a", blocks, { mode: "append" })).toMatchObject({
      bytesWritten: 7,
      created: false,
    });
    expect(await readFile(at("a"), "utf8")).toBe("old one two");
  });

  it("hard link: is written through where links are kept, and detached otherwise", async () => {
    await writeFile(at("a"), "old");
    await link(at("a"), at("b"));
    const kept = await workspace.writeFile("a", "new", { mode: "overwrite", hardLinks: "keep" });
    expect([kept.notices, await readFile(at("b"), "utf8")]).toEqual([["written_in_place"], "new"]);
    const detached = await workspace.writeFile("a", "newer", { mode: "overwrite" });
    expect([detached.notices, await readFile(at("b"), "utf8")]).toEqual([["hard_link_detached"], "new"]);
  });

  it("refuses a path that leads elsewhere than its caller saw", async () => {
    await symlink("b", at("a"));
    const write = workspace.writeFile("a", "x", { expectedRealPath: at("a") });
    await expect(write).rejects.toMatchObject({ code: "path_changed" });
    expect(await readdir(root)).toEqual(["a"]);
  });
});

describe("symlink", () => {
  it("makes a link with any text, and never in place of something", async () => {
    await workspace.symlink("../outside", "a");
    expect(await readlink(at("a"))).toBe("../outside");
    await expect(workspace.symlink("b", "a")).rejects.toMatchObject({ code: "already_exists" });
    await expect(workspace.symlink("b", "n/a")).rejects.toMatchObject({ code: "not_found" });
    await expect(workspace.symlink("b", ".git/hooks")).rejects.toMatchObject({ code: "protected_path" });
  });
});

describe("mkdir", () => {
  it("gives bits to a folder, also to one that is there", async () => {
    await workspace.mkdir("a/b", { recursive: true, permissions: 0o711 });
    await workspace.mkdir("a", { recursive: true, permissions: 0o700 });
    expect([(await lstat(at("a/b"))).mode & 0o777, (await lstat(at("a"))).mode & 0o777]).toEqual([0o711, 0o700]);
  });
});
