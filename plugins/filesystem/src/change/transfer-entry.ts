import { ToolError, type ToolContext, type ToolResult } from "@aiw/core";
import { applyChanges, openWorkspace, type AppliedChange } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import { readStateKey } from "../read-state.ts";
import { explainTransfer } from "./explain-transfer.ts";
import { planTransfer } from "./plan-transfer.ts";
import type { TransferCall, TransferOutput } from "./transfer-schema.ts";

/** Moves or copies one entry with all it holds, and lets what was read of it count at the new place. */
export async function transferEntry(call: TransferCall, context: ToolContext): Promise<TransferOutput> {
  const { tool, input } = call;
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const plan = await planTransfer(workspace, call);
  const used = { from: plan.source.path, to: plan.to };
  const ends = { ...used, overwrite: input.overwrite, createDirs: input.create_dirs };
  const change =
    tool === "move"
      ? ({ op: "move", ...ends } as const)
      : ({ op: "copy", ...ends, recursive: call.input.recursive } as const);
  const verb = tool === "move" ? "Moved" : "Copied";
  const title = `${verb} ${showName(plan.source.shown)} to ${showName(plan.toShown)}`;
  const outcome = await applyChanges(context, workspace, { tool, title, changes: [change] }).catch((error: unknown) => {
    throw ToolError.is(error) ? explainTransfer(error, call, { to: plan.to, isFound: true }) : error;
  });
  const [made] = outcome.changes;
  if (made !== undefined) await carryRead(tool, made, context);
  const notices = [
    ...plan.notices,
    ...outcome.notices,
    ...(made?.reversible === false ? ["What was replaced is too large to be kept, so undo cannot bring it back."] : []),
  ];
  return {
    from: plan.source.shown,
    to: plan.toShown,
    entries: made?.entries ?? plan.entries,
    ...(made?.undoId !== undefined && { undo_id: made.undoId }),
    ...(made?.reversible === false && { reversible: false }),
    ...(notices.length > 0 && { notices }),
  };
}

/** The change stands; a conversation that ended meanwhile has nothing to remember. */
async function carryRead(tool: TransferCall["tool"], made: AppliedChange, context: ToolContext): Promise<void> {
  const state = await context.session.get(readStateKey).catch(() => undefined);
  if (state === undefined || made.from === undefined) return;
  if (tool === "move") state.rename(made.from, made.path);
  else state.copy(made.from, made.path);
}

/** Says what was done, or why not. */
export function previewTransfer(verb: string, result: ToolResult<TransferOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { from, to, entries, notices = [] } = result.value;
  const count = entries === 1 ? "" : `, ${entries} entries`;
  return [`${verb} ${showName(from)} to ${showName(to)}${count}`, ...notices].slice(0, maxLines);
}
