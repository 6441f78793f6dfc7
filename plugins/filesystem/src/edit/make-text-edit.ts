import { holdsRange } from "../text/line-ranges.ts";
import { refuseOmission } from "../text/refuse-omission.ts";
import type { BlockMatch, MatchStep } from "./block-match.ts";
import { chooseMatches, type MatchRequest } from "./choose-matches.ts";
import type { EditDraft } from "./edit-draft.ts";
import {
  alreadyApplied,
  ambiguous,
  changedSinceRead,
  isProof,
  nearAndMany,
  noChange,
  notFound,
  tooMany,
  unreadLines,
} from "./edit-failures.ts";
import type { TextEdit } from "./edit-schema.ts";
import type { EditScope } from "./edit-scope.ts";
import { findText } from "./find-text.ts";
import type { LineIndex } from "./line-index.ts";
import { renderReplacement } from "./render-replacement.ts";
import { spliceText, type Splice } from "./splice-text.ts";

/** Above this many places of the old text in the new one, they tell nothing. */
const MOST_PLACES_INSIDE = 20;

/** What an edit did to the draft. */
export interface MadeEdit {
  readonly strategy: MatchStep | "line";
  readonly replacements: number;
}

/**
 * Makes one change by text.
 * @throws ToolError when it cannot be made; the draft is as it was.
 */
export function makeTextEdit(
  index: number,
  edit: TextEdit,
  { draft, scope }: { readonly draft: EditDraft; readonly scope: EditScope },
): MadeEdit {
  const { shown } = scope.editable;
  const { old_text, new_text } = edit;
  if (toPlain(old_text) === toPlain(new_text)) throw noChange(shown, "old_text and new_text are the same");
  refuseOmission(new_text, { old: old_text, path: shown, shown });
  const { lines, text } = draft;
  const verdict = chooseMatches(lines, {
    oldText: old_text,
    newText: new_text,
    match: scope.match,
    wanted: toWanted(edit, shown),
    toLineBefore: (line) => draft.toLineBefore(line),
  });
  if (verdict.kind === "none") throw notFound(lines, edit, scope);
  if (verdict.kind === "countless") throw tooMany(scope);
  if (verdict.kind === "ambiguous") throw ambiguous({ lines, matches: verdict.matches }, edit, scope);
  const { strategy, matches } = verdict;
  const [first] = matches;
  if (first !== undefined && matches.every((match) => isThere(text, match, edit)))
    throw alreadyApplied(shown, first.firstLine);
  const splices = matches.map((match) => toSplice(lines, match, edit));
  assertSeen({ draft, scope }, { strategy, matches, splices, isNear: edit.near_line !== undefined });
  if (splices.every(({ start, end, text: young }) => text.slice(start, end) === young))
    throw noChange(shown, "The file holds new_text there already");
  draft.apply(index, splices);
  return { strategy, replacements: matches.length };
}

function toWanted(edit: TextEdit, shown: string): MatchRequest["wanted"] {
  const { replace_all, expected_count, near_line } = edit;
  if (near_line !== undefined) {
    if (replace_all || (expected_count ?? 1) > 1) {
      throw nearAndMany(edit, shown);
    }
    return { nearLine: near_line };
  }
  if (expected_count !== undefined) return { count: expected_count };
  return replace_all ? "all" : "one";
}

/** Line endings are never the change: new lines take those of the place. */
function toPlain(text: string): string {
  return text.replaceAll("\r\n", "\n");
}

function toSplice(lines: LineIndex, match: BlockMatch, { old_text, new_text }: TextEdit): Splice {
  const { start, end } = match;
  const [oldText, newText] = [match.adapt(old_text) ?? old_text, match.adapt(new_text) ?? new_text];
  return { start, end, text: renderReplacement(lines, { start, end }, { oldText, newText }) };
}

/** Whether the new text, which holds the old, stands around the place: who adds to a line a second time has done so before. */
function isThere(text: string, match: BlockMatch, { old_text, new_text }: TextEdit): boolean {
  const [old, young] = [toPlain(match.adapt(old_text) ?? old_text), toPlain(match.adapt(new_text) ?? new_text)];
  if (young.length <= old.length) return false;
  const inside = findText(young, old, MOST_PLACES_INSIDE + 1);
  if (inside.length === 0 || inside.length > MOST_PLACES_INSIDE) return false;
  // Each line ending of the file may be one character longer than that of the new text.
  const room = 2 * young.length;
  const before = toPlain(text.slice(Math.max(0, match.start - room), match.start));
  const behind = toPlain(text.slice(match.start, match.start + room));
  return inside.some((at) => before.endsWith(young.slice(0, at)) && behind.startsWith(young.slice(at)));
}

interface FoundPlaces {
  readonly strategy: MatchStep;
  readonly matches: readonly BlockMatch[];
  readonly splices: readonly Splice[];
  readonly isNear: boolean;
}

/** Lets an edit be made that proves itself, or whose lines were shown as they are. */
function assertSeen(
  { draft, scope }: { readonly draft: EditDraft; readonly scope: EditScope },
  { strategy, matches, splices, isNear }: FoundPlaces,
): void {
  const isExact = isProof(strategy, matches);
  if (scope.isKnown || (isExact && !isNear)) return;
  if (scope.isStale) throw changedSinceRead(scope, spliceText(draft.lines, splices).lines.text);
  // Which of several places is meant, the answer that named them has shown.
  if (isExact) return;
  const unseen = matches.filter(({ firstLine, lastLine }) => !holdsRange(draft.seen, [firstLine, lastLine]));
  const [first, last] = [unseen[0], unseen.at(-1)];
  if (first === undefined || last === undefined) return;
  throw unreadLines(scope, draft.toLineBefore(first.firstLine), draft.toLineBefore(last.lastLine));
}
