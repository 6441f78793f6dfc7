/** Characters of JSON that one character takes at most: `\\u0000`. */
export const MOST_OF_A_CHARACTER = 6;

/** What JSON may escape: quotes, backslashes, controls and halves of surrogate pairs. */
const ESCAPED = /["\\\p{Cc}\p{Cs}]/u;

/** Controls with an escape of two characters: backspace, tab, line feed, form feed, carriage return. */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13]);

/** Counts the characters of a text as JSON, its quotes included, giving up above `room`. */
export function countJsonText(text: string, room: number = Number.POSITIVE_INFINITY): number {
  const least = text.length + 2;
  if (least > room || !ESCAPED.test(text)) return least;
  let count = least;
  for (let index = 0; index < text.length && count <= room; index += 1) {
    const code = text.charCodeAt(index);
    // What most texts are made of is passed over at once.
    const isPlain = code > 0x5c ? code < 0xd800 : code >= 0x20 && code !== 0x22 && code !== 0x5c;
    if (!isPlain) count += countAt(text, index) - 1;
  }
  return count;
}

/** Where to cut so that what is before takes at most `room` characters of JSON, never inside a surrogate pair. */
export function cutHead(text: string, room: number): number {
  let left = room;
  let end = 0;
  while (end < text.length) {
    const width = isPair(text, end) ? 2 : 1;
    left -= width === 2 ? 2 : countAt(text, end);
    if (left < 0) break;
    end += width;
  }
  return end;
}

/** Where to cut so that what is behind takes at most `room` characters of JSON, never inside a surrogate pair. */
export function cutTail(text: string, room: number): number {
  let left = room;
  let start = text.length;
  while (start > 0) {
    const width = isPair(text, start - 2) ? 2 : 1;
    left -= width === 2 ? 2 : countAt(text, start - 1);
    if (left < 0) break;
    start -= width;
  }
  return start;
}

function countAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code === 0x22 || code === 0x5c || SHORT_ESCAPES.has(code)) return 2;
  if (code < 0x20) return MOST_OF_A_CHARACTER;
  if (code < 0xd800 || code > 0xdfff) return 1;
  return isPair(text, index) || isPair(text, index - 1) ? 1 : MOST_OF_A_CHARACTER;
}

function isPair(text: string, at: number): boolean {
  return isBetween(text.charCodeAt(at), 0xd800, 0xdbff) && isBetween(text.charCodeAt(at + 1), 0xdc00, 0xdfff);
}

/** False for what `charCodeAt` says of places outside the text. */
function isBetween(code: number, first: number, last: number): boolean {
  return code >= first && code <= last;
}
