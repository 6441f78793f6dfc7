import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeWorld } from "../__fixtures__/fake-world.ts";
import { writePackage } from "./write-package.ts";

const FILES = [
  { path: ".gitignore", text: "a" },
  { path: "package.json", text: "{}" },
  { path: "src/deep/index.ts", text: "b" },
];

/** A signal that aborts when it has been asked a number of times. */
function abortsAfter(times: number): AbortSignal {
  const stop = new AbortController();
  let asked = 0;
  const throwIfAborted = stop.signal.throwIfAborted.bind(stop.signal);
  stop.signal.throwIfAborted = () => {
    if (asked++ >= times) stop.abort();
    throwIfAborted();
  };
  return stop.signal;
}

const tree = async (dir: string): Promise<string[]> => (await readdir(dir, { recursive: true })).toSorted();

describe("writePackage", () => {
  it("makes a folder and those on the way to it, with ordinary modes", async () => {
    await using world = await fakeWorld();
    const dir = join(world.cwd, "a b/c#/d");
    expect(await writePackage({ dir, exists: false }, FILES, world.signal)).toEqual({ kept: [] });
    expect(await tree(dir)).toEqual([".gitignore", "package.json", "src", "src/deep", "src/deep/index.ts"]);
    await mkdir(join(world.cwd, "plain"));
    expect((await stat(dir)).mode).toBe((await stat(join(world.cwd, "plain"))).mode);
  });

  it("adds to a folder, and changes nothing in it", async () => {
    await using world = await fakeWorld();
    await writeFile(join(world.cwd, ".gitignore"), "mine");
    await mkdir(join(world.cwd, "src"));
    const written = await writePackage({ dir: world.cwd, exists: true }, FILES, world.signal);
    expect(written).toEqual({ kept: [".gitignore"] });
    expect(await readFile(join(world.cwd, ".gitignore"), "utf8")).toBe("mine");
    expect(await readFile(join(world.cwd, "src/deep/index.ts"), "utf8")).toBe("b");
  });

  it.each([0, 1, 2, 3, 4])("leaves everything as it was when it is interrupted at step %i", async (step) => {
    await using world = await fakeWorld();
    await mkdir(join(world.cwd, "there/src"), { recursive: true });
    const before = await tree(world.cwd);
    const targets = step < 4 ? ["there", "a/new"] : ["a/new"];
    for (const name of targets) {
      const target = { dir: join(world.cwd, name), exists: name === "there" };
      await expect(writePackage(target, FILES, abortsAfter(step))).rejects.toMatchObject({ exitCode: 130 });
      expect(await tree(world.cwd)).toEqual(before);
    }
  });

  it("takes out what it added when a file is in the way of a folder", async () => {
    await using world = await fakeWorld();
    await writeFile(join(world.cwd, "src"), "a file");
    const target = { dir: world.cwd, exists: true };
    await expect(writePackage(target, FILES, world.signal)).rejects.toMatchObject({
      exitCode: 1,
      message: expect.stringContaining("should be a folder"),
    });
    expect(await tree(world.cwd)).toEqual(["src"]);
  });

  it("follows no link out of the folder, whether it leads to a folder, a file or nowhere", async () => {
    await using world = await fakeWorld();
    const dir = join(world.cwd, "package");
    await mkdir(join(world.cwd, "outside"));
    await mkdir(dir);
    await symlink("../outside/made", join(dir, ".gitignore"));
    await symlink("../outside", join(dir, "src"));
    await expect(writePackage({ dir, exists: true }, FILES, world.signal)).rejects.toMatchObject({ exitCode: 1 });
    expect(await tree(join(world.cwd, "outside"))).toEqual([]);
    expect(await tree(dir)).toEqual([".gitignore", "src"]);
  });

  it("leaves a folder alone that appeared meanwhile", async () => {
    await using world = await fakeWorld();
    const dir = join(world.cwd, "raced");
    await mkdir(dir);
    await writeFile(join(dir, "theirs"), "x");
    await expect(writePackage({ dir, exists: false }, FILES, world.signal)).rejects.toMatchObject({ exitCode: 1 });
    expect(await tree(world.cwd)).toEqual(["raced", "raced/theirs"]);
  });

  it("leaves no folder behind on the way to one that cannot be", async () => {
    await using world = await fakeWorld();
    const dir = join(world.cwd, "a", "b", "x".repeat(300), "c");
    await expect(writePackage({ dir, exists: false }, FILES, world.signal)).rejects.toMatchObject({ exitCode: 1 });
    expect(await tree(world.cwd)).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)("says that a folder cannot be written to", async () => {
    await using world = await fakeWorld();
    await chmod(world.cwd, 0o500);
    try {
      const target = { dir: join(world.cwd, "x"), exists: false };
      await expect(writePackage(target, FILES, world.signal)).rejects.toMatchObject({ exitCode: 1 });
    } finally {
      await chmod(world.cwd, 0o700);
    }
  });
});
