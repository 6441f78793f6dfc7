import { escapeHiddenText, type JsonObject, type JsonSchema } from "@aiw/core";
import { maskSecrets } from "./mask-secrets.ts";
import { fitsWithin } from "./measure-value.ts";
import { shortenValue } from "./shorten-value.ts";

/** Characters of arguments in one event. */
const EVENT_CHARACTERS = 64 * 1024;

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

/** Puts back what a person left as it was shown, so that editing one field does not run the masks of others. */
export function restoreUntouched(edited: unknown, shown: unknown, original: unknown): unknown {
  if (!isRecord(edited)) return edited === shown ? original : edited;
  if (!isRecord(shown) || !isRecord(original)) return edited;
  if (Array.isArray(edited))
    return edited.map((item: unknown, index) => restoreUntouched(item, shown[index], original[index]));
  const names = new Map(Object.keys(original).map((name) => [escapeHiddenText(name), name]));
  return Object.fromEntries(
    Object.entries(edited).map(([key, member]) => {
      const name = Object.hasOwn(shown, key) ? (names.get(key) ?? key) : key;
      return [name, Object.hasOwn(shown, key) ? restoreUntouched(member, shown[key], original[name]) : member];
    }),
  );
}

function escapeValue(value: unknown): unknown {
  if (typeof value === "string") return escapeHiddenText(value);
  if (Array.isArray(value)) return value.map(escapeValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [escapeHiddenText(key), escapeValue(member)]));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
