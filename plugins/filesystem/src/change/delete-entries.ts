import { ToolError, type ToolContext, type ToolResult } from "@aiw/core";
import { applyChanges, openWorkspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import { readStateKey } from "../read-state.ts";
import { jsonSize } from "../result/json-size.ts";
import { roomFor } from "../result/room-for.ts";
import { takeFitting } from "../result/take-fitting.ts";
import type { DeleteInput, DeleteOutput } from "./delete-schema.ts";
import { explainDeletion } from "./explain-deletion.ts";
import { planDeletion } from "./plan-deletion.ts";

const MOST_IN_TITLE = 3;
/** What the result takes beside its paths and notices. */
const BASE_CHARACTERS = 500;

/** Deletes all of the paths or none. */
export async function deleteEntries(input: DeleteInput, context: ToolContext): Promise<DeleteOutput> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const { entries, notices } = await planDeletion(workspace, input);
  // What lies deeper goes first, so that a folder may be empty when its turn comes.
  const ordered = entries.toSorted((left, right) => right.realPath.length - left.realPath.length);
  const { recursive } = input;
  const outcome = await applyChanges(context, workspace, {
    tool: "delete",
    title: `Deleted ${nameSome(entries.map(({ shown }) => showName(shown)))}`,
    changes: ordered.map(({ path }) => ({ op: "delete" as const, path, recursive })),
    irreversible: input.allow_irreversible ? "allow" : "refuse",
  }).catch((error: unknown) => {
    throw ToolError.is(error) ? explainDeletion(new Map([["", error]]), input) : error;
  });
  const state = await context.session.get(readStateKey).catch(() => undefined);
  for (const { path } of outcome.changes) state?.forget(path);
  const made = new Map(ordered.map((entry, index) => [entry, outcome.changes[index]]));
  const reversible = outcome.changes.every((change) => change.reversible);
  const [only, ...others] = outcome.changes;
  const deleted = entries.map((entry) => {
    const count = made.get(entry)?.entries ?? entry.count;
    const kind = entry.kind === "directory" ? ("dir" as const) : entry.kind;
    return { path: entry.shown, kind, ...(kind === "dir" && { entries: count }) };
  });
  const known = takeFitting([...notices, ...outcome.notices], roomFor(context, BASE_CHARACTERS) / 2, sizeOf);
  const room = roomFor(context, BASE_CHARACTERS) - jsonSize(known);
  const listed = takeFitting(deleted, room, sizeOf);
  const left = deleted.length - listed.length;
  const said = [
    ...known,
    ...(left > 0 ? [`All ${deleted.length} paths were deleted; ${left} are not listed for lack of room.`] : []),
  ];
  return {
    deleted: listed,
    ...(others.length === 0 && only?.undoId !== undefined && { undo_id: only.undoId }),
    group_id: outcome.groupId,
    reversible,
    ...(said.length > 0 && { notices: said }),
  };
}

function sizeOf(item: unknown): number {
  return jsonSize(item) + 1;
}

function nameSome(names: readonly string[]): string {
  const more = names.length - MOST_IN_TITLE;
  return names.slice(0, MOST_IN_TITLE).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Says what went, or why nothing did. */
export function previewDeletion(result: ToolResult<DeleteOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { deleted, reversible } = result.value;
  const total = deleted.reduce((sum, { entries = 1 }) => sum + entries, 0);
  const names = deleted.map(({ path, kind }) => showName(kind === "dir" ? `${path}/` : path));
  const fact = `Deleted ${total} ${total === 1 ? "entry" : "entries"}${reversible ? "" : ", which undo cannot bring back"}`;
  return [fact, ...names].slice(0, maxLines);
}
