import type { ToolError } from "@aiw/core";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { boundCall, spellEdit, spellFirstWrite } from "../files/spell-change.ts";
import { holdsRange } from "../text/line-ranges.ts";
import { showDiff } from "../text/show-diff.ts";
import { MOST_MATCHES, type BlockMatch, type MatchStep } from "./block-match.ts";
import { chooseMatches } from "./choose-matches.ts";
import { findExact } from "./find-exact.ts";
import type { EditScope } from "./edit-scope.ts";
import type { LineEdit, TextEdit } from "./edit-schema.ts";
import type { LineIndex } from "./line-index.ts";
import { suggestCandidates } from "./suggest-candidates.ts";
import { unescapeText } from "./unescape-text.ts";

const CONFLICT_LINES = 10;
const MOST_LINES_NAMED = 50;
/** Characters of a text that say so much that its being there is no chance. */
const TELLING_CHARACTERS = 8;
const READ_LINES = 2000;

/** A call of `read` that shows lines of a file. */
export function suggestRead(shown: string, first: number, last: number): string {
  const limit = Math.min(READ_LINES, last - first + 1);
  return `read(file_paths=[${quoteName(shown)}], offset=${first}, limit=${limit})`;
}

/** An error for an old text that is nowhere: applied already, escaped once too often, or only like something that is there. */
export function notFound(lines: LineIndex, edit: TextEdit, scope: EditScope): ToolError {
  const { shown } = scope.editable;
  const { old_text, new_text } = edit;
  if (lines.count === 0) {
    return filesystemError("no_match", `The file is empty: ${shown}`, {
      suggestion: fillEmpty(shown, new_text),
    });
  }
  const applied = new_text.replaceAll(/\s/gu, "").length < TELLING_CHARACTERS ? [] : findExact(lines, new_text);
  if (applied.length === 1) return alreadyApplied(shown, lines.at(applied[0]?.start ?? 0) + 1);
  const bare = unescapeText(old_text);
  if (bare !== undefined && findExact(lines, bare).length === 1) {
    const unescaped = { old_text: bare, new_text: unescapeText(new_text) ?? new_text };
    return filesystemError("no_match", `old_text is escaped once too often for what is in ${shown}`, {
      suggestion: spellEdit(shown, {
        edit: unescaped,
        otherwise: "Repeat the edit with old_text and new_text unescaped once.",
      }),
    });
  }
  return unlike(lines, edit, scope);
}

/** What to do for a text that is to be in an empty file. */
export function fillEmpty(shown: string, text: string): string {
  if (text === "") return "The file holds nothing that could go: go on with the next change.";
  return `${spellFirstWrite(shown, { text, exists: true })} gives an empty file a text.`;
}

function unlike(lines: LineIndex, edit: TextEdit, scope: EditScope): ToolError {
  const { shown } = scope.editable;
  const { match } = scope;
  if (match === "exact") {
    const request = { oldText: edit.old_text, newText: edit.new_text, wanted: "one", toLineBefore: Number } as const;
    const loose = chooseMatches(lines, { ...request, match: "tolerant" });
    if (loose.kind === "chosen") {
      return filesystemError("no_match", `old_text is not in ${shown} exactly, only by ${loose.strategy}`, {
        suggestion: suggestTolerant(edit, loose.matches, scope),
        details: { lines: linesOf(loose.matches) },
      });
    }
  }
  const candidates = suggestCandidates(lines, edit.old_text);
  const [best] = candidates;
  const like = best === undefined ? "" : `; most like it: ${nameLines(best)} (similarity ${best.similarity})`;
  return filesystemError("no_match", `old_text is nowhere in ${shown}${like}`, {
    suggestion:
      best === undefined
        ? `read(file_paths=[${quoteName(shown)}]), then take old_text from what it shows.`
        : `${suggestRead(shown, best.first_line, best.last_line)}, then take old_text from what it shows.`,
    ...(candidates.length > 0 && { details: { candidates } }),
  });
}

/** A tolerant edit is no proof of its place, so that must have been shown. */
function suggestTolerant(edit: TextEdit, matches: readonly BlockMatch[], scope: EditScope): string {
  const { shown } = scope.editable;
  const call = spellEdit(shown, {
    edit: plain(edit),
    match: "tolerant",
    otherwise: 'repeat the edit with match="tolerant"',
  });
  return afterReading(call, matches, scope);
}

