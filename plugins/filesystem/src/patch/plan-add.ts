import { etagOfBytes } from "@aiw/core/node";
import { encodeEdited } from "../edit/edit-target.ts";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { UTF_8 } from "../text/charset.ts";
import { countTextLines } from "../text/line-endings.ts";
import type { LineSpan } from "../text/line-ranges.ts";
import { newFileEnding, refuseOmission } from "./added-text.ts";
import type { AddSection } from "./patch-file.ts";
import type { PlannedSection, SectionScope } from "./planned-section.ts";

/** Plans a file that comes to be. */
export async function planAdd(section: AddSection, { workspace, files }: SectionScope): Promise<PlannedSection> {
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
  const etag = etagOfBytes(bytes);
  files.set(realPath, { ...blank, etag, text, endings, seen: wholeRange(text), isStale: false });
  return {
    op: "add",
    shown,
    etag,
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

function wholeRange(text: string): LineSpan[] {
  const lines = countTextLines(text);
  return lines === 0 ? [] : [[1, lines]];
}
