import type { Workspace } from "../workspace/workspace.ts";
import type { JournalScope } from "./journal-scope.ts";
import { settleInterrupted } from "./settle-interrupted.ts";
import { createDiskStore } from "./store/disk-store.ts";
import type { ChangeJournalOptions } from "./store/journal-folder.ts";
import type { KeptGroup } from "./store/journal-record.ts";
import { ownProcess } from "./store/process-mark.ts";
import { findStoredJournals, pruneJournals, type StoredJournal } from "./stored-journals.ts";

/** Earlier conversations that are looked through for changes that were interrupted. */
const MOST_JOURNALS = 20;

/** Finds changes of earlier conversations that were interrupted, and removes journals nobody needs any more. */
export async function noticeEarlier(options: ChangeJournalOptions, workspace: Workspace): Promise<string[]> {
  const { workspace: roots, folder, sessionId } = options;
  const notices: string[] = [];
  const journals = await findStoredJournals(roots, folder === undefined ? {} : { folder });
  const others = journals.filter((journal) => journal.sessionId !== sessionId && !journal.isRunning);
  for (const journal of others.slice(0, MOST_JOURNALS)) {
    // One that cannot be read keeps nobody from the others.
    for (const { title, groupId } of await settleJournal(options, workspace, journal).catch(() => [])) {
      notices.push(`An earlier change was interrupted (${title}, ${groupId}): aiw undo takes it back.`);
    }
  }
  await pruneJournals(roots, { folder, except: sessionId });
  return notices;
}

async function settleJournal(
  { workspace: roots, fileSystem }: ChangeJournalOptions,
  workspace: Workspace,
  { folder, sessionId, startedAt }: StoredJournal,
): Promise<KeptGroup[]> {
  const about = { version: 1 as const, cwd: roots.cwd, roots: roots.roots, process: ownProcess() };
  const store = createDiskStore(folder, { ...about, sessionId, startedAt });
  await store.refresh();
  const scope: JournalScope = {
    roots,
    fileSystem,
    history: () => store.history,
    append: async (make, how) => await store.append(make, how),
    readImage: async (hash) => await store.readImage(hash),
    openImages: () => store.openImages(),
    lockFiles: async () => undefined,
  };
  return await settleInterrupted(scope, workspace);
}
