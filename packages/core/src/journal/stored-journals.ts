import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceRoots } from "../contract/tool-context.ts";
import type { JournalList } from "./change-journal.ts";
import { createDiskStore, META_FILE, readMeta, type JournalMeta } from "./store/disk-store.ts";
import { journalsOf } from "./store/journal-folder.ts";
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

const LOG_FILE = "log.jsonl";

/** What is stored of the journals of a workspace, the one used last first. */
export async function findStoredJournals(
  workspace: WorkspaceRoots,
  { folder }: { readonly folder?: string } = {},
): Promise<StoredJournal[]> {
  const parent = await journalsOf(workspace, folder);
  const names = await readdir(parent).catch(() => []);
  const found = await Promise.all(names.map(async (name) => await readStored(join(parent, name))));
  return found
    .flatMap((one): StoredJournal[] => {
      if (one === undefined) return [];
      const { meta, changedAt, at } = one;
      const { sessionId, startedAt } = meta;
      const list = async (): Promise<JournalList> => {
        const store = createDiskStore(at, meta);
        await store.refresh();
        return store.history.list();
      };
      return [{ sessionId, startedAt, changedAt, folder: at, isRunning: isRunning(meta.process), list }];
    })
    .toSorted((one, other) => other.changedAt - one.changedAt);
}

const MOST_JOURNALS = 50;
const MOST_AGE_MS = 14 * 24 * 60 * 60 * 1000;

/** Removes journals of a workspace that are old or too many; never one whose process runs. */
export async function pruneJournals(journals: readonly StoredJournal[], now: number = Date.now()): Promise<void> {
  for (const [index, journal] of journals.entries()) {
    const isOld = index >= MOST_JOURNALS || now - journal.changedAt > MOST_AGE_MS;
    if (isOld && !journal.isRunning) await rm(journal.folder, { recursive: true, force: true }).catch(() => {});
  }
}

async function readStored(
  at: string,
): Promise<{ readonly meta: JournalMeta; readonly changedAt: number; readonly at: string } | undefined> {
  const meta = await readMeta(join(at, META_FILE));
  if (meta === undefined) return undefined;
  const log = await stat(join(at, LOG_FILE)).catch(() => undefined);
  return { meta, changedAt: log?.mtimeMs ?? meta.startedAt, at };
}
