import { ToolError } from "@aiw/core";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { holdsRange, type LineSpan } from "../text/line-ranges.ts";
import { refuseOmission } from "../text/refuse-omission.ts";
import type { EditDraft } from "./edit-draft.ts";
import { changedSinceRead, fillEmpty, noChange, suggestRead, unexpectedLine, unreadLines } from "./edit-failures.ts";
import type { LineEdit } from "./edit-schema.ts";
import type { EditScope } from "./edit-scope.ts";
import type { LineIndex } from "./line-index.ts";
import type { MadeEdit } from "./make-text-edit.ts";
import { endingNear, renderReplacement } from "./render-replacement.ts";
import { spliceText, type Splice } from "./splice-text.ts";

/** What became of each edit, in the order given. */
export type LineEditOutcome = MadeEdit | ToolError;

interface Planned {
  readonly index: number;
  readonly edit: LineEdit;
  readonly splice: Splice;
}

/** Makes changes by line number, all by the numbers of the text as it is; those that cannot be made are left out. */
export function makeLineEdits(
  edits: readonly LineEdit[],
  { draft, scope }: { readonly draft: EditDraft; readonly scope: EditScope },
): { readonly outcomes: readonly LineEditOutcome[]; readonly apply: () => void } {
  const { lines } = draft;
  const planned: Planned[] = [];
  const outcomes = edits.map((edit, index): LineEditOutcome => {
    try {
      planned.push(planEdit(index, edit, { lines, scope, planned }));
      return { strategy: "line", replacements: 1 };
    } catch (error) {
      if (ToolError.is(error)) return error;
      throw error;
    }
  });
  return {
    outcomes,
    apply() {
      // The order of the text; what is inserted before one line stays in the order given, before what replaces the line.
      const ordered = planned.toSorted(
        (left, right) => left.splice.start - right.splice.start || rank(left) - rank(right),
      );
      draft.applyEach(ordered.map(({ index, edit, splice }) => ({ edit: index, line: edit.line, splice })));
    },
  };
}

const rank = ({ edit }: Planned): number => (edit.op === "insert" ? 0 : 1);

interface PlanScope {
  readonly lines: LineIndex;
  readonly scope: EditScope;
  readonly planned: readonly Planned[];
}

function planEdit(index: number, edit: LineEdit, { lines, scope, planned }: PlanScope): Planned {
  const { shown } = scope.editable;
  assertSensible(edit, shown);
  assertThere(edit, lines.count, shown);
  const other = planned.find((known) => overlap(known.edit, edit));
  if (other !== undefined) {
    throw filesystemError(
      "invalid_input",
      `line_edits[${index}]: expected lines that no other edit of the call takes, received ${nameLines(edit)} beside ${nameLines(other.edit)} of line_edits[${other.index}]: ${shown}`,
      {
        suggestion: `Make one edit of the two; all numbers are those before any edit of the call, as ${suggestRead(shown, Math.min(edit.line, other.edit.line), Math.max(lastLine(edit), lastLine(other.edit)))} shows them.`,
      },
    );
  }
  if (edit.expect !== undefined) assertExpected(edit, edit.expect, { lines, scope });
  const splice = toSplice(edit, lines);
  refuseOmission(edit.content ?? "", { old: lines.text.slice(splice.start, splice.end), path: shown, shown });
  assertSeen(edit, { lines, scope, splice });
  if (lines.text.slice(splice.start, splice.end) === splice.text)
    throw noChange(shown, `${nameLines(edit)} is so already`);
  return { index, edit, splice };
}

function assertSensible({ op, content, count, line }: LineEdit, shown: string): void {
  const fail = (what: string, working: object): ToolError =>
    filesystemError("invalid_input", `line_edits: ${what}: ${shown}`, {
      suggestion: `edit(path=${quoteName(shown)}, line_edits=[${JSON.stringify(working)}])`,
    });
  if (op === "delete" && content !== undefined)
    throw fail("expected no content with op delete, received one", { op: "replace", line, count, content });
  if (op !== "delete" && content === undefined)
    throw fail(`expected content with op ${op}, received none`, { op, line, content: "the new line" });
  if (op === "insert" && count !== 1)
    throw fail(`expected no count with op insert, received ${count}`, { op, line, content });
}