/** Puts before a call the one that shows the places it changes, where they were not shown. */
function afterReading(call: string, matches: readonly BlockMatch[], scope: EditScope): string {
  const unseen = matches.filter(({ firstLine, lastLine }) => !holdsRange(scope.seen, [firstLine, lastLine]));
  const [first, last] = [unseen[0], unseen.at(-1)];
  if (first === undefined || last === undefined || scope.isKnown) return call;
  return `${suggestRead(scope.editable.shown, first.firstLine, last.lastLine)}, then ${call}`;
}

/** An error for an edit whose new text is where it is to be. */
export function alreadyApplied(shown: string, line: number): ToolError {
  return filesystemError("already_applied", `The new text stands at line ${line} already: ${shown}`, {
    suggestion: `Go on with the next change; ${suggestRead(shown, line, line)} shows it. To have it twice, put more of the lines around it into old_text.`,
    details: { line },
  });
}

/** An error for an old text that stands at more places, or fewer, than are wanted. */
export function ambiguous(found: FoundPlaces, edit: TextEdit, scope: EditScope): ToolError {
  const { shown } = scope.editable;
  const { matches } = found;
  const lines = linesOf(matches);
  const wanted = edit.expected_count ?? 1;
  const named = `${lines.length === 1 ? "line" : "lines"} ${lines.slice(0, 10).join(", ")}${lines.length > 10 ? ", …" : ""}`;
  const details = { count: matches.length, lines: lines.slice(0, MOST_LINES_NAMED) };
  if (wanted > 1) {
    const count = `Pass expected_count=${matches.length}, or add surrounding lines to old_text.`;
    return filesystemError(
      "ambiguous_match",
      `old_text was expected at ${wanted} places and stands at ${matches.length}, ${named}: ${shown}`,
      {
        suggestion: afterReading(
          spellEdit(shown, { edit: { ...plain(edit), expected_count: matches.length }, otherwise: count }),
          matches,
          scope,
        ),
        details,
      },
    );
  }
  const hasLine = edit.near_line !== undefined;
  const message = hasLine
    ? `Line ${edit.near_line} is as near to one place of old_text as to another, ${named}: ${shown}`
    : `old_text stands at ${matches.length} places, ${named}: ${shown}`;
  return filesystemError("ambiguous_match", message, { suggestion: suggestPlace(found, edit, scope), details });
}

/** Places of an old text, and the lines they are in. */
interface FoundPlaces {
  readonly lines: LineIndex;
  readonly matches: readonly BlockMatch[];
}

/** Which place is meant is not known; where only one of them was shown, that is the likely one. */
function suggestPlace(found: FoundPlaces, edit: TextEdit, scope: EditScope): string {
  const { shown } = scope.editable;
  // Of several places on one line, its number says nothing.
  const matches = found.matches.filter(({ firstLine, lastLine }, at) => {
    const [before, behind] = [found.matches[at - 1], found.matches[at + 1]];
    return (before?.lastLine ?? 0) < firstLine && lastLine < (behind?.firstLine ?? Number.POSITIVE_INFINITY);
  });
  const [first] = found.matches;
  if (matches.length === 0 && first !== undefined) return suggestWholeLines(found.lines, first, { edit, shown });
  const seen = matches.filter(({ firstLine, lastLine }) => holdsRange(scope.seen, [firstLine, lastLine]));
  const [likely] = seen.length === 1 ? seen : matches;
  const near_line = likely?.firstLine ?? 1;
  const others = linesOf(matches).filter((line) => line !== near_line);
  const more = others.length > 4 ? ", …" : "";
  const instead = others.length === 0 ? "" : ` (or ${others.slice(0, 4).join(", ")}${more})`;
  const call = spellEdit(shown, { edit: { ...plain(edit), near_line }, otherwise: "repeat the edit with it." });
  return `Add surrounding lines to old_text, or near_line=${near_line}${instead}: ${call}`;
}

/** A call for the first place, by all of its lines. */
function suggestWholeLines(
  lines: LineIndex,
  { start, end, firstLine, lastLine, adapt }: BlockMatch,
  { edit, shown }: { readonly edit: TextEdit; readonly shown: string },
): string {
  const [from, to] = [lines.start(firstLine - 1), lines.end(lastLine - 1)];
  const old_text = lines.text.slice(from, Math.max(to, end));
  const young = adapt(edit.new_text) ?? edit.new_text;
  const new_text = lines.text.slice(from, start) + young + lines.text.slice(end, Math.max(to, end));
  const isAlone = findExact(lines, old_text).length === 1;
  const whole = { old_text, new_text, ...(!isAlone && { near_line: firstLine }) };
  const call = spellEdit(shown, { edit: whole, otherwise: "repeat the edit with it." });
  return `Put more of line ${firstLine} into old_text, and into new_text as well; for its first place: ${call}`;
}

