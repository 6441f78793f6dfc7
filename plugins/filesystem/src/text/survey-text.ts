import { isAscii } from "node:buffer";
import { readBlocks } from "./byte-source.ts";
import { startFaithCheck, type Charset } from "./charset.ts";
import { afterNewline, isCrLf } from "./after-newline.ts";
import { countNewlines } from "./count-newlines.ts";
import type { TextBytes } from "./find-newlines.ts";

/** How the lines of a text end. */
export type LineEnding = "lf" | "crlf" | "mixed";

/** What a look at every byte of a text tells. */
export interface TextSurvey {
  readonly isFaithful: boolean;
  readonly lines: number;
  /** Lines ended by a line feed alone, and by carriage return and line feed. */
  readonly endings: { readonly lf: number; readonly crlf: number };
  /** Where the first byte above 127 stands, or -1. */
  readonly firstHigh: number;
}

/** Names the line ending of a count; text of one line has that of everything else. */
export function nameEnding({ lf, crlf }: TextSurvey["endings"]): LineEnding {
  if (crlf === 0) return "lf";
  return lf === 0 ? "crlf" : "mixed";
}

/** Looks at every byte of a text once, in memory that does not grow with it. */
export async function surveyText({ source, charset, start }: TextBytes): Promise<TextSurvey> {
  const check = startFaithCheck(charset);
  const endings = { lf: 0, crlf: 0 };
  let position = start;
  let firstHigh = -1;
  let isOpen = false;
  let before = Buffer.alloc(0);
  for await (const block of readBlocks(source, start)) {
    check.write(block);
    if (charset.unit === 1 && before.at(-1) !== CARRIAGE_RETURN && !block.includes(CARRIAGE_RETURN)) {
      endings.lf += countNewlines(block, charset);
      isOpen = block.at(-1) !== LINE_FEED;
      if (firstHigh === -1) firstHigh = findHigh(block, position);
      before = Buffer.from(block.subarray(-1));
      position += block.length;
      continue;
    }
    let last = 0;
    for (let end = afterNewline(block, 0, charset); end !== -1; end = afterNewline(block, end, charset)) {
      const isFirst = end === charset.unit;
      const crlf = isFirst
        ? isCrLf(Buffer.concat([before, block.subarray(0, end)]), before.length + end, charset)
        : isCrLf(block, end, charset);
      endings[crlf ? "crlf" : "lf"] += 1;
      last = end;
    }
    if (firstHigh === -1) firstHigh = findHigh(block, position);
    isOpen = last < block.length;
    before = Buffer.from(block.subarray(-charset.unit));
    position += block.length;
  }
  return { isFaithful: check.end(), lines: endings.lf + endings.crlf + (isOpen ? 1 : 0), endings, firstHigh };
}

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

function findHigh(block: Buffer, position: number): number {
  return isAscii(block) ? -1 : position + block.findIndex((byte) => byte > 127);
}

/** Whether every byte is text of another encoding. */
export async function isFaithfulThroughout({ source, start }: TextBytes, charset: Charset): Promise<boolean> {
  const check = startFaithCheck(charset);
  for await (const block of readBlocks(source, start)) if (!check.write(block)) return false;
  return check.end();
}
