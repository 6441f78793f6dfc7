import { symlink, utimes, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { authorPackage, touch } from "../../__fixtures__/author-package.ts";
import { findNewerSource } from "./check-freshness.ts";
import { readAuthorPackage } from "./read-author-package.ts";

const FILES = { "src/index.ts": "", "node_modules/x/index.ts": "" };

describe("findNewerSource", () => {
  it("names a file of the package, and none of what it has installed or takes from beside it", async () => {
    await using elsewhere = await temporaryWorkspace();
    await using workspace = await authorPackage({}, FILES);
    const author = await readAuthorPackage(workspace.cwd);
    const beside = path.join(elsewhere.cwd, "beside.ts");
    await writeFile(beside, "");
    const later = Date.now() / 1000 + 60;
    await utimes(beside, later, later);
    for (const file of Object.keys(FILES)) await touch(workspace, file, 60);
    const installed = workspace.path("node_modules/x/index.ts");
    expect(findNewerSource(author, [beside, installed])).toBeUndefined();
    expect(findNewerSource(author, [beside, installed, workspace.path("src/index.ts")])).toBe(
      workspace.path("src/index.ts"),
    );
  });

  it("knows the package by its own path and by a link to it", async () => {
    await using elsewhere = await temporaryWorkspace();
    await using workspace = await authorPackage({}, FILES);
    await symlink(workspace.cwd, path.join(elsewhere.cwd, "linked"));
    await touch(workspace, "src/index.ts", 60);
    const author = await readAuthorPackage(path.join(elsewhere.cwd, "linked"));
    const source = workspace.path("src/index.ts");
    expect(findNewerSource(author, [source])).toBe(source);
  });
});
