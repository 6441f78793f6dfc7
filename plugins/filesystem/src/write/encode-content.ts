import type { ToolError } from "@aiw/core";
import { filesystemError } from "../errors.ts";
import { quoteName } from "../files/show-name.ts";
import { encodeText, isFaithful, UTF_8, type Charset } from "../text/charset.ts";
import { isText, requireCharset } from "../text/detect-text.ts";
import { convertEndings, keepEndings, mainEnding } from "../text/line-endings.ts";
import type { Target } from "./load-target.ts";
import { spellWrite } from "./spell-write.ts";
import type { WriteInput } from "./write-schema.ts";

/** A content as it goes to the disk. */
export interface EncodedContent {
  /** Without a mark. */
  readonly text: string;
  readonly bytes: Uint8Array;
}

const MARK = "\ufeff";

/** Gives the line endings a content is written with: those asked for, else those of the file, else those the project wants. */
export async function endLines(
  { content, eol, mode }: WriteInput,
  target: Target | undefined,
  wanted: () => Promise<"lf" | "crlf" | undefined>,
): Promise<string> {
  if (eol !== "keep") return convertEndings(content, eol);
  if (target === undefined) {
    const ending = await wanted();
    return ending === undefined ? content : convertEndings(content, ending);
  }
  if (!isText(target.holds)) return content;
  if (mode === "overwrite" && target.text !== undefined) return keepEndings(content, target.text);
  const ending = mainEnding(target.endings);
  return ending === undefined ? content : convertEndings(content, ending);
}

/**
 * Encodes a content for the file it goes to; an existing file keeps its encoding and mark.
 * @throws ToolError `undecodable` when the encoding cannot express it, or the file's own is not known.
 */
export function encodeContent(
  text: string,
  { input, target, shown }: { readonly input: WriteInput; readonly target: Target | undefined; readonly shown: string },
): EncodedContent {
  const charset =
    input.encoding === "keep" ? keptCharset(target, { input, shown }) : namedCharset(input, { target, shown });
  const isAppended = input.mode === "append" && target !== undefined && target.size > 0;
  const hasMark = !isAppended && needsMark(charset, input.encoding, target);
  const plain = hasMark && text.startsWith(MARK) ? text.slice(1) : text;
  const bytes = encodeText(charset, plain);
  if (bytes === undefined) {
    const suggestion = isAppended
      ? `read_file(path=${quoteName(shown)}), then a write of the whole text with mode="overwrite" and encoding="utf-8".`
      : spellWrite(input, { encoding: "utf-8" }, 'Repeat the write with encoding="utf-8".');
    throw inexpressible(plain, { charset, shown, suggestion });
  }
  return { text: plain, bytes: hasMark ? Buffer.concat([charset.mark, bytes]) : bytes };
}

function keptCharset(
  target: Target | undefined,
  { input, shown }: { readonly input: WriteInput; readonly shown: string },
): Charset {
  if (target === undefined) return UTF_8;
  const { holds } = target;
  if (!isText(holds)) {
    if (input.mode !== "append") return UTF_8;
    throw filesystemError("binary_file", `Text is not appended to a binary file: ${shown}`, {
      suggestion: "No file tool appends to it: use the program that made it, or a shell tool.",
      details: { kind: holds.kind, size: target.size },
    });
  }
  if (holds.isLossy) {
    throw filesystemError("undecodable", `The encoding of the file is not known, so it cannot be kept: ${shown}`, {
      suggestion: `${spellWrite(input, { encoding: "utf-8" }, 'Repeat the write with encoding="utf-8"')}, or the encoding the file has.`,
    });
  }
  return holds.charset;
}

/** Appending in another encoding would leave a file that is text in neither. */
function namedCharset(
  input: WriteInput,
  { target, shown }: { readonly target: Target | undefined; readonly shown: string },
): Charset {
  const { encoding, mode } = input;
  const charset = requireCharset(encoding, target?.bytes);
  if (mode !== "append" || target === undefined || target.size === 0) return charset;
  const { holds, bytes } = target;
  const isAlike = isText(holds) && holds.charset.label === charset.label;
  if (
    isAlike ||
    (bytes !== undefined && isText(holds) && charset.unit === 1 && !holds.hasMark && isFaithful(charset, bytes))
  )
    return charset;
  const label = isText(holds) ? holds.charset.label : holds.kind;
  throw filesystemError(
    "undecodable",
    `The file is ${label}, to which ${charset.label} text is not appended: ${shown}`,
    {
      suggestion: spellWrite({ ...input, encoding: "keep" }, {}, "Repeat the write without encoding."),
    },
  );
}

function needsMark(charset: Charset, asked: string, target: Target | undefined): boolean {
  if (charset.mark.length === 0) return false;
  if (target !== undefined && isText(target.holds) && target.holds.hasMark) return true;
  // These labels leave the byte order to a mark.
  return (
    /^(?:utf-?16|ucs-?2|utf-?32)$/iu.test(asked) &&
    (target === undefined || target.size === 0 || !isText(target.holds) || target.holds.charset !== charset)
  );
}

/** An error for text that an encoding has no bytes for. */
export function inexpressible(
  text: string,
  { charset, shown, suggestion }: { readonly charset: Charset; readonly shown: string; readonly suggestion: string },
): ToolError {
  const first = [...new Set(text)].find((character) => encodeText(charset, character) === undefined) ?? "";
  const code = `U+${(first.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return filesystemError("undecodable", `${charset.label} cannot express ${code} ${JSON.stringify(first)}: ${shown}`, {
    suggestion,
    details: { character: code },
  });
}
