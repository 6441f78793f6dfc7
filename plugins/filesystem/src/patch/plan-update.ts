import { etagOfBytes, type PlannedChange } from "@aiw/core/node";
import { isProof } from "../edit/edit-failures.ts";
import { encodeEdited } from "../edit/edit-target.ts";
import { indexLines } from "../edit/line-index.ts";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { countHunks } from "../text/count-hunks.ts";
import { hunksOfShifts } from "../text/diff-hunks.ts";
import { mainEnding } from "../text/line-endings.ts";
import { addedLines, joinRanges, shiftRanges, type LineSpan } from "../text/line-ranges.ts";
import { newFileEnding, refuseOmission } from "./added-text.ts";
import { applyHunks, type PatchedText } from "./apply-hunks.ts";
import { assertCurrent, assertShown } from "./assert-shown.ts";
import { changedSinceRead } from "./changed-since-read.ts";
import { findDestination, type Destination } from "./find-destination.ts";
import { HunksFailed } from "./hunks-failed.ts";
import type { UpdateSection } from "./patch-file.ts";
import type { PatchedFile } from "./patch-files.ts";
import type { PlannedSection, SectionScope } from "./planned-section.ts";

/** Plans a file that changes, moves, or both. */
export async function planUpdate(section: UpdateSection, scope: SectionScope): Promise<PlannedSection> {
  if (section.movedTo !== undefined && section.hunks.length === 0 && section.executable === undefined) {
    return await planMove(section.path, section.movedTo, scope);
  }
  const { files, workspace } = scope;
  const file = await files.load(section.path);
  await files.assertWritable(file.path, "content");
  const { shown, text } = file;
  const target = section.movedTo === undefined ? undefined : await findDestination(section.movedTo, file, files);
  const patched = await patchText(file, section, scope);
  const isSame = patched.text === text;
  if (isSame && target === undefined && section.executable === undefined) {
    throw filesystemError("no_change", `The patch leaves the file as it is: ${shown}`, {
      suggestion: `Give the lines that go with "-" and those that come with "+"; read(file_paths=[${quoteName(shown)}]) shows what is there.`,
    });
  }
  const bytes = encodeEdited(file, patched.text);
  const place = target ?? { path: file.path, realPath: file.realPath, shown };
  if (target !== undefined) files.set(file.realPath, undefined);
  const etag = etagOfBytes(bytes);
  files.set(place.realPath, afterPatch({ ...file, ...place }, patched, etag));
  const differences = hunksOfShifts(indexLines(text), indexLines(patched.text), patched.shifts);
  const lines = countHunks(differences);
  return {
    op: target === undefined ? "update" : "move",
    shown: workspace.display(workspace.resolve(place.path)),
    ...(target !== undefined && { movedFrom: shown }),
    etag,
    before: text,
    after: patched.text,
    differences,
    ...lines,
    hunks: describeHunks(patched),
    failed: patched.failed,
    ...changedSinceRead(file, patched.placed.length),
    changes: [
      ...(target === undefined ? [] : [toMove(file.path, target)]),
      ...(isSame && section.executable === undefined
        ? []
        : [toWrite(place.path, { section, scope, bytes, file, lines })]),
    ],
  };
}

/** A file that only gets another name may hold anything, and nothing of it has to be known. */
async function planMove(path: string, movedTo: string, { files }: SectionScope): Promise<PlannedSection> {
  const shown = files.show(path);
  const realPath = await files.assertFile(path, movedTo);
  const target = await findDestination(movedTo, { path, realPath }, files);
  if (target === undefined) {
    throw filesystemError("no_change", `The patch moves the file to where it is: ${shown}`, {
      suggestion: "Leave the section out, or name another path after *** Move to:.",
    });
  }
  files.rename(realPath, { ...target, from: path });
  return {
    op: "move",
    shown: target.shown,
    movedFrom: shown,
    before: "",
    after: "",
    additions: 0,
    deletions: 0,
    hunks: [],
    failed: [],
    changes: [toMove(path, target)],
  };
}

/** The file as sections after this one find it: lines that stay are known as before, those that come are known. */
function afterPatch(file: PatchedFile, { text, shifts }: PatchedText, etag: string): PatchedFile {
  if (text === file.text) return { ...file, etag };
  const seen = joinRanges([...shiftRanges(file.seen ?? [], shifts), ...addedLines(shifts)]);
  return { ...file, text, etag, seen, isStale: false };
}

interface Rewrite {
  readonly section: UpdateSection;
  readonly scope: SectionScope;
  readonly bytes: Uint8Array;
  readonly file: PatchedFile;
  readonly lines: { readonly additions: number; readonly deletions: number };
}

function toWrite(path: string, { section, scope, bytes, file, lines }: Rewrite): PlannedChange {
  const { executable } = section;
  const options = { mode: "overwrite", expectedEtag: file.etag, hardLinks: scope.hardLinks } as const;
  return {
    op: "write",
    path,
    content: bytes,
    options: { ...options, ...(executable !== undefined && { executable }) },
    lines,
  };
}

function toMove(from: string, { path }: Destination): PlannedChange {
  return { op: "move", from, to: path, createDirs: true };
}

async function patchText(file: PatchedFile, section: UpdateSection, scope: SectionScope): Promise<PatchedText> {
  const { text, endings, shown } = file;
  const main = mainEnding(endings);
  const ending = main === undefined ? await newFileEnding(scope.workspace, file.path) : main === "lf" ? "\n" : "\r\n";
  const patched = await applyHunks(text, section.hunks, { ending, turns: scope.turns, shown });
  if (patched.failed.length > 0) {
    const isWhole = patched.placed.length > 0 || section.movedTo !== undefined;
    if (!scope.partial || !isWhole) {
      assertCurrent(file);
      throw new HunksFailed(patched.failed);
    }
  }
  // What matches exactly and at one place of the file alone is its own proof, as in an edit.
  const unproven = patched.placed.filter(({ place }) => !isProof(place.strategy, { length: place.places }));
  assertShown(
    file,
    unproven.map(({ place, covered }) => neededLines(file, place.first, covered)),
  );
  const added = section.hunks.flatMap((hunk) => hunk.lines.filter(({ sign }) => sign === "+"));
  refuseOmission(shown, { text: added.map((line) => line.text).join("\n"), old: text });
  return patched;
}

/** The lines a hunk covers; one that adds at the end has to know the line before. */
function neededLines({ text }: PatchedFile, first: number, covered: number): LineSpan {
  if (covered > 0) return [first + 1, first + covered];
  return text === "" ? [1, 0] : [first, first];
}

function describeHunks({ placed, shifts }: PatchedText): PlannedSection["hunks"] {
  let [next, delta] = [0, 0];
  return placed.map(({ place }) => {
    for (let shift = shifts[next]; shift !== undefined && shift.line <= place.first; shift = shifts[next]) {
      delta += shift.added - shift.removed;
      next += 1;
    }
    return { strategy: place.strategy, first_line: place.first + 1 + delta };
  });
}
