import type { ToolError } from "@aiw/core";
import type { JournalEntry, RevertConflict, Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { jsonSize } from "../result/json-size.ts";
import { memorySource } from "../text/byte-source.ts";
import { decodeBytes } from "../text/charset.ts";
import { detectText, isText } from "../text/detect-text.ts";
import { showDiff } from "../text/show-diff.ts";
import { mergeContents, type MergeVerdict } from "./merge-contents.ts";
import { renderCall } from "./render-call.ts";
import type { Direction, RevertInput } from "./revert-schema.ts";

/** What stands against going back, and for whom it is told. */
export interface ConflictRequest {
  readonly direction: Direction;
  readonly input: RevertInput;
  readonly conflicts: readonly RevertConflict[];
  /** The history, the newest first. */
  readonly entries: readonly JournalEntry[];
  readonly workspace: Workspace;
  /** Characters the result may take. */
  readonly room: number;
}

const MOST_SHOWN = 5;
const MOST_NAMED = 3;
const DIFF_LINES = 40;
const MOST_DIFF_CHARACTERS = 8000;
/** What a result takes beside the diffs: message, suggestion and names of fields. */
const BASE_CHARACTERS = 1500;

/** Makes the error of changes that cannot go back as things are: what the change did, what happened since, what to call next. */
export async function describeConflicts(request: ConflictRequest): Promise<ToolError> {
  const { conflicts, workspace, direction } = request;
  const verdicts = await Promise.all(conflicts.map(async (conflict) => await tryMerge(conflict)));
  const shown = conflicts.slice(0, MOST_SHOWN);
  const names = shown.map((conflict, index) => nameConflict(conflict, request, verdicts[index]));
  const most = Math.min(
    MOST_DIFF_CHARACTERS,
    Math.floor((request.room - BASE_CHARACTERS - jsonSize(names)) / (2 * shown.length)),
  );
  const told = await Promise.all(
    names.map(async (name, index) => ({ ...name, ...(await showSides(shown[index], name.path, { most, direction })) })),
  );
  const paths = conflicts.map(({ path, reason }) => `${workspace.display(path)} ${reason}`);
  const rest = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : "";
  const verb = direction === "undo" ? "undone" : "made again";
  return filesystemError("conflict", `Nothing was ${verb}: ${paths.slice(0, MOST_NAMED).join(", ")}${rest}.`, {
    suggestion: suggest(request, verdicts),
    details: {
      conflicts: told,
      ...(conflicts.length > shown.length && { conflicts_not_shown: conflicts.length - shown.length }),
    },
  });
}

/** Tries what `merge=true` would do; `undefined` where there are no three contents to merge. */
async function tryMerge({ left, current, wanted }: RevertConflict): Promise<MergeVerdict | undefined> {
  if (left === undefined || current === undefined || wanted === undefined) return undefined;
  return await mergeContents({ base: left, ours: current, theirs: wanted });
}

/** One conflict as details tell it. */
interface NamedConflict {
  readonly [field: string]: unknown;
  readonly path: string;
}

function nameConflict(
  { undoId, path, reason }: RevertConflict,
  { workspace }: Pick<ConflictRequest, "workspace">,
  verdict: MergeVerdict | undefined,
): NamedConflict {
  const isMergeable = verdict?.merged !== undefined;
  const clashes = isMergeable ? undefined : verdict?.clashes?.slice(0, 20);
  return {
    undo_id: undoId,
    path: workspace.display(path),
    reason,
    merge: isMergeable ? "possible" : `not possible: ${verdict?.reason ?? "a whole file is missing"}`,
    ...(clashes !== undefined && {
      clashing_lines: clashes.map(({ firstLine, lastLine }) =>
        firstLine === lastLine ? `${firstLine}` : `${firstLine}-${lastLine}`,
      ),
    }),
  };
}

/** The diffs of both sides, where they are text. */
async function showSides(
  conflict: RevertConflict | undefined,
  path: string,
  { most, direction }: { readonly most: number; readonly direction: Direction },
): Promise<{ readonly change?: string; readonly since?: string }> {
  const left = await toText(conflict?.left);
  const current = await toText(conflict?.current);
  const wanted = await toText(conflict?.wanted);
  if (left === undefined) return {};
  const diff = (before: string, after: string): string =>
    showDiff({ before, after, path, mostLines: DIFF_LINES, mostCharacters: most });
  const change = wanted === undefined ? "" : direction === "undo" ? diff(wanted, left) : diff(left, wanted);
  const since = current === undefined ? "" : diff(left, current);
  return { ...(change !== "" && { change }), ...(since !== "" && { since }) };
}

async function toText(bytes: Uint8Array | undefined): Promise<string | undefined> {
  if (bytes === undefined) return undefined;
  const found = await detectText(memorySource(bytes));
  return isText(found) ? decodeBytes(found.charset, bytes.subarray(found.start)) : undefined;
}

/** The call that helps: a merge that is known to work, else the later change to go first, else a look at the file. */
function suggest(request: ConflictRequest, verdicts: readonly (MergeVerdict | undefined)[]): string {
  const { direction, input, conflicts, entries, workspace } = request;
  if (!input.merge && verdicts.every((verdict) => verdict?.merged !== undefined))
    return `${renderCall(direction, { ...input, merge: true })} keeps what was changed since.`;
  const blocked = conflicts.findIndex((_, index) => verdicts[index]?.merged === undefined);
  const conflict = conflicts[Math.max(0, blocked)];
  if (conflict === undefined) return "history()";
  const later = findLater(conflict, entries);
  if (direction === "undo" && later !== undefined)
    return `${renderCall("undo", { undo_id: later.undoId })} first: it changed the file later.`;
  if (conflict.current === undefined) return "history() shows what else was changed.";
  const path = quoteName(workspace.display(conflict.path));
  return `read(file_paths=[${path}]), then change by hand what is still to be changed; conflicts has what the change did.`;
}

/** The newest later change of the same path that still stands. */
function findLater({ undoId, path }: RevertConflict, entries: readonly JournalEntry[]): JournalEntry | undefined {
  const own = entries.findIndex((entry) => entry.undoId === undoId);
  return entries
    .slice(0, Math.max(0, own))
    .find((entry) => entry.state === "done" && entry.reversible && (entry.path === path || entry.from === path));
}
