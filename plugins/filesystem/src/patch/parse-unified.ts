import { executableBit, parseGitHeader, type GitHeader } from "./git-header.ts";
import { parseHunks } from "./parse-hunks.ts";
import type { AddSection, DeleteSection, Hunk, PatchSection, UpdateSection } from "./patch-file.ts";
import { invalidPatch, type PatchLine, type PatchReader } from "./patch-reader.ts";

/**
 * Reads one file of a unified diff, with git's own lines or without.
 * @throws ToolError `invalid_patch`, also for what is not applied: binary content, copies, links.
 */
export function parseUnified(reader: PatchReader, first: PatchLine): PatchSection {
  const header = parseGitHeader(reader, first);
  const hunks = reader.peek()?.text.startsWith("@@") === true ? parseHunks(reader, "unified") : [];
  if (header.isNew) return toAdded(header, hunks);
  if (header.isDeleted) return toDeleted(header, hunks);
  const update = toUpdated(header, hunks);
  if (hunks.length === 0 && update.movedTo === undefined && update.executable === undefined) {
    throw reader.expected(`the hunks of ${update.path}, each beginning with "@@"`);
  }
  return update;
}

function toDeleted({ first, old, young }: GitHeader, hunks: readonly Hunk[]): DeleteSection {
  const path = old ?? young;
  if (path === undefined) throw invalidPatch("the name of the file to delete", first);
  return { op: "delete", path, patchLine: first.number, hunks };
}

function toUpdated(header: GitHeader, hunks: readonly Hunk[]): UpdateSection {
  const { first, renamedFrom, renamedTo } = header;
  const old = renamedFrom ?? header.old ?? header.young;
  const young = renamedTo ?? header.young ?? old;
  if (old === undefined || young === undefined) throw invalidPatch("two file names: --- a/old and +++ b/new", first);
  if (old !== young && renamedTo === undefined) {
    throw invalidPatch(`one name in both lines, or "rename from ${old}" and "rename to ${young}" before them`, first);
  }
  const executable = executableBit(header);
  return {
    op: "update",
    path: old,
    patchLine: first.number,
    hunks,
    ...(old !== young && { movedTo: young }),
    ...(executable !== undefined && { executable }),
  };
}

function toAdded(header: GitHeader, hunks: readonly Hunk[]): AddSection {
  const path = header.young ?? header.old;
  const { number } = header.first;
  if (path === undefined) throw invalidPatch("the name of the new file", header.first);
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const wrong = hunks.find((hunk) => hunk.lines.some(({ sign }) => sign !== "+"));
  if (wrong !== undefined) {
    throw invalidPatch(`only lines that begin with "+", since ${path} is new`, { number: wrong.patchLine, text: "@@" });
  }
  const executable = executableBit(header);
  return {
    op: "add",
    path,
    patchLine: number,
    lines: lines.map(({ text, hasReturn }) => ({ text, hasReturn })),
    isBare: hunks.at(-1)?.newIsBare ?? false,
    ...(executable === true && { executable }),
  };
}
