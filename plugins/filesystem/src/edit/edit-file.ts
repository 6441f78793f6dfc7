import { ToolError, type ToolContext } from "@aiw/core";
import { etagOfBytes, openWorkspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { quoteName, showName } from "../files/show-name.ts";
import type { FilesystemOptions } from "../options.ts";
import { readStateKey, type ReadState } from "../read-state.ts";
import { countHunks } from "../text/count-hunks.ts";
import { hunksOfShifts } from "../text/diff-hunks.ts";
import { assertWritable } from "../write/assert-writable.ts";
import { commitFile } from "../write/commit-file.ts";
import { EditDraft } from "./edit-draft.ts";
import { changedSinceRead, noChange } from "./edit-failures.ts";
import type { EditInput, EditOutput, TextEdit } from "./edit-schema.ts";
import type { EditScope } from "./edit-scope.ts";
import { encodeEdited, loadEditable, type Editable } from "./edit-target.ts";
import { makeLineEdits } from "./make-line-edits.ts";
import { makeTextEdit, type MadeEdit } from "./make-text-edit.ts";
import { toEditFailure, toEditOutput } from "./report-edits.ts";
import { Turns } from "./turns.ts";

/** Edits a text file by text or by line numbers, all edits of a call or none. */
export async function editFile(input: EditInput, context: ToolContext<FilesystemOptions>): Promise<EditOutput> {
  assertOneKind(input);
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  await workspace.assertMayWrite(input.path);
  const state = await context.session.get(readStateKey);
  const editable = await loadEditable(workspace, input.path, { signal: context.signal, newText: firstText(input) });
  const scope = toScope(input, editable, state);
  const draft = new EditDraft(editable.text, scope.seen);
  const before = draft.lines;
  const outcomes = await makeEdits(input, { draft, scope, signal: context.signal });
  if (input.expected_etag !== undefined && !scope.isKnown) throw changedSinceRead(scope, draft.text);
  const failures = outcomes.filter((outcome) => ToolError.is(outcome));
  if (failures.length > 0 && (!input.partial || failures.length === outcomes.length))
    throw toEditFailure(outcomes, editable.shown);
  if (draft.text === editable.text) throw noChange(editable.shown, "The edits together change nothing");
  const bytes = encodeEdited(editable, draft.text);
  const hunks = hunksOfShifts(before, draft.lines, draft.shifts);
  const counts = countHunks(hunks);
  const result = { input, editable, draft, outcomes, hunks, counts, maxResultCharacters: context.maxResultCharacters };
  const notices = toNotices(input, scope, outcomes);
  if (input.dry_run) {
    await assertWritable(workspace, editable.path, { ...editable, exists: true });
    const all = ["Dry run: nothing was written.", ...notices];
    return toEditOutput({ ...result, etag: etagOfBytes(bytes), notices: all }).output;
  }
  const change = { tool: "edit", verb: "Edited", shown: editable.shown, path: editable.path, bytes, lines: counts };
  const options = { mode: "overwrite", expectedEtag: editable.etag } as const;
  const written = await commitFile({ ...change, options }, { context, workspace });
  const all = [...notices, ...written.notices];
  const { output, seen } = toEditOutput({
    ...result,
    etag: written.etag,
    ...(written.undoId !== undefined && { undoId: written.undoId }),
    notices: all,
  });
  state.mark(written.path, {
    etag: written.etag,
    totalLines: draft.lines.count,
    ranges: [...draft.seen, ...seen],
  });
  return output;
}

/** @throws ToolError `invalid_input` unless exactly one list of edits is given, which a schema that every model takes cannot say. */
function assertOneKind({ path, edits, line_edits }: EditInput): void {
  if ((edits === undefined) !== (line_edits === undefined)) return;
  const received = edits === undefined ? "neither" : "both";
  throw filesystemError("invalid_input", `edits: expected either edits or line_edits, received ${received}`, {
    suggestion: `edit(path=${quoteName(path)}, edits=[{"old_text":"the text that is there","new_text":"the text that is to be there"}])`,
  });
}

/** What is to come into the file with the first edit. */
function firstText({ edits, line_edits }: EditInput): string | undefined {
  return edits?.[0]?.new_text ?? line_edits?.[0]?.content;
}

function toScope(input: EditInput, editable: Editable, state: ReadState): EditScope {
  const { realPath, etag } = editable;
  return {
    editable,
    match: input.match,
    isKnown: input.expected_etag === etag,
    isStale: state.stale(realPath, etag),
    seen: state.seenAt(realPath, etag)?.ranges ?? [],
  };
}

interface EditPlace {
  readonly draft: EditDraft;
  readonly scope: EditScope;
  readonly signal: AbortSignal;
}

async function makeEdits(
  { edits = [], line_edits }: EditInput,
  { signal, ...place }: EditPlace,
): Promise<readonly (MadeEdit | ToolError)[]> {
  if (line_edits !== undefined) {
    const { outcomes, apply } = makeLineEdits(line_edits, place);
    apply();
    return outcomes;
  }
  const outcomes: (MadeEdit | ToolError)[] = [];
  const turns = new Turns(signal);
  for (const [index, edit] of edits.entries()) {
    await turns.next();
    outcomes.push(tryTextEdit(index, edit, place));
  }
  return outcomes;
}

function tryTextEdit(index: number, edit: TextEdit, place: Omit<EditPlace, "signal">): MadeEdit | ToolError {
  try {
    return makeTextEdit(index, edit, place);
  } catch (error) {
    if (ToolError.is(error)) return error;
    throw error;
  }
}

function toNotices(
  { path, edits = [] }: EditInput,
  scope: EditScope,
  outcomes: readonly (MadeEdit | ToolError)[],
): string[] {
  const failed = outcomes.filter((outcome) => ToolError.is(outcome)).length;
  const numbered = outcomes.flatMap((outcome, index) =>
    "strategy" in outcome && outcome.strategy === "line_numbers" ? [`edits[${index}]`] : [],
  );
  const { shown, path: found } = scope.editable;
  return [
    ...(failed > 0 ? [`${failed} of ${outcomes.length} edits could not be made; edits[].error says why.`] : []),
    ...(scope.isStale && !scope.isKnown && edits.length > 0
      ? [
          "file_changed_since_read: the file was changed by somebody else; read it before edits that are no exact match.",
        ]
      : []),
    ...(numbered.length > 0 ? [`Line numbers were taken off the text of ${numbered.join(", ")}.`] : []),
    ...(found === path ? [] : [`The file is really named ${showName(shown)}.`]),
  ];
}
