import type { WorkspaceRoots } from "../contract/tool-context.ts";
import type { ChangeJournal } from "./change-journal.ts";
import { openChangeJournal } from "./open-change-journal.ts";
import { findStoredJournals, type StoredJournal } from "./stored-journals.ts";

/** A conversation that changed files of a workspace, whose changes can be taken back. */
export interface ListedJournal extends StoredJournal {
  /** Opens it; dispose of it. */
  open(): Promise<ChangeJournal>;
}

/** The journals of a workspace, the one used last first; `folder` is where journals are kept, that of aiw's state unless given. */
export async function listChangeJournals(
  workspace: WorkspaceRoots,
  options: { readonly folder?: string } = {},
): Promise<ListedJournal[]> {
  return (await findStoredJournals(workspace, options)).map((stored) => {
    const { sessionId } = stored;
    // What is listed lies on disk, wherever new conversations keep theirs.
    const kept = { ...workspace, history: "disk" as const };
    return { ...stored, open: async () => await openChangeJournal({ workspace: kept, sessionId, ...options }) };
  });
}
