import { ToolError } from "@aiw/core";
import type { StructuredPatchHunk } from "diff";
import { jsonSize } from "../result/json-size.ts";
import { showDiff } from "../text/show-diff.ts";
import type { LineSpan } from "../text/line-ranges.ts";
import type { EditDraft } from "./edit-draft.ts";
import type { EditInput, EditOutput, EditReport } from "./edit-schema.ts";
import type { Editable } from "./edit-target.ts";
import type { MadeEdit } from "./make-text-edit.ts";
import { showContext } from "./show-context.ts";

const MOST_DIFF_LINES = 200;
/** Failing edits that are described with their details; of others, the message. */
const MOST_DETAILED = 3;
const MOST_IN_MESSAGE = 3;

/** Edits that were tried, and what came of them. */
export interface EditResult {
  readonly input: EditInput;
  readonly editable: Editable;
  readonly draft: EditDraft;
  readonly outcomes: readonly (MadeEdit | ToolError)[];
  readonly hunks: readonly StructuredPatchHunk[];
  readonly counts: { readonly additions: number; readonly deletions: number };
  readonly etag: string;
  readonly undoId?: string;
  readonly notices: readonly string[];
  readonly maxResultCharacters: number | undefined;
}

/** Gives the result, and which lines it shows whole. */
export function toEditOutput(result: EditResult): { readonly output: EditOutput; readonly seen: readonly LineSpan[] } {
  const { input, editable, draft, counts, maxResultCharacters: most = Number.POSITIVE_INFINITY } = result;
  const base: EditOutput = {
    path: editable.shown,
    edits: toReports(result),
    ...counts,
    diff: "",
    etag: result.etag,
    ...(result.undoId !== undefined && { undo_id: result.undoId }),
  };
  const context = input.show_context === 0 ? undefined : showContext(draft.lines, draft.touched, input.show_context);
  const fits = context !== undefined && jsonSize({ ...base, context: context.text, notices: result.notices }) <= most;
  const notices = [
    ...result.notices,
    ...(context === undefined || fits ? [] : ["The lines around the changes do not fit the result and are left out."]),
  ];
  const output: EditOutput = {
    ...base,
    ...(fits && { context: context.text }),
    ...(notices.length > 0 && { notices }),
  };
  const diff = showDiff({
    before: editable.text,
    after: draft.text,
    hunks: result.hunks,
    path: editable.shown,
    mostLines: MOST_DIFF_LINES,
    mostCharacters: most - jsonSize(output),
  });
  return { output: { ...output, diff }, seen: fits ? context.whole : [] };
}

function toReports({ outcomes, draft }: EditResult): EditReport[] {
  let failed = 0;
  return outcomes.map((outcome, index) => {
    if (ToolError.is(outcome)) {
      failed += 1;
      return { replacements: 0, error: toFacts(outcome, failed <= MOST_DETAILED) };
    }
    const first = draft.firstLineOf(index);
    return { ...outcome, ...(first !== undefined && { first_line: first }) };
  });
}

function toFacts({ code, message, suggestion, details }: ToolError, isDetailed: boolean): EditReport["error"] & {} {
  return {
    code,
    message,
    ...(suggestion !== undefined && { suggestion }),
    ...(isDetailed && details !== undefined && { details }),
  };
}

/** One error for all edits of a call that cannot be made. */
export function toEditFailure(outcomes: readonly (MadeEdit | ToolError)[], shown: string): ToolError {
  const failed = outcomes.flatMap((outcome, index) => (ToolError.is(outcome) ? [{ index, error: outcome }] : []));
  const first = failed[0]?.error;
  if (first === undefined || outcomes.length === 1)
    return first ?? new ToolError("internal_error", `No edit failed: ${shown}`);
  const { code, type, status, retryable, suggestion } = first;
  const told = failed.slice(0, MOST_IN_MESSAGE).map(({ index, error }) => `[${index}] ${error.message}`);
  const more = failed.length > told.length ? `; ${failed.length - told.length} more` : "";
  const message = `${failed.length} of ${outcomes.length} edits cannot be made, so none was: ${told.join("; ")}${more}`;
  const list = failed.map(({ index, error }, at) => ({ edit: index, ...toFacts(error, at < MOST_DETAILED) }));
  return new ToolError(code, message, {
    type,
    status,
    retryable,
    details: { failed: list },
    ...(suggestion !== undefined && { suggestion }),
  });
}
