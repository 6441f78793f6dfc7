import { readBlocks } from "./byte-source.ts";
import { decodeBytes, isFaithful, startDecoding, startFaithCheck, type Charset } from "./charset.ts";
import { afterNewline } from "./after-newline.ts";
import type { TextBytes } from "./find-newlines.ts";
import { LINE_CHARS } from "./number-lines.ts";

/** One line without its ending. */
export interface TextLine {
  /** At most 2,000 characters. */
  readonly text: string;
  /** Characters after those. */
  readonly omitted: number;
  /** Where the next line begins. */
  readonly end: number;
  readonly endsWith: "" | "\n" | "\r\n";
  /** Bytes of the line are no text of the encoding. */
  readonly isLossy: boolean;
  /** The line goes on after `end`: there were bytes enough. */
  readonly isOpen?: true;
}

/**
 * Decodes lines one at a time from the beginning of one, in memory that does not grow with them.
 * A line that is still open after `mostBytes` is the last.
 */
export async function* readLines(
  { source, charset }: TextBytes,
  position: number,
  mostBytes: number,
): AsyncGenerator<TextLine, void> {
  let at = position;
  let open: OpenLine | undefined;
  for await (const block of readBlocks(source, position)) {
    let from = 0;
    for (let end = afterNewline(block, 0, charset); end !== -1; end = afterNewline(block, end, charset)) {
      const bytes = block.subarray(from, end - charset.unit);
      yield open === undefined ? wholeLine(charset, bytes, at + end) : closeLine(open, bytes, at + end);
      open = undefined;
      from = end;
    }
    if (from < block.length) {
      open ??= openLine(charset);
      open.write(block.subarray(from));
    }
    at += block.length;
    if (open !== undefined && at - position >= mostBytes && at < source.size) {
      yield { ...open.end(at, false), isOpen: true };
      return;
    }
  }
  if (open !== undefined) yield open.end(at, false);
}

function wholeLine(charset: Charset, bytes: Buffer, end: number): TextLine {
  const isLossy = !isFaithful(charset, bytes);
  return toLine(decodeBytes(charset, bytes), { end, isEnded: true, isLossy });
}

function closeLine(open: OpenLine, bytes: Buffer, end: number): TextLine {
  open.write(bytes);
  return open.end(end, true);
}

interface OpenLine {
  write(bytes: Buffer): void;
  end(end: number, isEnded: boolean): TextLine;
}

/** A line that blocks cut; past what is shown, only its characters are counted. */
function openLine(charset: Charset): OpenLine {
  const decoding = startDecoding(charset);
  let kept = "";
  let length = 0;
  let last = "";
  const check = startFaithCheck(charset);
  const add = (text: string): void => {
    if (kept.length <= LINE_CHARS) kept += text.slice(0, LINE_CHARS + 2 - kept.length);
    length += text.length;
    last = text.at(-1) ?? last;
  };
  return {
    write(bytes) {
      check.write(bytes);
      add(decoding.write(bytes));
    },
    end(end, isEnded) {
      add(decoding.end());
      return toLine(kept, { end, isEnded, isLossy: !check.end(), length, last });
    },
  };
}

interface LineFacts {
  readonly end: number;
  readonly isEnded: boolean;
  readonly isLossy: boolean;
  /** Of the whole line, when `text` is only its beginning. */
  readonly length?: number;
  readonly last?: string;
}

function toLine(
  text: string,
  { end, isEnded, isLossy, length = text.length, last = text.at(-1) }: LineFacts,
): TextLine {
  const isCrLf = isEnded && last === "\r";
  const chars = length - (isCrLf ? 1 : 0);
  const endsWith = isEnded ? (isCrLf ? "\r\n" : "\n") : "";
  if (chars <= LINE_CHARS) return { text: text.slice(0, chars), omitted: 0, end, endsWith, isLossy };
  const shown = text.slice(0, endOfCharacter(text));
  return { text: shown, omitted: chars - shown.length, end, endsWith, isLossy };
}

/** Never shows half of a surrogate pair. */
function endOfCharacter(text: string): number {
  const code = text.charCodeAt(LINE_CHARS - 1);
  return code >= 0xd800 && code <= 0xdbff ? LINE_CHARS - 1 : LINE_CHARS;
}
