import {
  chmod,
  link,
  lstat,
  lutimes,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nodeFileSystem, type FileSystemPort } from "../confine/file-system-port.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import type { ChangeJournal } from "./change-journal.ts";
import type { PlannedChange } from "./change-request.ts";
import { openChangeJournal } from "./open-change-journal.ts";
import { runs, timeFor } from "../__fixtures__/property-runs.ts";

const RUNS = runs(40);

let base: string;
let root: string;
const at = (path: string): string => join(root, path);

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aiw-deleted-trees-"));
  root = join(base, "root");
  await mkdir(root);
});
afterEach(async () => await rm(base, { recursive: true, force: true }));

/** Parts of seconds that every way of writing a time keeps. */
const time = fc.nat(1_000_000).map((parts) => 1_500_000_000 + parts / 512);
const entry = fc.record({
  kind: fc.constantFrom("file", "file", "second name", "link", "folder", "folder"),
  parent: fc.nat(),
  other: fc.nat(),
  content: fc.constantFrom("", "a", "b\r\n"),
  fileMode: fc.constantFrom(0o644, 0o600, 0o755, 0o444),
  folderMode: fc.constantFrom(0o755, 0o700, 0o1777),
  time,
});
type Entry = typeof entry extends fc.Arbitrary<infer Value> ? Value : never;

/** Plants what is to be deleted in two folders, and gives files of it that have other names outside. */
async function plant(entries: readonly Entry[]): Promise<void> {
  const folders = ["one", "two"];
  const files: string[] = [];
  for (const folder of [...folders, "kept"]) await mkdir(at(folder));
  const pick = (from: readonly string[], number: number): string => from[number % from.length] ?? "one";
  for (const [index, { kind, parent, other, content, fileMode }] of entries.entries()) {
    const path = `${pick(folders, parent)}/${index}`;
    if (kind === "folder") {
      await mkdir(at(path));
      folders.push(path);
    } else if (kind === "link") await symlink(pick(["nowhere", "..", ...files], other), at(path));
    else if (kind === "file" || files.length === 0) {
      await writeFile(at(path), content);
      await chmod(at(path), fileMode);
      if (other % 4 === 0) await link(at(path), at(`kept/${index}`));
      files.push(path);
    } else await link(at(pick(files, other)), at(path));
  }
  for (const [index, found] of (await namesBelow()).toReversed().entries()) {
    const facts = entries[index % entries.length];
    if (facts === undefined) break;
    await lutimes(at(found), facts.time, facts.time);
    if ((await lstat(at(found))).isDirectory()) await chmod(at(found), facts.folderMode);
  }
}

/** Names in the two folders, those of folders before what they hold; links are not followed. */
async function namesBelow(): Promise<string[]> {
  const names = ["one", "two"];
  for (const name of names) {
    if (!(await lstat(at(name))).isDirectory()) continue;
    names.push(...(await readdir(at(name))).toSorted().map((child) => `${name}/${child}`));
  }
  return names;
}

/** All there is: kinds, bits, times, bytes, texts of links, and which names are of one file. */
async function snapshot(): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {};
  const firsts = new Map<bigint, string>();
  for (const name of await namesBelow()) {
    const stat = await lstat(at(name), { bigint: true });
    const facts = { mode: stat.mode.toString(8), mtimeNs: stat.mtimeNs };
    if (stat.isDirectory()) state[name] = facts;
    else if (stat.isSymbolicLink()) state[name] = { ...facts, target: await readlink(at(name)) };
    else {
      if (!firsts.has(stat.ino)) firsts.set(stat.ino, name);
      state[name] = { ...facts, content: await readFile(at(name), "utf8"), first: firsts.get(stat.ino) };
    }
  }
  return state;
}

async function withJournal(
  use: (journal: ChangeJournal, opened: Workspace) => Promise<void>,
  fileSystem: FileSystemPort = nodeFileSystem,
): Promise<void> {
  const workspace = { cwd: root, roots: [root] };
  const journal = await openChangeJournal({ workspace, sessionId: "s", folder: join(base, "state"), fileSystem });
  await using opened = await openWorkspace(workspace, { fileSystem });
  await use(journal, opened);
}

