import { join } from "node:path";
import type { WorkspaceRoots } from "@aiw/core";
import {
  findStateFolder,
  listChangeJournals,
  type ChangeJournal,
  type Environment,
  type JournalList,
} from "@aiw/core/node";

/** A conversation that changed files. */
export interface Conversation extends JournalList {
  readonly id: string;
  /** The folders it worked in; going back touches nothing else. */
  readonly workspace: WorkspaceRoots;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** Whether the process that used it last still runs. */
  readonly isRunning: boolean;
  readonly journal: ChangeJournal;
}

/** Conversations whose changes are remembered, the one that changed something last first. */
export interface Conversations extends AsyncDisposable {
  readonly found: readonly Conversation[];
}

/** Opens the journals of all conversations that worked in one of these workspaces; dispose of what it gives. */
export async function findConversations(
  workspaces: readonly WorkspaceRoots[],
  environment: Environment,
): Promise<Conversations> {
  const folder = join(findStateFolder(environment), "journal");
  const found: Conversation[] = [];
  for (const workspace of workspaces) {
    for (const { sessionId, startedAt, isRunning, open } of await listChangeJournals(workspace, { folder })) {
      const journal = await open();
      const list = await journal.list();
      if (list.entries.length === 0) await journal[Symbol.asyncDispose]();
      else found.push({ id: sessionId, workspace, startedAt, isRunning, journal, ...list });
    }
  }
  return {
    found: found.toSorted((left, right) => newest(right) - newest(left)),
    async [Symbol.asyncDispose]() {
      for (const { journal } of found) await journal[Symbol.asyncDispose]();
    },
  };
}

function newest({ entries }: Conversation): number {
  return entries[0]?.time ?? 0;
}
