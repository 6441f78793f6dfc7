import { parseFileName, parseGitNames, withoutPrefixes } from "./parse-file-name.ts";
import { isNamePair } from "./parse-hunks.ts";
import { invalidPatch, type PatchLine, type PatchReader } from "./patch-reader.ts";

/** What a unified diff says of a file before its hunks. */
export interface GitHeader {
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

const GIT_LINE =
  /^(old mode|new mode|new file mode|deleted file mode|rename from|rename to|copy from|copy to|similarity index|dissimilarity index|index|GIT binary patch|Binary files)(?: (.*))?$/u;

/**
 * Reads what stands before the hunks of a file: its names, and what git says beside them.
 * @throws ToolError `invalid_patch`
 */
export function parseGitHeader(reader: PatchReader, first: PatchLine): GitHeader {
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
  const [, key = "", value = ""] = GIT_LINE.exec(line.text) ?? [];
  if (key === "") return false;
  if (key.startsWith("copy")) throw invalidPatch("no copies; add the new file with its content instead", line);
  if (key === "GIT binary patch" || key === "Binary files") {
    throw invalidPatch("a text file; binary content is not patched", line);
  }
  if (key === "rename from") header.renamedFrom = parseFileName(value);
  else if (key === "rename to") header.renamedTo = parseFileName(value);
  else if (key === "old mode") header.oldMode = value.trim();
  else if (key.endsWith("mode")) takeMode(header, key, { line, mode: value.trim() });
  return true;
}

function takeMode(
  header: GitHeader,
  key: string,
  { line, mode }: { readonly line: PatchLine; readonly mode: string },
): void {
  if (!/^100[0-7]{3}$/u.test(mode)) {
    throw invalidPatch("the mode of a regular file, 100644 or 100755; links and submodules are not patched", line);
  }
  if (key === "deleted file mode") header.isDeleted = true;
  else header.newMode = mode;
  header.isNew ||= key === "new file mode";
}

/** Whether the file shall be executable; `undefined` where the diff does not change that. */
export function executableBit({ oldMode, newMode }: GitHeader): boolean | undefined {
  if (newMode === undefined) return undefined;
  const isExecutable = (mode: string): boolean => (Number.parseInt(mode, 8) & 0o111) !== 0;
  if (isExecutable(newMode)) return true;
  return oldMode !== undefined && isExecutable(oldMode) ? false : undefined;
}