const deletion = (path: string): PlannedChange => ({ op: "delete", path, recursive: true });
const asked = (...changes: PlannedChange[]) => ({ tool: "t", title: "t", callId: "c", changes });

describe("trees that are deleted", { timeout: timeFor(600_000) }, () => {
  it("come back as they were: bytes, bits, times of files, folders and links, and names of one file", async () => {
    const entries = fc.array(entry, { minLength: 1, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(entries, async (planted) => {
        await rm(base, { recursive: true, force: true });
        await mkdir(root, { recursive: true });
        await plant(planted);
        const before = await snapshot();
        await withJournal(async (journal, opened) => {
          await journal.apply(opened, asked(deletion("one"), deletion("two")));
          expect(await readdir(root)).toEqual(["kept"]);
          for (let round = 0; round < 2; round += 1) {
            expect((await journal.revert(opened, { direction: "undo" })).conflicts).toEqual([]);
            expect(await snapshot()).toEqual(before);
            expect((await journal.revert(opened, { direction: "redo" })).conflicts).toEqual([]);
            expect(await readdir(root)).toEqual(["kept"]);
          }
        });
      }),
      { numRuns: RUNS },
    );
  });

  it("come back under the name they had before they got the one they were deleted by", async () => {
    await mkdir(at("one/deep"), { recursive: true });
    await mkdir(at("two"));
    await writeFile(at("one/a"), "a");
    await link(at("one/a"), at("one/deep/b"));
    await chmod(at("one/deep"), 0o500);
    for (const name of ["one/a", "one/deep", "one"]) await utimes(at(name), 1_500_000_000, 1_500_000_000);
    const before = await snapshot();
    await withJournal(async (journal, opened) => {
      await chmod(at("one/deep"), 0o700);
      await journal.apply(opened, asked({ op: "move", from: "one", to: "three" }, deletion("three")));
      await journal.revert(opened, { direction: "undo" });
    });
    await chmod(at("one/deep"), 0o500);
    expect(await snapshot()).toEqual(before);
    expect((await readdir(root)).toSorted()).toEqual(["one", "two"]);
  });

  it("get back the names of one file where the deletion ended in the middle", async () => {
    await mkdir(at("one/deep"), { recursive: true });
    await mkdir(at("two"));
    for (const name of ["a", "b", "c"]) await writeFile(at(`one/${name}`), name);
    for (const name of ["a", "b", "c"]) await link(at(`one/${name}`), at(`one/deep/${name}`));
    for (const name of ["one/a", "one/b", "one/c", "one/deep", "one"])
      await utimes(at(name), 1_500_000_000, 1_500_000_000);
    const before = await snapshot();
    let left = 0;
    const failing = async (...args: Parameters<FileSystemPort["unlink"]>): Promise<void> => {
      if ((left -= 1) === 0) throw Object.assign(new Error("EIO: injected"), { code: "EIO" });
      await nodeFileSystem.unlink(...args);
    };
    await withJournal(
      async (journal, opened) => {
        for (let most = 1; most <= 6; most += 1) {
          left = most;
          await expect(journal.apply(opened, asked(deletion("one")))).rejects.toThrow();
          expect(await snapshot(), `after ${most}`).toEqual(before);
        }
      },
      { ...nodeFileSystem, unlink: failing },
    );
  });

  it("come back as files of their own where what came back first was changed meanwhile", async () => {
    await mkdir(at("one"));
    await mkdir(at("two"));
    await writeFile(at("one/a"), "a");
    await link(at("one/a"), at("two/b"));
    const meddling = async (...args: Parameters<FileSystemPort["mkdir"]>): Promise<string | undefined> => {
      if (await readFile(at("two/b")).catch(() => undefined)) await writeFile(at("two/b"), "theirs");
      return await nodeFileSystem.mkdir(...args);
    };
    await withJournal(
      async (journal, opened) => {
        await journal.apply(opened, asked(deletion("one"), deletion("two")));
        await journal.revert(opened, { direction: "undo" });
      },
      { ...nodeFileSystem, mkdir: meddling as FileSystemPort["mkdir"] },
    );
    expect([await readFile(at("one/a"), "utf8"), await readFile(at("two/b"), "utf8")]).toEqual(["a", "theirs"]);
  });
});
