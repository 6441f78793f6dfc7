import { mkdirSync, symlinkSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findReadable } from "./find-readable.ts";

async function makeTree(folders: readonly string[], links: Readonly<Record<string, string>>): Promise<string> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "aiw-readable-")));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const folder of folders) mkdirSync(path.join(root, folder), { recursive: true });
  for (const [link, target] of Object.entries(links)) symlinkSync(path.join(root, target), path.join(root, link));
  return root;
}

describe("findReadable", () => {
  it("names a flat installation's folder of packages, and not the project", async () => {
    const root = await makeTree(["project/node_modules/tools", "project/src"], {});
    expect(
      findReadable([path.join(root, "project/node_modules/tools")]).map((place) => path.relative(root, place)),
    ).toEqual(["project/node_modules/tools", "project/node_modules"]);
  });

  it("follows links to packages elsewhere, and from there on", async () => {
    const root = await makeTree(
      ["store/a/node_modules/a", "store/b/node_modules/b", "project/node_modules", "linked/c", "secret"],
      {
        "project/node_modules/a": "store/a/node_modules/a",
        "store/a/node_modules/b": "store/b/node_modules/b",
        "store/b/node_modules/c": "linked/c",
      },
    );
    const found = findReadable([path.join(root, "project/node_modules/a")]).map((place) => path.relative(root, place));
    expect(found).toEqual(expect.arrayContaining(["store/a/node_modules", "store/b/node_modules/b", "linked/c"]));
    expect(found).not.toContain("secret");
    expect(found).not.toContain("project");
  });

  it("gives nothing but the folder itself where nothing is installed", async () => {
    const root = await makeTree(["alone"], {});
    expect(findReadable([path.join(root, "alone")])).toEqual([path.join(root, "alone")]);
  });
});
