import { chmod, lstat, mkdir, readlink, rm, symlink, writeFile } from "node:fs/promises";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { restoreFiles, snapshotFiles } from "./snapshot-files.ts";

describe("restoreFiles", () => {
  it("puts bytes, modes and links back, and takes away what was not there", async () => {
    await using project = await temporaryWorkspace({
      "package.json": "\uFEFF{}\r\n",
      "shared/yarn.lock": "a lock",
      ".yarn/cache/old.zip": "old",
    });
    await chmod(project.path("package.json"), 0o640);
    await symlink("shared/yarn.lock", project.path("yarn.lock"));
    await project.mark();
    const kept: string[] = [];
    const before = await snapshotFiles([project.cwd], async (file) => void kept.push(file));
    await writeFile(project.path("package.json"), "{}");
    await chmod(project.path("package.json"), 0o600);
    await writeFile(project.path("shared/yarn.lock"), "another");
    await rm(project.path("yarn.lock"));
    await writeFile(project.path("yarn.lock"), "no link");
    await writeFile(project.path("pnpm-lock.yaml"), "new");
    await mkdir(project.path(".yarn/cache"), { recursive: true });
    await writeFile(project.path(".yarn/cache/new.zip"), "new");
    expect(await restoreFiles(before)).toEqual([]);
    expect(await project.changes()).toEqual({ added: [], changed: [], removed: [] });
    expect(await readlink(project.path("yarn.lock"))).toBe("shared/yarn.lock");
    expect((await lstat(project.path("package.json"))).mode & 0o777).toBe(0o640);
    expect(kept).toContain(project.path("package.json"));
  });

  it("names what cannot be put back", async () => {
    await using project = await temporaryWorkspace({ "package.json": "{}" });
    const before = await snapshotFiles([project.cwd], async () => undefined);
    await rm(project.path("package.json"));
    await mkdir(project.path("package.json"));
    await writeFile(project.path("package.json/file"), "");
    expect(await restoreFiles(before)).toEqual([project.path("package.json")]);
  });
});
