import type { WorkspaceRoots } from "../contract/tool-context.ts";
import { ToolError } from "../errors/tool-error.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { ChangeJournal } from "./change-journal.ts";
import type { AppliedChange, PlannedChange } from "./change-request.ts";

/** Where a journal is kept, and whose changes it holds. */
export interface ChangeJournalOptions {
  readonly workspace: WorkspaceRoots;
  readonly sessionId: string;
  /** Where journals are kept; in the folder of aiw's state unless given. */
  readonly folder?: string;
  /** `memory` keeps nothing on disk; `disk` unless given. */
  readonly history?: "disk" | "memory";
}

/** Opens the journal of a conversation; nothing is made on disk before the first change. */
export async function openChangeJournal(_options: ChangeJournalOptions): Promise<ChangeJournal> {
  let changes = 0;
  let groups = 0;
  return {
    async apply(workspace, request) {
      const done: AppliedChange[] = [];
      for (const change of request.changes) done.push(await perform(workspace, change, `u${(changes += 1)}`));
      return { groupId: `g${(groups += 1)}`, changes: done, notices: [] };
    },
    async revert() {
      throw new ToolError("failed", "There is nothing to take back.");
    },
    list: async () => ({ entries: [], forgotten: 0, damaged: 0 }),
    async [Symbol.asyncDispose]() {},
  };
}

async function perform(workspace: Workspace, change: PlannedChange, undoId: string): Promise<AppliedChange> {
  const base = { undoId, bytesWritten: 0, entries: 1, notices: [], reversible: false };
  if (change.op === "write") {
    const { realPath, created, etag, bytesWritten, notices } = await workspace.writeFile(
      change.path,
      change.content,
      change.options,
    );
    return { ...base, op: created ? "create" : "write", path: realPath, etag, bytesWritten, notices };
  }
  if (change.op === "move") {
    const { from, to, ...options } = change;
    return {
      ...base,
      op: "move",
      from: workspace.resolve(from),
      path: (await workspace.rename(from, to, options)).realPath,
    };
  }
  if (change.op === "copy") throw new ToolError("failed", "Copies are not made yet.");
  const { removed } = await workspace.remove(change.path, { recursive: change.recursive === true });
  return { ...base, op: "delete", path: workspace.resolve(change.path), entries: removed };
}
