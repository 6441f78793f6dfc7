import { afterNewline } from "./after-newline.ts";
import type { Charset } from "./charset.ts";

/** Counts the line feeds of a block that begins between code units. */
export function countNewlines(block: Buffer, charset: Charset): number {
  if (charset.unit === 1) return countBytes(block);
  let count = 0;
  for (let at = afterNewline(block, 0, charset); at !== -1; at = afterNewline(block, at, charset)) count += 1;
  return count;
}

const LOW_BITS = 0x7f_7f_7f_7f;
const ONES = 0x01_01_01_01;
const NEWLINES = 0x0a_0a_0a_0a;
/** Words whose findings fit the four bytes of a sum. */
const WORDS_OF_A_SUM = 255;

/** Four bytes at a time: asking for the next line feed costs more than counting does where lines are short. */
function countBytes(block: Buffer): number {
  const lead = Math.min(block.length, (4 - (block.byteOffset % 4)) % 4);
  const most = (block.length - lead) >> 2;
  const words = most === 0 ? new Int32Array(0) : new Int32Array(block.buffer, block.byteOffset + lead, most);
  let count = 0;
  for (let index = 0; index < lead; index += 1) if (block[index] === 0x0a) count += 1;
  for (let index = lead + words.length * 4; index < block.length; index += 1) if (block[index] === 0x0a) count += 1;
  for (let from = 0; from < words.length; from += WORDS_OF_A_SUM) count += countInWords(words, from);
  return count;
}

function countInWords(words: Int32Array, from: number): number {
  const end = Math.min(words.length, from + WORDS_OF_A_SUM);
  let others = 0;
  for (let index = from; index < end; index += 1) {
    const word = (words[index] ?? 0) ^ NEWLINES;
    // The top bit of each byte that is not zero.
    others = (others + (((((word & LOW_BITS) + LOW_BITS) | word) >>> 7) & ONES)) | 0;
  }
  const count = (others & 0xff) + ((others >>> 8) & 0xff) + ((others >>> 16) & 0xff) + (others >>> 24);
  return (end - from) * 4 - count;
}
