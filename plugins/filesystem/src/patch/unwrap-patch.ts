import type { PatchLine } from "./patch-reader.ts";

const HEREDOC = /<<-?\s*(['"]?)([A-Za-z_][A-Za-z0-9_]*)\1/u;
const FENCE = /^\s*(`{3,}|~{3,})/u;

/** Splits a patch into lines and takes off what models wrap around it: a code fence, a shell command with a here-document. */
export function unwrapPatch(patch: string): PatchLine[] {
  const plain = patch.startsWith("\ufeff") ? patch.slice(1) : patch;
  const lines = plain.split("\n").map((text, index) => {
    const hasReturn = text.endsWith("\r");
    return { text: hasReturn ? text.slice(0, -1) : text, hasReturn, number: index + 1 };
  });
  if (lines.at(-1)?.text === "") lines.pop();
  return withoutReturns(withoutHeredoc(withoutFence(lines)));
}

/** Where the patch's own headers end with CR LF, that says nothing of the files' lines. */
function withoutReturns(lines: PatchLine[]): PatchLine[] {
  const header = lines.find(({ text }) => text.startsWith("@@") || text.startsWith("*** "));
  const isReturned = header === undefined ? lines.every(({ hasReturn }) => hasReturn) : header.hasReturn;
  if (!isReturned) return lines;
  return lines.map(({ text, number }) => {
    const hasReturn = text.endsWith("\r");
    return { text: hasReturn ? text.slice(0, -1) : text, hasReturn, number };
  });
}

function withoutFence(lines: PatchLine[]): PatchLine[] {
  const [first, last] = ends(lines);
  const fence = FENCE.exec(lines[first]?.text ?? "")?.[1];
  if (fence === undefined) return lines;
  const isClosed = last > first && lines[last]?.text.trim() === fence;
  return lines.slice(first + 1, isClosed ? last : last + 1);
}

function withoutHeredoc(lines: PatchLine[]): PatchLine[] {
  const [first, last] = ends(lines);
  const opening = lines[first]?.text ?? "";
  if (isPatchLine(opening)) return lines;
  const word = HEREDOC.exec(opening)?.[2];
  if (word === undefined) return lines;
  // What closes the shell's own quotes may stand behind the word, or on the next line.
  const isEnd = (text: string): boolean => text.startsWith(word) && /^\W*$/u.test(text.slice(word.length));
  for (let at = last; at > Math.max(first, last - 3); at -= 1) {
    if (isEnd((lines[at]?.text ?? "").trimStart())) return lines.slice(first + 1, at);
  }
  return lines.slice(first + 1, last + 1);
}

function isPatchLine(text: string): boolean {
  return /^(?:\*\*\*|@@|---|\+|-| |diff )/u.test(text);
}

/** Indices of the first and the last line that are not blank. */
function ends(lines: readonly PatchLine[]): [number, number] {
  const isFilled = ({ text }: PatchLine): boolean => text.trim() !== "";
  return [lines.findIndex(isFilled), lines.findLastIndex(isFilled)];
}
