import { sessionKey, type ToolContext } from "@aiw/core";
import type { RevertedChange, RevertRequest } from "@aiw/core/node";

/** What a call was judged by, and a person may have been asked about. */
interface Judged {
  readonly undoIds: readonly string[];
  readonly groupIds: readonly string[];
}

/** By call id; calls that were refused leave theirs, so the oldest go. */
const judgedKey = sessionKey("filesystem/judged-reverts", { create: () => new Map<string, Judged>() });

const MOST_CALLS = 100;

/** Remembers which changes a call was judged by. */
export async function rememberJudged(context: ToolContext, reverted: readonly RevertedChange[]): Promise<void> {
  const judged = await context.session.get(judgedKey);
  judged.set(context.callId, {
    undoIds: reverted.map(({ undoId }) => undoId),
    groupIds: [...new Set(reverted.map(({ groupId }) => groupId))],
  });
  for (const oldest of judged.keys()) {
    if (judged.size <= MOST_CALLS) break;
    judged.delete(oldest);
  }
}

/** Names the changes that were judged, where the newest are meant: others may have been made since. */
export async function holdToJudged(context: ToolContext, request: RevertRequest): Promise<RevertRequest> {
  const judged = await context.session.get(judgedKey);
  const known = judged.get(context.callId);
  judged.delete(context.callId);
  if (known === undefined || request.undoId !== undefined || request.groupId !== undefined) return request;
  const { count: _count, path, ...rest } = request;
  const [undoId, ...moreChanges] = new Set(known.undoIds);
  const [groupId, ...moreGroups] = known.groupIds;
  if (path !== undefined) return undoId === undefined || moreChanges.length > 0 ? request : { ...rest, undoId };
  return groupId === undefined || moreGroups.length > 0 ? request : { ...rest, groupId };
}
