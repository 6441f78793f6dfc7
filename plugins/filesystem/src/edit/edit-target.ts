import { ToolError } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { explainLink } from "../files/explain-link.ts";
import { findVariant } from "../files/name-variants.ts";
import { quoteName } from "../files/show-name.ts";
import { spellFirstWrite } from "../files/spell-change.ts";
import { readFirst, suggestNext } from "../files/suggest-next.ts";
import { inexpressible } from "../write/encode-content.ts";
import { loadTarget, type Target } from "../write/load-target.ts";
import { encodeText, type Charset } from "../text/charset.ts";
import { isText } from "../text/detect-text.ts";
import type { TextSurvey } from "../text/survey-text.ts";

/** A text file that can be edited without losing a byte. */
export interface Editable {
  /** As results name the file. */
  readonly shown: string;
  /** The path to write to, which differs from the one asked for where a look-alike name was found. */
  readonly path: string;
  readonly realPath: string;
  readonly etag: string;
  readonly charset: Charset;
  readonly hasMark: boolean;
  /** Without the mark. */
  readonly text: string;
  readonly endings: TextSurvey["endings"];
}

/** How a file is read so that it can be edited. */
export interface LoadOptions {
  readonly signal: AbortSignal;
  /** What was to come into the file; where there is none, a call that makes it has this text. */
  readonly newText?: string | undefined;
}

/**
 * Reads a text file of at most 20 MiB so that it can be changed in parts.
 * @throws ToolError `not_found`, `too_large`, `binary_file`, or `undecodable` where bytes would be lost.
 */
export async function loadEditable(
  workspace: Workspace,
  path: string,
  { signal, newText }: LoadOptions,
): Promise<Editable> {
  const found = await findTarget(workspace, path, { signal, newText });
  const { target } = found;
  const { shown } = found;
  if (target.bytes === undefined) {
    throw filesystemError("too_large", `A file of ${target.size} bytes is not edited, 20 MiB at most: ${shown}`, {
      suggestion: "Use a shell tool, such as sed, on a file of this size.",
      details: { size: target.size },
    });
  }
  if (!isText(target.holds) || target.text === undefined) {
    throw filesystemError("binary_file", `A binary file of ${target.size} bytes is not edited as text: ${shown}`, {
      suggestion: "No file tool changes a part of it: use the program that made it, or a shell tool.",
      details: { kind: target.holds.kind, size: target.size },
    });
  }
  if (target.holds.isLossy) {
    throw filesystemError(
      "undecodable",
      `The encoding of the file is not known, so its bytes would be lost: ${shown}`,
      {
        suggestion: `read(file_paths=[${quoteName(shown)}]) shows it as far as it is text; then convert it with a shell tool, such as iconv, or write it whole with mode="overwrite" and encoding="utf-8".`,
      },
    );
  }
  const { charset, hasMark } = target.holds;
  const { realPath, etag, text, endings } = target;
  return { shown, path: found.path, realPath, etag, charset, hasMark, text, endings };
}

/**
 * Gives the bytes of a changed text, in the encoding and with the mark the file had.
 * @throws ToolError `undecodable` when the encoding cannot express it.
 */
export function encodeEdited(
  { charset, hasMark, shown }: Pick<Editable, "charset" | "hasMark" | "shown">,
  newText: string,
): Uint8Array {
  const bytes = encodeText(charset, newText);
  if (bytes === undefined) {
    const suggestion = `read_file(path=${quoteName(shown)}), then a write of the whole text with mode="overwrite" and encoding="utf-8" changes the encoding.`;
    throw inexpressible(newText, { charset, shown, suggestion });
  }
  return hasMark ? Buffer.concat([charset.mark, bytes]) : bytes;
}

interface FoundTarget {
  readonly path: string;
  readonly shown: string;
  readonly target: Target;
}

async function findTarget(workspace: Workspace, path: string, options: LoadOptions): Promise<FoundTarget> {
  const { signal } = options;
  const shown = workspace.display(workspace.resolve(path));
  const target = await loadTarget(workspace, path, signal);
  if (target !== undefined) return { path, shown, target };
  const variant = await findVariant(workspace, path);
  const other = variant === undefined ? undefined : await loadTarget(workspace, variant, signal);
  if (variant === undefined || other === undefined)
    throw await toNotFound(workspace, path, { shown, newText: options.newText });
  return { path: variant, shown: workspace.display(variant), target: other };
}

/** The error of the disk, which names what is alike, or what a link leads to. */
async function toNotFound(
  workspace: Workspace,
  path: string,
  { shown, newText }: { readonly shown: string; readonly newText: string | undefined },
): Promise<ToolError> {
  try {
    await using file = await workspace.open(path);
    return filesystemError("conflict", `The file came to be only now: ${workspace.display(file.realPath)}`);
  } catch (error) {
    if (!ToolError.is(error)) throw error;
    const explained = await explainLink(workspace, path, error);
    if (explained.code !== "not_found") return explained;
    const isAlone = explained.suggestion === undefined && explained.details?.["link_target"] === undefined;
    if (!isAlone) return suggestNext(explained, path, readFirst);
    return filesystemError("not_found", explained.message, {
      suggestion: `${spellFirstWrite(shown, { text: newText, exists: false })} makes a new file.`,
      ...(explained.details && { details: explained.details }),
    });
  }
}
