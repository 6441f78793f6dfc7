import { createHash } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openWorkspace } from "../workspace/workspace.ts";
import type { ChangeJournal } from "./change-journal.ts";
import { openChangeJournal } from "./open-change-journal.ts";

let base: string;
let root: string;
const roots = () => ({ cwd: root, roots: [root] });
const open = async (): Promise<ChangeJournal> =>
  await openChangeJournal({ workspace: roots(), sessionId: "s", folder: join(base, "state") });
const text = "precious";
const hash = createHash("sha256").update(text).digest("hex");
const file = { kind: "file", hash, size: text.length };

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "aiw-hostile-log-"));
  root = join(base, "root");
  await mkdir(root);
  await writeFile(join(base, "victim"), text);
  await change(await open(), "first");
});
afterEach(async () => await rm(base, { recursive: true, force: true }));

async function change(journal: ChangeJournal, name: string): Promise<readonly string[]> {
  await using workspace = await openWorkspace(roots());
  const content = new TextEncoder().encode(name);
  const changes = [{ op: "write" as const, path: name, content, options: { mode: "create" as const } }];
  const request = { tool: "test", title: "Wrote", callId: "c", changes };
  return (await journal.apply(workspace, request)).notices;
}

/** Adds a record as the journal itself would write it. */
async function append(record: unknown): Promise<void> {
  const [log = ""] = (await readdir(base, { recursive: true })).filter((path) => path.endsWith("log.jsonl"));
  const line = JSON.stringify(record);
  const sum = createHash("sha256").update(line).digest("hex").slice(0, 24);
  await appendFile(join(base, log), `${sum} ${line}\n`);
}

const begin = (more: object) => {
  const path = join(root, "made");
  const steps = [{ kind: "entry", path, before: file, after: { kind: "absent" } }];
  const changes = [{ undoId: "u90", op: "delete", path, reversible: true, steps }];
  const about = { tool: "test", title: "t", callId: "c", time: 0, label: "l", process: "1" };
  return { type: "begin", groupId: "g90", ...about, changes, ...more };
};

describe("a log that somebody else wrote into", () => {
  it("never has files beside the journal's own read or removed as images", async () => {
    const pack = { file: "../../../victim", images: [[hash, 0, text.length]] };
    await append(begin({ pack }));
    await append({ type: "commit", groupId: "g90", patches: [] });
    await append({ type: "revert", direction: "undo", undoIds: ["u1"], process: "1", label: "l", pack });
    const journal = await open();
    expect((await journal.list()).damaged).toBe(2);
    await append({ type: "forget", groupIds: ["g90"] });
    for (let count = 0; count < 102; count += 1) await change(journal, `n${count}`);
    expect(await readFile(join(base, "victim"), "utf8")).toBe(text);
  });

  it("counts records of a kind that is not known as damaged, and goes on on disk", async () => {
    for (const record of [null, 1, { type: "newer" }, { type: "begin" }, begin({ changes: [{}] })])
      await append(record);
    const journal = await open();
    expect((await journal.list()).damaged).toBe(5);
    expect(await change(journal, "second")).toEqual([]);
    expect((await (await open()).list()).entries).toHaveLength(2);
  });
});
