import type { Workspace } from "../workspace/workspace.ts";
import { createDiskStore } from "./store/disk-store.ts";
import type { ChangeJournalOptions } from "./store/journal-folder.ts";
import type { JournalScope } from "./journal-scope.ts";

import { ownProcess } from "./store/process-mark.ts";
import { findStoredJournals, pruneJournals } from "./stored-journals.ts";
import { settleInterrupted } from "./settle-interrupted.ts";

/** Earlier conversations that are looked through for changes that were interrupted. */
const MOST_JOURNALS = 20;

/** Finds changes of earlier conversations that were interrupted, and removes journals nobody needs any more. */
export async function noticeEarlier(
  { workspace: roots, folder, sessionId, fileSystem }: ChangeJournalOptions,
  workspace: Workspace,
): Promise<string[]> {
  const notices: string[] = [];
  const journals = await findStoredJournals(roots, folder === undefined ? {} : { folder });
  const others = journals.filter((journal) => journal.sessionId !== sessionId);
  for (const { folder: at, sessionId: id, startedAt, isRunning } of others.slice(0, MOST_JOURNALS)) {
    if (isRunning) continue;
    const { cwd } = roots;
    const meta = { version: 1 as const, sessionId: id, cwd, roots: roots.roots, process: ownProcess(), startedAt };
    const store = createDiskStore(at, meta);
    await store.refresh();
    const scope: JournalScope = {
      roots,
      fileSystem,
      history: () => store.history,
      append: async (make, how) => await store.append(make, how),
      readImage: async (hash) => await store.readImage(hash),
      openImages: () => store.openImages(),
    };
    for (const { title, groupId } of await settleInterrupted(scope, workspace)) {
      notices.push(`An earlier change was interrupted (${title}, ${groupId}): aiw undo takes it back.`);
    }
  }
  await pruneJournals(others);
  return notices;
}
