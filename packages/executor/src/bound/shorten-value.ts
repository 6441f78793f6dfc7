import { hasAttachments } from "@aiw/core";
import { countJsonText, cutHead, cutTail } from "./json-text.ts";
import {
  fitsWhole,
  isBytes,
  isContainer,
  MAX_DEPTH,
  measureWhole,
  toLeafText,
  toShownContainer,
} from "./measure-value.ts";

/** How a value is shortened. */
export interface ShortenOptions {
  /** Characters the copy may take as JSON; marks and names that are many may take more. */
  readonly limit: number;
  /** The visible words where something was left out. */
  mark(omitted: string): string;
}

/** A member that gets less than this is not worth showing. */
const MIN_SHARE = 64;

/** Copies a value so that it fits: long texts keep head and tail, long lists their first items, each with a visible mark. */
export function shortenValue(value: unknown, options: ShortenOptions): unknown {
  if (!hasAttachments(value)) return fit(value, options.limit, { ...options, depth: 0 });
  const { attachments, ...rest } = value;
  return { ...(fit(rest, options.limit, { ...options, depth: 0 }) as object), attachments };
}

/** Shortens a text to about `limit` characters, never inside a surrogate pair. */
export function shortenText(text: string, limit: number, mark: ShortenOptions["mark"]): string {
  if (text.length <= limit) return text;
  const note = `\n… ${mark(`${(text.length - limit).toLocaleString("en")} characters`)} …\n`;
  const room = Math.max(0, limit - note.length);
  const head = wellFormedCut(text, Math.ceil((room * 2) / 3));
  const tail = wellFormedCut(text, text.length - Math.floor(room / 3));
  return `${text.slice(0, head)}${note}${text.slice(tail)}`;
}

/** The same by characters of JSON, its quotes included; a text that is no longer than its mark stays. */
function shortenAsJson(text: string, budget: number, mark: ShortenOptions["mark"]): string {
  const toNote = (omitted: number): string => `\n… ${mark(`${omitted.toLocaleString("en")} characters`)} …\n`;
  const noteSize = countJsonText(toNote(text.length));
  if (countJsonText(text, noteSize) <= noteSize) return text;
  const room = Math.max(0, budget - noteSize);
  const head = cutHead(text, Math.ceil((room * 2) / 3));
  const tail = Math.max(head, cutTail(text, Math.floor(room / 3)));
  return `${text.slice(0, head)}${toNote(tail - head)}${text.slice(tail)}`;
}

interface Fitting extends ShortenOptions {
  readonly depth: number;
}

function fit(value: unknown, budget: number, fitting: Fitting): unknown {
  if (!isContainer(value)) return fitLeaf(value, budget, fitting);
  if (fitting.depth > MAX_DEPTH) return `… ${fitting.mark("deeper levels")} …`;
  if (fitsWhole(value, budget)) return value;
  return fitMembers(toShownContainer(value), budget, { ...fitting, depth: fitting.depth + 1 });
}

function fitLeaf(value: unknown, budget: number, { mark }: Fitting): unknown {
  if (isBytes(value)) return value.byteLength * 6 <= budget ? value : `… ${mark(toLeafText(value))} …`;
  if (typeof value !== "string" && (typeof value !== "object" || value === null)) return value;
  const text = toLeafText(value);
  return countJsonText(text, budget) <= budget ? value : shortenAsJson(text, budget, mark);
}

function fitMembers(value: object, budget: number, fitting: Fitting): unknown {
  const list = Array.isArray(value);
  const { members, count } = takeMembers(value, budget);
  const sizes = members.map(
    ([key, member]) =>
      Math.min(measureWhole(member, budget), budget) + (list ? 1 : Math.min(countJsonText(key, budget), budget) + 2),
  );
  const share = fairShare(sizes, budget);
  const kept = share >= MIN_SHARE ? members.length : countFitting(sizes, budget);
  const cap = Math.max(share, MIN_SHARE);
  const fitted = members.slice(0, kept).map(([key, member], index): [string, unknown] => {
    const name = list ? "" : shortenName(key, { limit: Math.floor(cap / 2), index });
    const overhead = list ? 1 : countJsonText(name) + 2;
    return [name, fit(member, Math.min(sizes[index] ?? 0, cap) - overhead, fitting)];
  });
  const omitted = count - kept;
  const note = `… ${fitting.mark(`${omitted.toLocaleString("en")} more ${list ? "items" : "members"}`)} …`;
  if (list) return omitted > 0 ? [...fitted.map(([, member]) => member), note] : fitted.map(([, member]) => member);
  return Object.fromEntries(omitted > 0 ? [...fitted, ["…", note]] : fitted);
}

/** The first members, and how many there are: every one takes a character at least, so no more than `most` can fit. */
function takeMembers(value: object, most: number): { readonly members: [string, unknown][]; readonly count: number } {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const members = Array.from(items.slice(0, most), (item, index): [string, unknown] => [String(index), item]);
    return { members, count: items.length };
  }
  const names = Object.keys(value);
  const members = names
    .slice(0, most)
    .map((name): [string, unknown] => [name, (value as { readonly [name: string]: unknown })[name]]);
  return { members, count: names.length };
}

/** Names that are cut at the same place stay apart by their number. */
function shortenName(name: string, { limit, index }: { readonly limit: number; readonly index: number }): string {
  return countJsonText(name, limit) <= limit ? name : `${name.slice(0, cutHead(name, limit))}… ${index + 1}`;
}

/** The largest size a member may have so that all fit; small members leave their rest to large ones. */
function fairShare(sizes: readonly number[], budget: number): number {
  let left = budget;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (size > share) return Math.floor(share);
    left -= size;
  }
  return budget;
}

function countFitting(sizes: readonly number[], budget: number): number {
  let used = MIN_SHARE;
  let count = 0;
  for (const size of sizes) {
    used += Math.min(size, MIN_SHARE);
    if (used > budget) return count;
    count += 1;
  }
  return count;
}

function wellFormedCut(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
