import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWorkspace } from "../workspace/workspace.ts";
import type { ChangeJournal } from "./change-journal.ts";
import { listChangeJournals } from "./list-change-journals.ts";
import { openChangeJournal } from "./open-change-journal.ts";
import { createDiskStore } from "./store/disk-store.ts";
import { journalOf } from "./store/journal-folder.ts";
import { readMeta } from "./store/journal-meta.ts";
import type { Step } from "./store/journal-record.ts";
import { ownProcess } from "./store/process-mark.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let base: string;
let root: string;
const state = (): string => join(base, "state");
const roots = () => ({ cwd: root, roots: [root] });
const folderOf = async (sessionId: string): Promise<string> => await journalOf(roots(), sessionId, state());
const kept = async (): Promise<string[]> => {
  const journals = await listChangeJournals(roots(), { folder: state() });
  return journals.map(({ sessionId }) => sessionId).toSorted();
};
const aged = async (path: string, days: number): Promise<void> => {
  const then = new Date(Date.now() - days * DAY_MS);
  await utimes(path, then, then);
};

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aiw-pruning-"));
  root = join(base, "root");
  await mkdir(root);
});
afterEach(async () => await rm(base, { recursive: true, force: true }));

/** A conversation that changes a file; gives its notices. */
async function converse(sessionId: string): Promise<readonly string[]> {
  await using journal = await openChangeJournal({ workspace: roots(), sessionId, folder: state() });
  return await change(journal);
}

let changes = 0;

async function change(journal: ChangeJournal): Promise<readonly string[]> {
  await using workspace = await openWorkspace(roots());
  const content = new TextEncoder().encode(`${(changes += 1)}`);
  const request = { op: "write", path: "a", content, options: { mode: "overwrite" } } as const;
  return (await journal.apply(workspace, { tool: "t", title: "t", callId: "c", changes: [request] })).notices;
}

/** What a conversation leaves that changed something so many days ago, its process ended or not. */
async function leave(sessionId: string, days: number, process = "1@an earlier start@1"): Promise<string> {
  const folder = await folderOf(sessionId);
  await mkdir(folder, { recursive: true });
  const meta = { version: 1, sessionId, cwd: root, roots: [root], process, startedAt: Date.now() };
  await writeFile(join(folder, "meta.json"), JSON.stringify(meta));
  await writeFile(join(folder, "log.jsonl"), "");
  await aged(join(folder, "log.jsonl"), days);
  return folder;
}

/** A change that ended half-way: the file is neither as it was nor as it was to be. */
async function leaveInterrupted(sessionId: string): Promise<void> {
  const folder = await leave(sessionId, 1);
  const path = join(root, "half");
  await writeFile(path, "half");
  const steps: Step[] = [
    { kind: "entry", path, before: { kind: "absent" }, after: { kind: "file", hash: "0", size: 1 } },
  ];
  const recorded = [{ undoId: "u1", op: "create" as const, path, reversible: true, steps }];
  const process = "1@an earlier start@1";
  const about = { version: 1 as const, sessionId, cwd: root, roots: [root], process, startedAt: 0 };
  await createDiskStore(folder, about).append(() => {
    const group = { groupId: "g1", tool: "t", title: sessionId, callId: "c", time: 0, label: "0123456789ab" };
    return { type: "begin", ...group, process, changes: recorded };
  });
}

