import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { WorkspaceRoots } from "../contract/tool-context.ts";
import type { ChangeJournal } from "./change-journal.ts";
import { META_FILE, type JournalMeta } from "./disk-store.ts";
import { openChangeJournal } from "./open-change-journal.ts";
import { journalsOf } from "./journal-folder.ts";
import { isRunning } from "./process-mark.ts";

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
  /** Opens it; dispose of it. */
  open(): Promise<ChangeJournal>;
}

const LOG_FILE = "log.jsonl";

/** The journals of a workspace, the one used last first. */
export async function listChangeJournals(
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
      const open = async (): Promise<ChangeJournal> =>
        await openChangeJournal({ workspace, sessionId, ...(folder !== undefined && { folder }) });
      return [{ sessionId, startedAt, changedAt, folder: at, isRunning: isRunning(meta.process), open }];
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
  try {
    const meta: unknown = JSON.parse(await readFile(join(at, META_FILE), "utf8"));
    if (!isMeta(meta)) return undefined;
    const changedAt = await stat(join(at, LOG_FILE)).then(
      ({ mtimeMs }) => mtimeMs,
      () => meta.startedAt,
    );
    return { meta, changedAt, at };
  } catch {
    return undefined;
  }
}

function isMeta(value: unknown): value is JournalMeta {
  return (
    typeof value === "object" &&
    value !== null &&
    "version" in value &&
    value.version === 1 &&
    "sessionId" in value &&
    typeof value.sessionId === "string" &&
    "process" in value &&
    typeof value.process === "string" &&
    "startedAt" in value &&
    typeof value.startedAt === "number"
  );
}