/** An error for an old text at more places than one edit changes. */
export function tooMany({ editable: { shown } }: EditScope): ToolError {
  return filesystemError(
    "too_large",
    `old_text stands at more than ${MOST_MATCHES} places, the most of one edit: ${shown}`,
    {
      suggestion:
        "Put more of the lines around it into old_text, or use a shell tool, such as sed, to change all places.",
      details: { most_places: MOST_MATCHES },
    },
  );
}

/** An error for an edit that means one place and many at once. */
export function nearAndMany(edit: TextEdit, shown: string): ToolError {
  const { near_line, replace_all, expected_count } = edit;
  const many = replace_all ? { replace_all } : { expected_count };
  const one = spellEdit(shown, { edit: { ...plain(edit), near_line }, otherwise: "Give near_line alone" });
  const all = spellEdit(shown, { edit: { ...plain(edit), ...many }, otherwise: "leave it out" });
  return filesystemError(
    "invalid_input",
    `near_line: expected alone, as it means one place; received with ${replace_all ? "replace_all" : "expected_count"}: ${shown}`,
    { suggestion: `${one} for one place, or ${all} for all.` },
  );
}

function plain({ old_text, new_text }: TextEdit): Pick<TextEdit, "old_text" | "new_text"> {
  return { old_text, new_text };
}

function linesOf(matches: readonly BlockMatch[]): number[] {
  return [...new Set(matches.map(({ firstLine }) => firstLine))];
}

function nameLines({ first_line, last_line }: { readonly first_line: number; readonly last_line: number }): string {
  return first_line === last_line ? `line ${first_line}` : `lines ${first_line}-${last_line}`;
}

/** An error for lines that were never shown; the numbers are those of the file as it is. */
export function unreadLines(scope: EditScope, first: number, last: number): ToolError {
  const { shown } = scope.editable;
  const lines = first === last ? `Line ${first} was` : `Lines ${first}-${last} were`;
  return filesystemError(
    "unread_target",
    `${lines} not read as they are now, and the edit is no exact match of one place: ${shown}`,
    { suggestion: `${suggestRead(shown, first, last)}, then repeat the edit.` },
  );
}

/** An error for an edit that is no proof of itself, in a file that is not what was seen; `after` is what would have become of it. */
export function changedSinceRead({ editable }: EditScope, after: string | undefined): ToolError {
  const { shown, etag, text } = editable;
  const diff = after === undefined ? "" : showDiff({ before: text, after, path: shown, mostLines: CONFLICT_LINES });
  return filesystemError("conflict", `The file is not what it was when it was read: ${shown}`, {
    suggestion: `read(file_paths=[${quoteName(shown)}]), then repeat the edit on what it holds now.`,
    details: { etag, ...(diff !== "" && { diff }) },
  });
}

/** An error for an edit that leaves the text as it is. */
export function noChange(shown: string, why: string): ToolError {
  return filesystemError("no_change", `${why}: ${shown}`, {
    suggestion: `Go on with the next change, or say in the new text what is to be different from what read(file_paths=[${quoteName(shown)}]) shows.`,
  });
}

/** An error for a line whose text is not the one expected. */
export function unexpectedLine(
  edit: LineEdit,
  scope: EditScope,
  found: { readonly text: string; readonly elsewhere: readonly number[] },
): ToolError {
  const { shown } = scope.editable;
  const [only] = found.elsewhere;
  const isOne = only !== undefined && found.elsewhere.length === 1;
  const read = suggestRead(shown, edit.line, edit.line + edit.count - 1);
  const call = `edit(path=${quoteName(shown)}, line_edits=[${JSON.stringify({ ...edit, line: only })}])`;
  return filesystemError(
    "no_match",
    `Line ${edit.line} is not what expect says but ${JSON.stringify(found.text.slice(0, 200))}: ${shown}`,
    {
      suggestion: isOne ? boundCall(call, `Repeat the edit with line=${only}; ${read} shows what is there.`) : read,
      details: { line: edit.line, text: found.text.slice(0, 2000), lines: found.elsewhere.slice(0, MOST_LINES_NAMED) },
    },
  );
}

/** Whether a step proves by itself that the place is the one meant. */
export function isProof(strategy: MatchStep, matches: { readonly length: number }): boolean {
  return strategy === "exact" && matches.length === 1;
}
