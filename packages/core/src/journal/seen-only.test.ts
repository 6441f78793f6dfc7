import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFileSystem, type FileSystemPort } from "../confine/file-system-port.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { PlannedChange } from "./change-request.ts";
import { openChangeJournal } from "./open-change-journal.ts";

let base: string;
let root: string;
const at = (path: string): string => join(root, path);

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aiw-seen-only-"));
  root = join(base, "root");
  await mkdir(at("tree/deep"), { recursive: true });
  await writeFile(at("tree/deep/a"), "a");
  await writeFile(at("tree/b"), "b");
  await writeFile(at("c"), "c");
});
afterEach(async () => await rm(base, { recursive: true, force: true }));

/** Makes a change while somebody else meddles, right before the first file is taken away. */
async function changeMeanwhile(change: PlannedChange, meddle: () => Promise<void>): Promise<unknown> {
  let isDone = false;
  const fileSystem = {
    ...nodeFileSystem,
    lstat: async (...args: Parameters<FileSystemPort["lstat"]>) => {
      if (!isDone && String(args[0]).endsWith("/b")) {
        isDone = true;
        await meddle();
      }
      return await nodeFileSystem.lstat(...args);
    },
  } as FileSystemPort;
  const workspace = { cwd: root, roots: [root] };
  const journal = await openChangeJournal({ workspace, sessionId: "s", folder: join(base, "state") });
  await using opened = await openWorkspace(workspace, { fileSystem });
  const request = { tool: "t", title: "t", callId: "c", changes: [change] };
  return await journal.apply(opened, request).catch((error: unknown) => error);
}

describe("a tree that is deleted", () => {
  const change = { op: "delete", path: "tree", recursive: true } as const;

  it("does not go with a file that came to be after it was looked at", async () => {
    const failure = await changeMeanwhile(change, async () => await writeFile(at("tree/deep/new"), "new"));
    expect(failure).toMatchObject({ code: "conflict", message: expect.stringContaining("tree/deep/new") });
    expect(await readFile(at("tree/deep/new"), "utf8")).toBe("new");
    expect(await readFile(at("tree/deep/a"), "utf8")).toBe("a");
    expect(await readFile(at("tree/b"), "utf8")).toBe("b");
  });

  it("does not go with a file that changed after it was looked at", async () => {
    const failure = await changeMeanwhile(change, async () => await writeFile(at("tree/deep/a"), "changed"));
    expect(failure).toMatchObject({ code: "conflict", message: expect.stringContaining("tree/deep/a") });
    expect(await readFile(at("tree/deep/a"), "utf8")).toBe("changed");
    expect(await readFile(at("tree/b"), "utf8")).toBe("b");
  });
});
