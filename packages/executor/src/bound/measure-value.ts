import { hasAttachments } from "@aiw/core";
import { countJsonText, MOST_OF_A_CHARACTER } from "./json-text.ts";

/** Containers nested deeper than this are not looked into. */
export const MAX_DEPTH = 100;

/** Values looked at, at most: shared parts of a graph count each time they are met. */
const MAX_VISITS = 2_000_000;

/** Counts the characters a value takes as JSON, escapes included, giving up above `limit`; media in `attachments` is not text. */
export function measureValue(value: unknown, limit: number = Number.MAX_SAFE_INTEGER): number {
  return walkValue(value, limit).size;
}

/** True when a value takes at most `limit` characters as JSON and is nested no deeper than people or models read. */
export function fitsWithin(value: unknown, limit: number): boolean {
  if (typeof value === "string" && value.length * MOST_OF_A_CHARACTER + 2 <= limit) return true;
  const { size, deep } = walkValue(value, limit);
  return size <= limit && !deep;
}

/** Measures every member, media in `attachments` too. */
export function measureWhole(value: unknown, limit: number): number {
  const walk: Walk = { size: 0, visits: 0, limit, deep: false };
  measure(value, 0, walk);
  return walk.size;
}

/** `fitsWithin` for every member, media in `attachments` too. */
export function fitsWhole(value: unknown, limit: number): boolean {
  const walk: Walk = { size: 0, visits: 0, limit, deep: false };
  measure(value, 0, walk);
  return walk.size <= limit && !walk.deep;
}

function walkValue(value: unknown, limit: number): Walk {
  const walk: Walk = { size: 0, visits: 0, limit, deep: false };
  if (isContainer(value) && hasAttachments(value)) {
    const { attachments: _attachments, ...rest } = value;
    measure(rest, 0, walk);
  } else {
    measure(value, 0, walk);
  }
  return walk;
}

/** True for what has members; what JSON shows as text or number has none. */
export function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && !isBytes(value) && !hasToJson(value);
}

/** True for bytes, which a model is told the number of. */
export function isBytes(value: unknown): value is ArrayBufferView | ArrayBuffer {
  return ArrayBuffer.isView(value) || value instanceof ArrayBuffer;
}

/** What a model is shown of a container that keeps its members elsewhere; every other one as it is. */
export function toShownContainer(value: object): object {
  if (value instanceof Map) {
    const entries = [...value] as [unknown, unknown][];
    return entries.every(([key]) => typeof key === "string") ? Object.fromEntries(entries) : entries;
  }
  if (value instanceof Set) return [...value];
  return value instanceof Error ? { name: value.name, message: value.message } : value;
}

/** The text JSON would show for a value without members. */
export function toLeafText(value: unknown): string {
  if (typeof value === "string") return value;
  if (isBytes(value)) return `${value.byteLength} bytes`;
  if (typeof value === "object" && value !== null) return JSON.stringify(value) ?? "";
  return String(value);
}

interface Walk {
  readonly limit: number;
  size: number;
  visits: number;
  deep: boolean;
}

function measure(value: unknown, depth: number, walk: Walk): void {
  walk.visits += 1;
  if (walk.size > walk.limit || walk.visits > MAX_VISITS) return;
  if (!isContainer(value)) walk.size += leafSize(value, walk.limit - walk.size);
  else if (depth > MAX_DEPTH) walk.deep = true;
  else measureMembers(value, depth, walk);
}

function measureMembers(value: object, depth: number, walk: Walk): void {
  walk.size += 2;
  const shown = toShownContainer(value);
  if (Array.isArray(shown)) return measureItems(shown, depth, walk);
  // The colon; from the second on, a comma too.
  let signs = 1;
  for (const key of Object.keys(shown)) {
    walk.size += countJsonText(key, walk.limit - walk.size) + signs;
    signs = 2;
    measure((shown as { readonly [key: string]: unknown })[key], depth + 1, walk);
    if (walk.size > walk.limit || walk.visits > MAX_VISITS) return;
  }
}

/** By place: a list of millions is not copied, and one of nothing but gaps is as long as it says. */
function measureItems(items: readonly unknown[], depth: number, walk: Walk): void {
  for (let index = 0; index < items.length; index += 1) {
    walk.size += index === 0 ? 0 : 1;
    measure(items[index], depth + 1, walk);
    if (walk.size > walk.limit || walk.visits > MAX_VISITS) return;
  }
}

/** Exact for what fits; numbers that JSON has no word for, and bigints, become texts. */
function leafSize(value: unknown, room: number): number {
  if (typeof value === "string") return countJsonText(value, room);
  // Bytes become an object of numbers in JSON.
  if (isBytes(value)) return value.byteLength * 6;
  const isText = typeof value === "bigint" || (typeof value === "number" && !Number.isFinite(value));
  return toLeafText(value).length + (isText ? 2 : 0);
}

function hasToJson(value: object): boolean {
  return "toJSON" in value && typeof value.toJSON === "function";
}
