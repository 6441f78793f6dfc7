import { ToolError } from "@aiw/core";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { spellSearchFor } from "../files/suggest-next.ts";
import { countTextLines } from "../text/line-endings.ts";
import { applyHunks } from "./apply-hunks.ts";
import { assertCurrent, assertShown } from "./assert-shown.ts";
import { changedSinceRead } from "./changed-since-read.ts";
import { HunksFailed } from "./hunks-failed.ts";
import type { DeleteSection } from "./patch-file.ts";
import type { PatchedFile, PatchFiles } from "./patch-files.ts";
import type { PlannedSection, SectionScope } from "./planned-section.ts";

/** Plans a file that goes: some of it was shown, or the patch lists all of its lines exactly. */
export async function planDelete(section: DeleteSection, { files, turns }: SectionScope): Promise<PlannedSection> {
  const file = await loadToDelete(section, files);
  const { shown, text } = file;
  const deletions = countTextLines(text);
  if (section.hunks.length === 0) assertShown(file, "some");
  else {
    const patched = await applyHunks(text, section.hunks, { ending: "\n", turns, shown });
    if (patched.failed.length > 0) {
      assertCurrent(file);
      throw new HunksFailed(patched.failed);
    }
    if (patched.text !== "") {
      throw filesystemError("conflict", `The file holds more than the patch deletes: ${shown}`, {
        suggestion: `read(file_paths=[${quoteName(shown)}]), or "*** Delete File: ${shown}" without its lines.`,
      });
    }
    const isListed = patched.placed.every(({ place, covered }) => covered > 0 && place.strategy === "exact");
    assertShown(file, isListed ? [] : [[1, deletions]]);
  }
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
    ...changedSinceRead(file, section.hunks.length),
    changes: [{ op: "delete", path: file.path, expectedEtag: file.etag, lines }],
  };
}

async function loadToDelete({ path }: DeleteSection, files: PatchFiles): Promise<PatchedFile> {
  try {
    return await files.load(path);
  } catch (error) {
    if (ToolError.is(error) && error.code === "not_found") throw notFound(path, error);
    const isOther =
      ToolError.is(error) && ["binary_file", "too_large", "undecodable", "not_a_file"].includes(error.code);
    if (!isOther) throw error;
    throw filesystemError(error.code as "binary_file", `A patch deletes text files only: ${files.show(path)}`, {
      suggestion: `delete(paths=[${quoteName(files.show(path))}])`,
      cause: error,
    });
  }
}

/** Who wants a file gone is not helped by a call that makes it. */
function notFound(path: string, error: ToolError): ToolError {
  const { message, details = {} } = error;
  const isKnown = details["nearest"] !== undefined || details["link_target"] !== undefined;
  return isKnown ? error : filesystemError("not_found", message, { suggestion: spellSearchFor(path), details });
}
