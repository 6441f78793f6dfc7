import { escapeHiddenText } from "../../schema/hidden-text.ts";

/** Two texts with what is different between marks, everything hidden in them escaped. */
export interface MarkedChange {
  readonly from: string;
  readonly to: string;
}

/** Characters of equal text shown on each side of what changed. */
const CONTEXT = 40;

/** Characters of changed text shown where nobody is asked about it; what is beyond is counted. */
const MAX_CHANGED = 4000;

/** Parts compared by words; more are one change from the first different word to the last. */
const MAX_WORDS = 2000;

const OPEN = "⟦";
const CLOSE = "⟧";

/** How much of a change is shown. */
export interface MarkOptions {
  /** However much text changed. */
  readonly isWhole?: boolean;
}

/** Shows how a text changed: the changed words are between ⟦ ⟧ and never cut out, equal text far from them is. */
export function markChange(from: string, to: string, { isWhole = false }: MarkOptions = {}): MarkedChange {
  const [before, after] = [split(from), split(to)];
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const [old, young] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const kept = old.length * young.length <= MAX_WORDS * MAX_WORDS ? findKept(old, young) : [];
  const head = before.slice(0, start).join("");
  const tail = before.slice(before.length - end).join("");
  const around = { head, tail, most: isWhole ? Number.POSITIVE_INFINITY : MAX_CHANGED };
  return {
    from: mark({ ...around, parts: old, kept: new Set(kept.map(([at]) => at)) }),
    to: mark({ ...around, parts: young, kept: new Set(kept.map(([, at]) => at)) }),
  };
}

/** Words and what is between them; joined again they are the text. */
function split(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** The longest common parts, as places in both. */
function findKept(old: readonly string[], young: readonly string[]): (readonly [number, number])[] {
  const width = young.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let at = old.length - 1; at >= 0; at -= 1)
    for (let to = young.length - 1; to >= 0; to -= 1)
      lengths[at * width + to] =
        old[at] === young[to]
          ? (lengths[(at + 1) * width + to + 1] ?? 0) + 1
          : Math.max(lengths[(at + 1) * width + to] ?? 0, lengths[at * width + to + 1] ?? 0);
  const kept: (readonly [number, number])[] = [];
  for (let at = 0, to = 0; at < old.length && to < young.length;) {
    if (old[at] === young[to]) kept.push([at++, to++]);
    else if ((lengths[(at + 1) * width + to] ?? 0) >= (lengths[at * width + to + 1] ?? 0)) at += 1;
    else to += 1;
  }
  return kept;
}

interface Marking {
  readonly head: string;
  readonly tail: string;
  readonly parts: readonly string[];
  readonly kept: ReadonlySet<number>;
  /** Characters of one change. */
  readonly most: number;
}

function mark({ head, tail, parts, kept, most }: Marking): string {
  let shown = "";
  let changed = "";
  const flush = (): void => {
    if (changed !== "") shown += OPEN + showChanged(changed, most) + CLOSE;
    changed = "";
  };
  let equal = "";
  const settle = (): void => {
    if (equal !== "") shown += shorten(equal);
    equal = "";
  };
  for (const [index, part] of parts.entries()) {
    if (kept.has(index)) {
      flush();
      equal += part;
    } else {
      settle();
      changed += part;
    }
  }
  settle();
  flush();
  if (parts.length === 0) shown = OPEN + CLOSE;
  return shortenStart(head) + shown + shortenEnd(tail);
}

/** What looks alike is told apart by its number. */
function showChanged(text: string, most: number): string {
  const characters = [...text];
  const cut = characters.slice(0, most);
  const more = characters.length - cut.length;
  const shown = cut.map((character) => escapeForeign(character)).join("");
  return more > 0 ? `${shown}… and ${more} characters more` : shown;
}

const PLAIN = /^[\x20-\x7e]$/;
const LATIN = /^[\u00c0-\u017f\u2010-\u2027\u20ac]$/;

function escapeForeign(character: string): string {
  if (PLAIN.test(character) || LATIN.test(character)) return character;
  const code = `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;
  return /^[\p{L}\p{N}]$/u.test(character) ? `${character}${code}` : code;
}

/** Equal text is shown on one line, and needs no marks in it that could be taken for ours. */
function show(text: string): string {
  return escapeHiddenText(text.toWellFormed())
    .replaceAll(/[\n\r\t]/g, " ")
    .replaceAll(OPEN, "\\u{27e6}")
    .replaceAll(CLOSE, "\\u{27e7}");
}

function shorten(text: string): string {
  const characters = [...text];
  if (characters.length <= 2 * CONTEXT + 1) return show(text);
  return `${show(characters.slice(0, CONTEXT).join(""))}…${show(characters.slice(-CONTEXT).join(""))}`;
}

function shortenStart(text: string): string {
  const characters = [...text];
  return characters.length <= CONTEXT ? show(text) : `…${show(characters.slice(-CONTEXT).join(""))}`;
}

function shortenEnd(text: string): string {
  const characters = [...text];
  return characters.length <= CONTEXT ? show(text) : `${show(characters.slice(0, CONTEXT).join(""))}…`;
}
