import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeWorld } from "../__fixtures__/fake-world.ts";
import { inspectTarget } from "./inspect-target.ts";

describe("inspectTarget", () => {
  it("takes what is not there, and what is empty but for a repository", async () => {
    await using world = await fakeWorld();
    const place = { cwd: world.cwd, force: false };
    expect(inspectTarget("a/b c", place)).toEqual({ dir: join(world.cwd, "a/b c"), exists: false });
    await mkdir(join(world.cwd, ".git"));
    expect(inspectTarget(".", place)).toEqual({ dir: world.cwd, exists: true });
  });

  it("lists what is in a folder, hidden characters shown", async () => {
    await using world = await fakeWorld();
    for (let index = 0; index < 9; index += 1) await writeFile(join(world.cwd, `f${index}\u202e\n`), "");
    const place = { cwd: world.cwd, force: false };
    expect(() => inspectTarget(".", place)).toThrow("  f7\\u{202e}\\u{a}\n  and 1 more");
    expect(inspectTarget(".", { ...place, force: true })).toMatchObject({ exists: true });
  });

  it("makes no package of a package, even by force", async () => {
    await using world = await fakeWorld();
    await writeFile(join(world.cwd, "package.json"), "{}");
    expect(() => inspectTarget(".", { cwd: world.cwd, force: true })).toThrow("has a package.json");
  });

  it("refuses links, files, and what is below a file", async () => {
    await using world = await fakeWorld();
    const place = { cwd: world.cwd, force: true };
    await mkdir(join(world.cwd, "else"));
    await symlink("else", join(world.cwd, "link"));
    await symlink("gone", join(world.cwd, "broken"));
    await writeFile(join(world.cwd, "file"), "");
    expect(() => inspectTarget("link", place)).toThrow("link is a link.");
    expect(() => inspectTarget("broken", place)).toThrow("broken is a link.");
    expect(() => inspectTarget("file", place)).toThrow("is no folder");
    expect(() => inspectTarget("file/below", place)).toThrow("cannot be looked at");
  });
});