describe("the first change of a conversation", () => {
  it("removes what was used last more than 14 days ago, never that of a process that runs", async () => {
    await leave("old", 14.1);
    await leave("young", 13.9);
    await leave("old and running", 400, ownProcess());
    await converse("here");
    expect(await kept()).toEqual(["here", "old and running", "young"]);
  });

  it("leaves its own, however old it is", async () => {
    await converse("here");
    const folder = await folderOf("here");
    const meta = { ...(await readMeta(folder)), process: "1@an earlier start@1" };
    await writeFile(join(folder, "meta.json"), JSON.stringify(meta));
    await aged(join(folder, "log.jsonl"), 400);
    await converse("here");
    await using journal = await openChangeJournal({ workspace: roots(), sessionId: "here", folder: state() });
    expect((await journal.list()).entries).toHaveLength(2);
  });

  it("leaves a conversation to the process that goes on with it when the first has ended", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    const [, system] = ownProcess().split("@");
    const folder = await leave("shared", 0, `${child.pid}@${system}@`);
    await using journal = await openChangeJournal({ workspace: roots(), sessionId: "shared", folder: state() });
    const keeper = async (): Promise<unknown> => (await readMeta(folder))?.process;
    await change(journal);
    expect(await keeper()).toBe(`${child.pid}@${system}@`);
    child.kill("SIGKILL");
    await once(child, "close");
    await change(journal);
    expect(await keeper()).toBe(ownProcess());
    await aged(join(folder, "log.jsonl"), 100);
    await converse("later");
    expect(await kept()).toEqual(["later", "shared"]);
  });

  it("keeps the latest 50 of the others, and all whose processes run", async () => {
    for (let days = 0; days < 55; days += 1) await leave(`s${days}`, days / 10);
    await leave("running", 10, ownProcess());
    await converse("here");
    const latest = Array.from({ length: 50 }, (_, days) => `s${days}`);
    expect(await kept()).toEqual(["here", "running", ...latest].toSorted());
  });

  it("removes nothing of another workspace", async () => {
    await leave("old", 100);
    const cwd = join(base, "other");
    await mkdir(cwd);
    const workspace = { cwd, roots: [cwd, root] };
    await using journal = await openChangeJournal({ workspace, sessionId: "here", folder: state() });
    await using opened = await openWorkspace(workspace);
    const made = { op: "write", path: "a", content: new Uint8Array(), options: { mode: "create" } } as const;
    await journal.apply(opened, { tool: "t", title: "t", callId: "c", changes: [made] });
    expect(await kept()).toEqual(["old"]);
  });

  it("is not kept from the others by one that cannot be read, which goes once it is old", async () => {
    await leave("old", 100);
    const [silent, broken] = [await leave("silent", 100), await leave("broken", 1)];
    for (const folder of [silent, broken]) await writeFile(join(folder, "meta.json"), "{");
    const folder = await leave("folder for a log", 0);
    await rm(join(folder, "log.jsonl"));
    await mkdir(join(folder, "log.jsonl"));
    await leaveInterrupted("cut short");
    const notices = await converse("here");
    expect(notices).toEqual(["An earlier change was interrupted (cut short, g1): aiw undo takes it back."]);
    expect(await kept()).toEqual(["cut short", "folder for a log", "here"]);
    expect(await readdir(broken)).toEqual(["log.jsonl", "meta.json"]);
    expect(await readdir(silent).catch(() => "gone")).toBe("gone");
  });

  it("looks for what was cut short also where its own history is kept in memory", async () => {
    await leaveInterrupted("cut short");
    await leave("old", 100);
    const workspace = { ...roots(), history: "memory" as const };
    const journal = await openChangeJournal({ workspace, sessionId: "here", folder: state() });
    await using opened = await openWorkspace(workspace);
    const made = { op: "write", path: "a", content: new Uint8Array(), options: { mode: "create" } } as const;
    const { notices } = await journal.apply(opened, { tool: "t", title: "t", callId: "c", changes: [made] });
    expect(notices).toEqual([
      "An earlier change was interrupted (cut short, g1): aiw undo takes it back.",
      "The history of changes is kept in memory alone and ends with the conversation.",
    ]);
    expect(await kept()).toEqual(["cut short"]);
    const [listed] = await listChangeJournals(workspace, { folder: state() });
    await using found = await listed?.open();
    expect(await found?.list()).toMatchObject({ entries: [{ groupId: "g1", state: "interrupted" }] });
  });
});

describe.skipIf(process.platform === "win32")("links and pipes planted where histories are kept", () => {
  let victim: string;
  const victims = async (): Promise<string[]> => (await readdir(victim)).toSorted();
  beforeEach(async () => {
    victim = join(base, "victim");
    await mkdir(victim);
    await writeFile(join(victim, "precious"), "precious");
  });

  it("are no conversations, whatever they lead to, and what they lead to stays", async () => {
    const old = await leave("old", 100);
    for (const name of await readdir(old)) await writeFile(join(victim, name), await readFile(join(old, name)));
    await aged(join(victim, "log.jsonl"), 100);
    await rm(old, { recursive: true });
    await symlink(victim, old);
    await symlink(victim, join(await leave("older", 200), "more"));
    await symlink(join(victim, "meta.json"), join(await leave("no link", 1), "link"));
    expect(await kept()).toEqual(["no link", "older"]);
    await converse("here");
    expect(await kept()).toEqual(["here", "no link"]);
    expect(await victims()).toEqual(["log.jsonl", "meta.json", "precious"]);
  });

  it("are written through by nobody", async () => {
    const precious = join(victim, "precious");
    await symlink(victim, await makeParent("whole"));
    expect(await converse("whole")).toEqual([expect.stringContaining("cannot be kept on disk")]);
    for (const name of ["log.jsonl", "meta.json", "damaged"]) {
      const folder = await leave(name, 0);
      if (name === "damaged") await writeFile(join(folder, "log.jsonl"), "not a record\n");
      await rm(join(folder, name), { force: true });
      await symlink(precious, join(folder, name));
      await converse(name);
    }
    expect(await victims()).toEqual(["precious"]);
    expect(await readFile(precious, "utf8")).toBe("precious");
  });

  // A pipe without a writer lets whoever opens it wait for ever.
  it.each<[file: string, inOwn: boolean, notices: readonly unknown[]]>([
    ["log.jsonl", true, [expect.stringContaining("cannot be kept on disk")]],
    ["meta.json", true, []],
    ["lock", true, []],
    ["log.jsonl", false, []],
    ["meta.json", false, []],
  ])("nor are pipes waited for: %s, of the conversation itself: %s", async (file, inOwn, notices) => {
    const folder = await leave(inOwn ? "here" : "there", 0);
    await rm(join(folder, file), { force: true });
    execFileSync("mkfifo", [join(folder, file)]);
    expect(await converse("here")).toEqual(notices);
    expect(await readFile(join(root, "a"), "utf8")).toBe(`${changes}`);
  });

  async function makeParent(sessionId: string): Promise<string> {
    const folder = await folderOf(sessionId);
    await mkdir(join(folder, ".."), { recursive: true });
    return folder;
  }
});
