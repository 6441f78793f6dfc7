/** What a reader is given of a text. */
export interface ShownText {
  readonly text: string;
  readonly truncated: boolean;
}

/** What is left of a long text: its beginning and its end. */
export interface KeptText {
  append(text: string): void;
  /** The text, whole or with a line in the middle saying how much is missing; `limit` asks for fewer characters than are kept. */
  read(limit?: number): ShownText;
  /** The last `limit` characters at most. */
  readTail(limit: number): ShownText;
}

/** Share of the kept characters that show the beginning. */
const HEAD_SHARE = 0.4;

/** Keeps `limit` characters of whatever is appended, 40 % head and 60 % tail, in bounded memory. */
export function createKeptText(limit: number): KeptText {
  const headLimit = Math.floor(limit * HEAD_SHARE);
  const tailLimit = limit - headLimit;
  let head = "";
  let tail = "";
  let dropped = false;
  let newlines = 0;

  function append(text: string): void {
    newlines += countNewlines(text);
    const room = headLimit - head.length;
    if (room > 0 && tail === "") {
      head += text.slice(0, room);
      tail = text.slice(room);
    } else tail += text;
    if (tail.length > tailLimit * 2) {
      tail = tail.slice(-tailLimit);
      dropped = true;
    }
  }

  function read(asked: number = limit): ShownText {
    const text = head + tail;
    const room = Math.min(asked, limit);
    if (!dropped && text.length <= room) return { text, truncated: false };
    const headRoom = Math.floor(room * HEAD_SHARE);
    const start = cutEnd(head.slice(0, headRoom));
    const end = cutStart(takeEnd(text, room - headRoom));
    const omitted = newlines - countNewlines(start) - countNewlines(end);
    const joint = start === "" || start.endsWith("\n") ? "" : "\n";
    return { text: `${start}${joint}[… ${Math.max(omitted, 1)} lines omitted …]\n${end}`, truncated: true };
  }

  function readTail(asked: number): ShownText {
    const text = head + tail;
    if (!dropped && text.length <= asked) return { text, truncated: false };
    const end = takeEnd(text, Math.min(asked, tailLimit));
    return { text: isLowSurrogate(end.charCodeAt(0)) ? end.slice(1) : end, truncated: true };
  }

  return { append, read, readTail };
}

function takeEnd(text: string, length: number): string {
  return length === 0 ? "" : text.slice(-length);
}

/** Ends at a line break when one is near, never inside a surrogate pair. */
function cutEnd(text: string): string {
  const newline = text.lastIndexOf("\n") + 1;
  if (newline > text.length * 0.8) return text.slice(0, newline);
  return isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
}

function cutStart(text: string): string {
  const newline = text.indexOf("\n") + 1;
  if (newline > 0 && newline < text.length * 0.2) return text.slice(newline);
  return isLowSurrogate(text.charCodeAt(0)) ? text.slice(1) : text;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
