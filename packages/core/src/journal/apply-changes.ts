import type { ToolContext } from "../contract/tool-context.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { RevertReport, RevertRequest } from "./change-journal.ts";
import { changeJournal } from "./change-journal-key.ts";
import type { ChangeOutcome, ChangeRequest } from "./change-request.ts";

/**
 * Makes the changes of a call, all or none, and leaves on record how they are taken back; the one way in which tools change files.
 * @throws ToolError of the change that failed.
 */
export async function applyChanges(
  context: ToolContext<unknown>,
  workspace: Workspace,
  request: ChangeRequest,
): Promise<ChangeOutcome> {
  const journal = await context.session.get(changeJournal);
  const { callId, turn } = context;
  return await journal.apply(workspace, { ...request, callId, turn });
}

/** Takes changes of the conversation back, or makes them again, and keeps its record in step. */
export async function revertChanges(
  context: ToolContext<unknown>,
  workspace: Workspace,
  request: RevertRequest,
): Promise<RevertReport> {
  const journal = await context.session.get(changeJournal);
  return await journal.revert(workspace, request);
}
