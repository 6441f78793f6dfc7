/** What is left of a long text: its beginning and its end. */
export interface KeptText {
  append(text: string): void;
  /** The text, whole or with a line in the middle saying how much is missing. */
  read(): { readonly text: string; readonly truncated: boolean };
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

  function read() {
    if (!dropped && tail.length <= tailLimit) return { text: head + tail, truncated: false };
    const start = cutEnd(head);
    const end = cutStart(tail.slice(-tailLimit));
    const omitted = newlines - countNewlines(start) - countNewlines(end);
    const joint = start === "" || start.endsWith("\n") ? "" : "\n";
    return { text: `${start}${joint}[… ${Math.max(omitted, 1)} lines omitted …]\n${end}`, truncated: true };
  }

  return { append, read };
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
