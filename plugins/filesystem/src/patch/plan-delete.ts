import { ToolError } from "@aiw/core";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { countTextLines } from "../text/line-endings.ts";
import { applyHunks } from "./apply-hunks.ts";
import { assertShown } from "./assert-shown.ts";
import { HunksFailed } from "./hunks-failed.ts";
import type { DeleteSection } from "./patch-file.ts";
import type { PatchedFile, PatchFiles } from "./patch-files.ts";
import type { PlannedSection, SectionScope } from "./planned-section.ts";

/** Plans a file that goes: some of it was shown, or all of it where the patch says what it holds. */
export async function planDelete(section: DeleteSection, { files }: SectionScope): Promise<PlannedSection> {
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
