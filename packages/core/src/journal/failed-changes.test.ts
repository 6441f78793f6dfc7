import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFileSystem, type FileSystemPort } from "../confine/file-system-port.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { ChangeJournal } from "./change-journal.ts";
import type { PlannedChange } from "./change-request.ts";
import { openChangeJournal } from "./open-change-journal.ts";

let base: string;
let root: string;
let journal: ChangeJournal;
const roots = () => ({ cwd: root, roots: [root] });
const open = async (): Promise<ChangeJournal> =>
  await openChangeJournal({ workspace: roots(), sessionId: "s", folder: join(base, "state") });
const write = (path: string, text: string): PlannedChange => {
  return { op: "write", path, content: new TextEncoder().encode(text), options: { mode: "overwrite" } };
};
const apply = async (changes: PlannedChange[], fileSystem: FileSystemPort = nodeFileSystem): Promise<unknown> => {
  await using workspace = await openWorkspace(roots(), { fileSystem });
  return await journal
    .apply(workspace, { tool: "t", title: "t", callId: "c", changes })
    .catch((error: unknown) => error);
};
const revert = async (direction: "undo" | "redo") => {
  await using workspace = await openWorkspace(roots());
  return await journal.revert(workspace, { direction });
};
const text = async (path: string): Promise<string> => await readFile(join(root, path), "utf8");

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aiw-failed-"));
  root = join(base, "root");
  await mkdir(root);
  await writeFile(join(root, "a"), "old");
  journal = await open();
  await apply([write("a", "new")]);
  await revert("undo");
});
afterEach(async () => await rm(base, { recursive: true, force: true }));

describe("a change that fails", () => {
  const failing = (code: string): FileSystemPort => {
    return {
      ...nodeFileSystem,
      rename: async () => {
        throw Object.assign(new Error(`${code}: injected`), { code });
      },
      link: async () => {
        throw Object.assign(new Error(`${code}: injected`), { code });
      },
    };
  };

  it.each(["ENOSPC", "EIO"])(
    "with %s in the middle leaves what can be made again, also for a later process",
    async (code) => {
      expect(await apply([write("a", "failing"), write("b", "failing")], failing(code))).toBeInstanceOf(Error);
      journal = await open();
      expect(await revert("redo")).toMatchObject({ reverted: [{ op: "restored" }], conflicts: [] });
      expect(await text("a")).toBe("new");
    },
  );

  it("with a conflict leaves it, too", async () => {
    // What is there by now is nothing to move to.
    const failure = await apply([write("b", "1"), { op: "move", from: "b", to: "a" }]);
    expect(failure).toMatchObject({ code: "already_exists" });
    expect(await revert("redo")).toMatchObject({ conflicts: [] });
    expect(await text("a")).toBe("new");
  });

  it("ends nothing, but one that was made does", async () => {
    await apply([write("b", "made")]);
    await expect(revert("redo")).rejects.toMatchObject({ code: "nothing_to_undo" });
    expect(await text("a")).toBe("old");
  });
});

describe("bytes that were forgotten", () => {
  it("are kept again by a later process that replaces them", async () => {
    await apply([write("a", "known")]);
    for (let call = 0; call < 101; call += 1) await apply([write("b", `${call}`)]);
    journal = await open();
    await apply([write("a", "last")]);
    expect(await revert("undo")).toMatchObject({ conflicts: [] });
    expect(await text("a")).toBe("known");
  });
});