function assertThere({ op, line, count, content = "" }: LineEdit, total: number, shown: string): void {
  const last = op === "insert" ? line : line + count - 1;
  const most = op === "insert" ? total + 1 : total;
  if (last <= most && total > 0) return;
  const lines = `${total} line${total === 1 ? "" : "s"}`;
  throw filesystemError("offset_out_of_range", `The file has ${lines}, and line ${last} was to be changed: ${shown}`, {
    suggestion:
      total === 0
        ? fillEmpty(shown, content)
        : `read(file_paths=[${quoteName(shown)}], offset=${Math.max(1, total - 49)}); op insert at line ${total + 1} appends.`,
    details: { total_lines: total },
  });
}

/** An insertion only overlaps what takes away both of the lines it stands between. */
function overlap(left: LineEdit, right: LineEdit): boolean {
  const [leftLast, rightLast] = [left.line + left.count - 1, right.line + right.count - 1];
  if (left.op === "insert" && right.op === "insert") return false;
  if (left.op === "insert") return right.line < left.line && left.line <= rightLast;
  if (right.op === "insert") return left.line < right.line && right.line <= leftLast;
  return left.line <= rightLast && right.line <= leftLast;
}

const lastLine = ({ line, count }: LineEdit): number => line + count - 1;

function nameLines({ op, line, count }: LineEdit): string {
  if (op === "insert") return `the place before line ${line}`;
  return count === 1 ? `line ${line}` : `lines ${line}-${line + count - 1}`;
}

function assertExpected(edit: LineEdit, expect: string, { lines, scope }: Omit<PlanScope, "planned">): void {
  const wanted = expect.replaceAll("\r\n", "\n").replace(/\n$/u, "").split("\n");
  const stands = (line: number): boolean =>
    line + wanted.length - 1 <= lines.count &&
    wanted.every((text, offset) => isLike(lines.line(line - 1 + offset), text, scope.match));
  if (stands(edit.line)) return;
  const elsewhere: number[] = [];
  for (let line = 1; line <= lines.count; line += 1) if (stands(line)) elsewhere.push(line);
  throw unexpectedLine(edit, scope, { text: lines.line(edit.line - 1), elsewhere });
}

const NUMBER = /^ {0,5}\d+\t/u;

function isLike(line: string, expected: string, match: EditScope["match"]): boolean {
  if (line === expected) return true;
  return (
    match === "tolerant" &&
    (line.trimEnd() === expected.trimEnd() || line.trimEnd() === expected.replace(NUMBER, "").trimEnd())
  );
}

function assertSeen(
  edit: LineEdit,
  { lines, scope, splice }: { readonly lines: LineIndex; readonly scope: EditScope; readonly splice: Splice },
): void {
  if (scope.isKnown) return;
  if (scope.isStale) throw changedSinceRead(scope, spliceText(lines, [splice]).lines.text);
  if (edit.expect !== undefined) return;
  const needed = spansNeeded(edit, lines.count);
  if (needed.some((span) => holdsRange(scope.seen, span))) return;
  const [[first, last] = [edit.line, edit.line]] = needed;
  throw unreadLines(scope, first, last);
}

/** What must have been shown: the lines taken away, or a line beside the place. */
function spansNeeded({ op, line, count }: LineEdit, total: number): LineSpan[] {
  if (op !== "insert") return [[line, line + count - 1]];
  const beside: LineSpan[] = [
    [line, line],
    [line - 1, line - 1],
  ];
  return beside.filter(([at]) => at >= 1 && at <= total);
}

function toSplice(edit: LineEdit, lines: LineIndex): Splice {
  const { op, line, count, content = "" } = edit;
  const { text } = lines;
  const start = lines.start(line - 1);
  if (op === "delete") return { start, end: lines.after(line + count - 2), text: "" };
  const young = content.replace(/\r?\n$/u, "");
  if (op === "insert") return toInsertion(young, { lines, start });
  const end = lines.after(line + count - 2);
  const region = text.slice(start, end);
  const newText = region.endsWith("\n") ? `${young}\n` : young;
  return { start, end, text: renderReplacement(lines, { start, end }, { oldText: region, newText }) };
}

/** New lines end as the line before them does; after a last line without an ending, the last of them has none either. */
function toInsertion(
  young: string,
  { lines: known, start }: { readonly lines: LineIndex; readonly start: number },
): Splice {
  const ending = endingNear(known, Math.max(0, start - 1)) ?? "\n";
  const lines = young.replaceAll(/\r?\n/gu, ending);
  const isAfterOpenLine = start === known.text.length && !known.text.endsWith("\n");
  return { start, end: start, text: isAfterOpenLine ? ending + lines : lines + ending };
}
