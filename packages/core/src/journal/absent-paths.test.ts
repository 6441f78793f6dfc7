import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFileSystem, type FileSystemPort } from "../confine/file-system-port.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { PlannedChange } from "./change-request.ts";
import { openChangeJournal } from "./open-change-journal.ts";

const FILES = 40;
const MOST_LISTINGS = 5;
let base: string;
let root: string;
let listings: number;
const names = Array.from({ length: FILES }, (_, index) => `file-${index}`);
const fileSystem = {
  ...nodeFileSystem,
  opendir: async (...args: Parameters<FileSystemPort["opendir"]>) => {
    listings += 1;
    return await nodeFileSystem.opendir(...args);
  },
} as FileSystemPort;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aiw-absent-paths-"));
  root = join(base, "root");
  await mkdir(join(root, "d"), { recursive: true });
});
afterEach(async () => await rm(base, { recursive: true, force: true }));

describe("many paths at which nothing stands", () => {
  it("are deleted and come back without a listing of their folder for each", async () => {
    for (const name of names) await writeFile(join(root, "d", name), "");
    await symlink("nowhere", join(root, "d/dangling"));
    const workspace = { cwd: root, roots: [root] };
    const journal = await openChangeJournal({ workspace, sessionId: "s", folder: join(base, "state") });
    await using opened = await openWorkspace(workspace, { fileSystem });
    const changes: PlannedChange[] = [...names, "dangling"].map((name) => ({ op: "delete", path: `d/${name}` }));
    await journal.apply(opened, { tool: "t", title: "t", callId: "c", changes });
    expect(await readdir(join(root, "d"))).toEqual([]);
    listings = 0;
    await journal.revert(opened, { direction: "undo", count: FILES + 1 });
    expect(await readdir(join(root, "d"))).toHaveLength(FILES + 1);
    expect(listings).toBeLessThanOrEqual(MOST_LISTINGS);
  });

  it("are created without a listing of their folder for each", async () => {
    const workspace = { cwd: root, roots: [root] };
    const journal = await openChangeJournal({ workspace, sessionId: "s", folder: join(base, "state") });
    await using opened = await openWorkspace(workspace, { fileSystem });
    const changes = names.map((name): PlannedChange => ({ op: "write", path: `d/${name}`, content: new Uint8Array() }));
    listings = 0;
    await journal.apply(opened, { tool: "t", title: "t", callId: "c", changes });
    expect(await readdir(join(root, "d"))).toHaveLength(FILES);
    expect(listings).toBeLessThanOrEqual(MOST_LISTINGS);
  });
});
