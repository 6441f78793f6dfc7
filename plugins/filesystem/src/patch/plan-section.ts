import { isAbsolute } from "node:path";
import { ToolError } from "@aiw/core";
import { etagOfBytes, type PlannedChange, type Workspace } from "@aiw/core/node";
import { encodeEdited } from "../edit/edit-target.ts";
import { filesystemError } from "../errors.ts";
import { findWantedEnding } from "../files/editor-config.ts";
import { quoteName } from "../files/show-name.ts";
import { UTF_8 } from "../text/charset.ts";
import { findOmission } from "../text/find-omission.ts";
import { countTextLines, mainEnding } from "../text/line-endings.ts";
import { addedLines, joinRanges, shiftRanges, type LineSpan } from "../text/line-ranges.ts";
import { applyHunks, type FailedHunk, type PatchedText } from "./apply-hunks.ts";
import { assertShown } from "./assert-shown.ts";
import type { AddSection, DeleteSection, PatchSection, UpdateSection } from "./patch-file.ts";
import type { PatchedFile, PatchFiles } from "./patch-files.ts";

/** What one section of a patch comes to. */
export interface PlannedSection {
  readonly op: PatchSection["op"] | "move";
  /** As results name the file afterwards. */
  readonly shown: string;
  /** As they named it before, of a file that moves. */
  readonly movedFrom?: string;
  readonly before: string;
  readonly after: string;
  readonly additions: number;
  readonly deletions: number;
  readonly hunks: readonly { readonly strategy: string; readonly first_line: number }[];
  readonly failed: readonly FailedHunk[];
  readonly changes: readonly PlannedChange[];
}

/** What planning needs beside the section. */
export interface SectionScope {
  readonly workspace: Workspace;
  readonly files: PatchFiles;
  readonly partial: boolean;
  readonly hardLinks: "detach" | "keep";
}

/** Failing hunks of one file, on their way to the whole answer. */
export class HunksFailed extends Error {
  readonly hunks: readonly FailedHunk[];
  constructor(hunks: readonly FailedHunk[]) {
    super("hunks failed");
    this.hunks = hunks;
  }
}

/**
 * Says what a section changes, and shows it to the sections after it; nothing is written.
 * @throws ToolError or {@link HunksFailed} when it cannot be applied.
 */
export async function planSection(section: PatchSection, scope: SectionScope): Promise<PlannedSection> {
  await scope.files.assertWritable(section.path);
  if (section.op === "add") return await planAdd(section, scope);
  if (section.op === "delete") return await planDelete(section, scope);
  return await planUpdate(section, scope);
}

async function planAdd(section: AddSection, { workspace, files }: SectionScope): Promise<PlannedSection> {
  const { path, lines, isBare, executable } = section;
  const shown = files.show(path);
  if ((await files.find(path)) !== undefined) {
    throw filesystemError("already_exists", `The patch adds a file that exists: ${shown}`, {
      suggestion: `read(file_paths=[${quoteName(shown)}]), then patch it with "*** Update File: ${shown}".`,
    });
  }
  const realPath = await files.realPath(path);
  const ending = await newFileEnding(workspace, path);
  const saysEndings = lines.some(({ hasReturn }) => hasReturn);
  const pieces = lines.map(({ text, hasReturn }, at) => {
    if (isBare && at === lines.length - 1) return text;
    return text + (saysEndings ? (hasReturn ? "\r\n" : "\n") : ending);
  });
  const text = pieces.join("");
  refuseOmission(shown, { text, old: "" });
  const blank = { shown, path, realPath, charset: UTF_8, hasMark: false };
  const bytes = encodeEdited(blank, text);
  const endings = { lf: 0, crlf: 0 };
  files.set(realPath, { ...blank, etag: etagOfBytes(bytes), text, endings, seen: wholeRange(text), isStale: false });
  return {
    op: "add",
    shown,
    before: "",
    after: text,
    additions: lines.length,
    deletions: 0,
    hunks: [],
    failed: [],
    changes: [
      {
        op: "write",
        path,
        content: bytes,
        options: { mode: "create", createDirs: true, ...(executable !== undefined && { executable }) },
        lines: { additions: lines.length, deletions: 0 },
      },
    ],
  };
}

async function planDelete(section: DeleteSection, { files }: SectionScope): Promise<PlannedSection> {
  const file = await loadToDelete(section, files);
  const { shown, text } = file;
  if (section.hunks.length > 0) {
    const patched = applyHunks(text, section.hunks, "\n");
    if (patched.failed.length > 0) throw new HunksFailed(patched.failed);
    if (patched.text !== "") {
      throw filesystemError("conflict", `The file holds more than the patch deletes: ${shown}`, {
        suggestion: `read(file_paths=[${quoteName(shown)}]), or "*** Delete File: ${shown}" without its lines.`,
      });
    }
  }
  const deletions = countTextLines(text);
  assertShown(file, section.hunks.length > 0 ? [[1, deletions]] : "some");
  files.set(file.realPath, undefined);
  const lines = { additions: 0, deletions };
  return {
    op: "delete",
    shown,
    before: text,
    after: "",
    ...lines,
    hunks: [],
    failed: [],
    changes: [{ op: "delete", path: file.path, expectedEtag: file.etag, lines }],
  };
}

