import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceRoots } from "../contract/tool-context.ts";
import type { JournalList } from "./change-journal.ts";
import { createDiskStore, LOG_FILE } from "./store/disk-store.ts";
import { journalsOf } from "./store/journal-folder.ts";
import { readMeta } from "./store/journal-meta.ts";
import { isRunning } from "./store/process-mark.ts";

/** A conversation that changed files of a workspace, by what it left on disk. */
export interface StoredJournal {
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** When something was recorded last, in milliseconds since the epoch. */
  readonly changedAt: number;
  /** Where it is kept. */
  readonly folder: string;
  /** Whether the process that opened it last still runs. */
  readonly isRunning: boolean;
  /** What it holds. */
  list(): Promise<JournalList>;
}

/** What is stored of the journals of a workspace, the one used last first. */
export async function findStoredJournals(
  workspace: WorkspaceRoots,
  { folder }: { readonly folder?: string } = {},
): Promise<StoredJournal[]> {
  const folders = await foldersOf(workspace, folder);
  const found = await Promise.all(folders.map(async (at) => await readStored(at)));
  return found.filter((one) => one !== undefined).toSorted((one, other) => other.changedAt - one.changedAt);
}

const MOST_JOURNALS = 50;
const MOST_AGE_MS = 14 * 24 * 60 * 60 * 1000;

/** Removes journals of a workspace that are old or too many, and old ones that say nothing of themselves; never one whose process runs. */
export async function pruneJournals(
  workspace: WorkspaceRoots,
  { folder, except }: { readonly folder?: string | undefined; readonly except: string },
): Promise<void> {
  const others = (await findStoredJournals(workspace, folder === undefined ? {} : { folder })).filter(
    ({ sessionId }) => sessionId !== except,
  );
  const isOld = (changedAt: number): boolean => Date.now() - changedAt > MOST_AGE_MS;
  const unused = others.filter(({ changedAt }, index) => index >= MOST_JOURNALS || isOld(changedAt));
  for (const journal of unused) if (!journal.isRunning) await remove(journal.folder);
  for (const at of await foldersOf(workspace, folder)) {
    const changedAt = await changedAtOf(at);
    if (changedAt !== undefined && isOld(changedAt) && (await readMeta(at)) === undefined) await remove(at);
  }
}

async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => {});
}

const JOURNAL_FOLDER = /^[0-9a-f]{32}$/u;

/** Links, and what else somebody put there, are no journals. */
async function foldersOf(workspace: WorkspaceRoots, folder: string | undefined): Promise<string[]> {
  const parent = await journalsOf(workspace, folder);
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && JOURNAL_FOLDER.test(entry.name))
    .map(({ name }) => join(parent, name));
}

async function readStored(folder: string): Promise<StoredJournal | undefined> {
  const meta = await readMeta(folder);
  if (meta === undefined) return undefined;
  const { sessionId, startedAt } = meta;
  const list = async (): Promise<JournalList> => {
    const store = createDiskStore(folder, meta);
    await store.refresh();
    return store.history.list();
  };
  const changedAt = (await changedAtOf(folder)) ?? startedAt;
  return { sessionId, startedAt, changedAt, folder, isRunning: isRunning(meta.process), list };
}

/** When something was recorded last; the time of the folder where nothing was. */
async function changedAtOf(folder: string): Promise<number | undefined> {
  const log = await lstat(join(folder, LOG_FILE)).catch(async () => await lstat(folder).catch(() => undefined));
  return log?.mtimeMs;
}
