/** A JSON object whose fields are still unknown. */
export type JsonRecord = Record<string, unknown>;

/** Says whether a value is an object with named fields, arrays excluded. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads an own field, so that names such as `constructor` never reach a prototype. */
export function ownField(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Reads an own field that is a string. */
export function stringField(value: unknown, name: string): string | undefined {
  const field = ownField(value, name);
  return typeof field === "string" ? field : undefined;
}

/** Reads an own field that is a finite number. */
export function numberField(value: unknown, name: string): number | undefined {
  const field = ownField(value, name);
  return typeof field === "number" && Number.isFinite(field) ? field : undefined;
}

/** Gives the strings of an array and nothing for anything else. */
export function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}

/** Parses JSON text, answering `undefined` where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Writes a value as JSON with sorted keys, so that equal values give equal text. */
export function canonicalText(value: unknown): string {
  const sorted = JSON.stringify(value, (_key, field: unknown) =>
    isRecord(field)
      ? Object.fromEntries(Object.entries(field).sort(([left], [right]) => (left < right ? -1 : 1)))
      : field,
  );
  return sorted ?? "undefined";
}

/** Shortens text to a number of characters and says how many were left out. */
export function clip(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  return `${text.slice(0, maximum).trimEnd()} … [+${text.length - maximum} chars]`;
}
