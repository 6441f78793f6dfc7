import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, describe, it, onTestFinished } from "vitest";
import { loadOwnDoor } from "./own-doors.ts";

const EXECUTOR = path.resolve(import.meta.dirname, "..");

/** A project with a package `@aiw/made-up` of its own. */
async function makeProject(): Promise<string> {
  const dir = await mkdtemp(path.join(tmpdir(), "aiw-doors-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const folder = path.join(dir, "node_modules/@aiw/made-up");
  await mkdir(folder, { recursive: true });
  const manifest = { name: "@aiw/made-up", type: "module", exports: { "./door": "./door.js" } };
  await writeFile(path.join(folder, "package.json"), JSON.stringify(manifest));
  await writeFile(path.join(folder, "door.js"), "globalThis.madeUpDoorRan = true; export const configure = 1;");
  return dir;
}

describe("loadOwnDoor", () => {
  it("runs no code of a project that merely lies there (SEC-CFG-2)", async () => {
    expect(await loadOwnDoor("@aiw/made-up/door", await makeProject())).toBeUndefined();
    expect(globalThis).not.toHaveProperty("madeUpDoorRan");
  });

  it("loads from the project that this package is installed in", async () => {
    const dir = await makeProject();
    await symlink(EXECUTOR, path.join(dir, "node_modules/@aiw/executor"));
    expect(await loadOwnDoor("@aiw/made-up/door", dir)).toMatchObject({ configure: 1 });
    expect(await loadOwnDoor("@aiw/made-up/other", dir)).toBeUndefined();
  });
});