async function loadToDelete({ path }: DeleteSection, files: PatchFiles): Promise<PatchedFile> {
  try {
    return await files.load(path);
  } catch (error) {
    const isOther =
      ToolError.is(error) && ["binary_file", "too_large", "undecodable", "not_a_file"].includes(error.code);
    if (!isOther) throw error;
    throw filesystemError(error.code as "binary_file", `A patch deletes text files only: ${files.show(path)}`, {
      suggestion: `delete(paths=[${quoteName(files.show(path))}])`,
      cause: error,
    });
  }
}

async function planUpdate(section: UpdateSection, scope: SectionScope): Promise<PlannedSection> {
  const { files, workspace } = scope;
  const file = await files.load(section.path);
  const { shown, text } = file;
  const target = await findDestination(section, file, files);
  const patched = await patchText(file, section, scope);
  const isSame = patched.text === text;
  if (isSame && target === undefined && section.executable === undefined) {
    throw filesystemError("no_change", `The patch leaves the file as it is: ${shown}`, {
      suggestion: 'Give the lines that go with "-" and those that come with "+".',
    });
  }
  const bytes = encodeEdited(file, patched.text);
  const seen = joinRanges([...shiftRanges(file.seen ?? [], patched.shifts), ...addedLines(patched.shifts)]);
  const place = target ?? { path: file.path, realPath: file.realPath, shown };
  if (target !== undefined) files.set(file.realPath, undefined);
  const after = { ...file, ...place, text: patched.text, etag: etagOfBytes(bytes), isStale: file.isStale && isSame };
  files.set(place.realPath, { ...after, seen: file.seen === undefined && isSame ? undefined : seen });
  const lines = { additions: patched.additions, deletions: patched.deletions };
  const { executable } = section;
  const changes: PlannedChange[] = [];
  if (target !== undefined) changes.push({ op: "move", from: file.path, to: target.path, createDirs: true });
  if (!isSame || executable !== undefined) {
    changes.push({
      op: "write",
      path: place.path,
      content: bytes,
      options: {
        mode: "overwrite",
        expectedEtag: file.etag,
        hardLinks: scope.hardLinks,
        ...(executable !== undefined && { executable }),
      },
      lines,
    });
  }
  return {
    op: target === undefined ? "update" : "move",
    shown: workspace.display(workspace.resolve(place.path)),
    ...(target !== undefined && { movedFrom: shown }),
    before: text,
    after: patched.text,
    ...lines,
    hunks: describeHunks(patched),
    failed: patched.failed,
    changes,
  };
}

async function patchText(file: PatchedFile, section: UpdateSection, scope: SectionScope): Promise<PatchedText> {
  const { text, endings, shown } = file;
  const main = mainEnding(endings);
  const ending = main === undefined ? await newFileEnding(scope.workspace, file.path) : main === "lf" ? "\n" : "\r\n";
  const patched = applyHunks(text, section.hunks, ending);
  if (patched.failed.length > 0) {
    if (file.seen === undefined) assertShown(file, "some");
    const isWhole = patched.placed.length > 0 || section.movedTo !== undefined;
    if (!scope.partial || !isWhole) throw new HunksFailed(patched.failed);
  }
  if (section.hunks.length > 0)
    assertShown(
      file,
      patched.placed.map(({ place, covered }) => neededLines(file, place.first, covered)),
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

interface Destination {
  readonly path: string;
  readonly realPath: string;
  readonly shown: string;
}

async function findDestination(
  { movedTo }: UpdateSection,
  file: PatchedFile,
  files: PatchFiles,
): Promise<Destination | undefined> {
  if (movedTo === undefined) return undefined;
  await files.assertWritable(movedTo);
  const [realPath, shown] = [await files.realPath(movedTo), files.show(movedTo)];
  if (realPath === file.realPath) return undefined;
  const there = await files.find(movedTo);
  const isCaseOnly = realPath.toLowerCase() === file.realPath.toLowerCase() && there === (await files.find(file.path));
  if (there !== undefined && !isCaseOnly) {
    throw filesystemError("already_exists", `The patch moves ${file.shown} onto a file that exists: ${shown}`, {
      suggestion: `Delete it first with "*** Delete File: ${shown}" in the same patch, or move to another name.`,
    });
  }
  return { path: isAbsolute(movedTo) ? movedTo : movedTo.replace(/[/\\]+$/u, ""), realPath, shown };
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

function refuseOmission(shown: string, { text, old }: { readonly text: string; readonly old: string }): void {
  const omission = findOmission(text, { old, path: shown });
  if (omission === undefined) return;
  throw filesystemError(
    "omission_placeholder",
    `An added line stands for text that was left out: ${JSON.stringify(omission.text)}: ${shown}`,
    { suggestion: "Write out what belongs there.", details: { text: omission.text } },
  );
}

async function newFileEnding(workspace: Workspace, path: string): Promise<"\n" | "\r\n"> {
  return (await findWantedEnding(workspace, workspace.resolve(path))) === "crlf" ? "\r\n" : "\n";
}

function wholeRange(text: string): LineSpan[] {
  const lines = countTextLines(text);
  return lines === 0 ? [] : [[1, lines]];
}
