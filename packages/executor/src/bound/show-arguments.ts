import { escapeHiddenText, ToolError, type JsonObject, type JsonSchema } from "@aiw/core";
import { maskSecrets, maskText } from "./mask-secrets.ts";
import { fitsWithin } from "./measure-value.ts";
import { shortenValue } from "./shorten-value.ts";

/** Characters of arguments in one event. */
const EVENT_CHARACTERS = 64 * 1024;

/** What stands for a secret in shown arguments. */
const MASK = /\[secret(?: private key|, \d+ characters)?\]/g;

/** Copies arguments for events and records: secrets masked, at most 64 KiB of text. */
export function toEventArguments(input: JsonObject, schema?: JsonSchema): unknown {
  const masked = maskSecrets(input, schema);
  if (fitsWithin(masked, EVENT_CHARACTERS)) return masked;
  return shortenValue(masked, { limit: EVENT_CHARACTERS, mark: (omitted) => `${omitted} omitted` });
}

/** Copies arguments for the person who approves them: nothing cut, hidden characters visible, secrets masked (SEC-APR-2). */
export function toShownArguments(input: JsonObject, schema?: JsonSchema): JsonObject {
  return escapeValue(maskSecrets(input, schema)) as JsonObject;
}

/** The name an argument really has, from the one it was shown by. */
export function toGivenName(shown: string, input: JsonObject): string {
  return toShownNames(input).get(shown) ?? shown;
}

/** The same for what a tool says of a call. */
export function toShownText(text: string): string {
  return escapeHiddenText(maskText(text));
}

/**
 * Puts back what a person left as it was shown, so that editing one field does not run the masks of others.
 * @throws ToolError `approval_denied` for a mask that stands for no one text: it must not run as it is written.
 */
export function restoreUntouched(edited: unknown, shown: unknown, original: unknown): unknown {
  const restored = restore(edited, shown, original);
  const masks = new Set(JSON.stringify(restored)?.match(MASK));
  const given = masks.size === 0 ? "" : JSON.stringify(original);
  if ([...masks].every((mask) => given.includes(mask))) return restored;
  throw new ToolError("approval_denied", "the edit holds a masked secret, which must be left as shown or written out");
}

function restore(edited: unknown, shown: unknown, original: unknown): unknown {
  if (!isRecord(edited)) return edited === shown ? original : edited;
  if (Array.isArray(edited))
    return Array.isArray(shown) && Array.isArray(original) ? restoreItems(edited, shown, original) : edited;
  if (!isRecord(shown) || !isRecord(original) || Array.isArray(shown)) return edited;
  const names = toShownNames(original);
  return Object.fromEntries(
    Object.entries(edited).map(([key, member]) => {
      const name = Object.hasOwn(shown, key) ? (names.get(key) ?? key) : key;
      return [name, Object.hasOwn(shown, key) ? restore(member, shown[key], original[name]) : member];
    }),
  );
}

/** In a list with more or fewer items each is found by how it was shown; one that looks like several is left masked. */
function restoreItems(edited: readonly unknown[], shown: readonly unknown[], original: readonly unknown[]): unknown[] {
  if (edited.length === shown.length) return edited.map((item, index) => restore(item, shown[index], original[index]));
  const places = Map.groupBy(shown.keys(), (index) => JSON.stringify(shown[index]));
  return edited.map((item) => {
    const found = places.get(JSON.stringify(item)) ?? [];
    const texts = new Set(found.map((index) => JSON.stringify(original[index])));
    return texts.size === 1 ? original[found[0] ?? 0] : item;
  });
}

/** Copies a JSON value with hidden characters visible; names that look alike stay apart. */
export function escapeValue(value: unknown): unknown {
  if (typeof value === "string") return escapeHiddenText(value);
  if (Array.isArray(value)) return value.map(escapeValue);
  if (!isRecord(value)) return value;
  return Object.fromEntries([...toShownNames(value)].map(([shown, name]) => [shown, escapeValue(value[name])]));
}

/** Names by how they are shown; two that look alike stay two, or one would hide the other. */
function toShownNames(value: object): Map<string, string> {
  const names = new Map<string, string>();
  for (const name of Object.keys(value)) {
    const escaped = escapeHiddenText(name);
    let shown = escaped;
    for (let twin = 2; names.has(shown); twin += 1) shown = `${escaped} (${twin})`;
    names.set(shown, name);
  }
  return names;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
