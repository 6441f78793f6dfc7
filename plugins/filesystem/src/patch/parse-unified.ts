import { parseFileName, parseGitNames, withoutPrefixes } from "./parse-file-name.ts";
import { isNamePair, parseHunks } from "./parse-hunks.ts";
import type { Hunk, PatchSection } from "./patch-file.ts";
import { invalidPatch, type PatchLine, type PatchReader } from "./patch-reader.ts";

interface GitHeader {
  readonly first: PatchLine;
  old?: string | undefined;
  young?: string | undefined;
  renamedFrom?: string | undefined;
  renamedTo?: string | undefined;
  oldMode?: string;
  newMode?: string;
  isNew: boolean;
  isDeleted: boolean;
}

/**
 * Reads one file of a unified diff, with git's own lines or without.
 * @throws ToolError `invalid_patch`, also for what is not applied: binary content, copies, links.
 */
export function parseUnified(reader: PatchReader, first: PatchLine): PatchSection {
  const header = parseHeader(reader, first);
  const { young } = header;
  const at = header.first;
  const hunks = reader.peek()?.text.startsWith("@@") === true ? parseHunks(reader, "unified") : [];
  if (header.isNew) return toAdded(header, hunks);
  if (header.isDeleted) {
    const path = header.old ?? young;
    if (path === undefined) throw invalidPatch("the name of the file to delete", at);
    return { op: "delete", path, patchLine: at.number, hunks };
  }
  const old = header.renamedFrom ?? header.old ?? young;
  const renamed = header.renamedTo ?? young ?? old;
  if (old === undefined || renamed === undefined) throw invalidPatch("two file names: --- a/old and +++ b/new", at);
  if (old !== renamed && header.renamedTo === undefined) {
    throw invalidPatch(`one name in both lines, or "rename from ${old}" and "rename to ${renamed}" before them`, at);
  }
  const executable = executableBit(header);
  if (hunks.length === 0 && old === renamed && executable === undefined) {
    throw reader.expected(`the hunks of ${old}, each beginning with "@@"`);
  }
  return {
    op: "update",
    path: old,
    patchLine: at.number,
    hunks,
    ...(old !== renamed && { movedTo: renamed }),
    ...(executable !== undefined && { executable }),
  };
}

function parseHeader(reader: PatchReader, first: PatchLine): GitHeader {
  const header: GitHeader = { first, isNew: false, isDeleted: false };
  if (reader.peek()?.text.startsWith("diff --git ") === true) {
    const { old, young } = parseGitNames(reader.next()?.text.slice("diff --git ".length) ?? "");
    Object.assign(header, withoutPrefixes(old, young));
  }
  for (let line = reader.peek(); line !== undefined; line = reader.peek()) {
    if (isNamePair(reader) || line.text.startsWith("--- ")) {
      takeNames(reader, header);
      break;
    }
    if (!takeGitLine(header, line)) break;
    reader.next();
  }
  return header;
}

function takeNames(reader: PatchReader, header: GitHeader): void {
  const old = parseFileName(reader.next()?.text.slice("--- ".length) ?? "");
  if (reader.peek()?.text.startsWith("+++ ") !== true) throw reader.expected('the new name, "+++ b/file"');
  const young = parseFileName(reader.next()?.text.slice("+++ ".length) ?? "");
  header.isNew ||= old === undefined;
  header.isDeleted ||= young === undefined;
  if (old === undefined && young === undefined) throw invalidPatch("a file name; both are /dev/null", header.first);
  Object.assign(header, withoutPrefixes(old, young));
}

/** Takes one of git's lines between the file and its hunks; false for a line that is none. */
function takeGitLine(header: GitHeader, line: PatchLine): boolean {
  const [, key = "", value = ""] =
    /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index|GIT binary patch|Binary files)(?: (.*))?$/u.exec(
      line.text,
    ) ?? [];
  if (key === "") return false;
  if (key.startsWith("copy")) throw invalidPatch("no copies; add the new file with its content instead", line);
  if (key === "GIT binary patch" || key === "Binary files") {
    throw invalidPatch("a text file; binary content is not patched", line);
  }
  if (key === "rename from") header.renamedFrom = parseFileName(value);
  if (key === "rename to") header.renamedTo = parseFileName(value);
  if (key === "old mode") header.oldMode = value.trim();
  if (key.endsWith("mode") && key !== "old mode") {
    if (!/^100[0-7]{3}\s*$/u.test(value)) {
      throw invalidPatch("the mode of a regular file, 100644 or 100755; links and submodules are not patched", line);
    }
    if (key !== "deleted file mode") header.newMode = value.trim();
    header.isNew ||= key === "new file mode";
    header.isDeleted ||= key === "deleted file mode";
  }
  return true;
}

function toAdded(header: GitHeader, hunks: readonly Hunk[]): PatchSection {
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

function executableBit({ oldMode, newMode }: GitHeader): boolean | undefined {
  if (newMode === undefined) return undefined;
  const isExecutable = (mode: string): boolean => (Number.parseInt(mode, 8) & 0o111) !== 0;
  if (isExecutable(newMode)) return true;
  return oldMode !== undefined && isExecutable(oldMode) ? false : undefined;
}
