/**
 * Writes JSON with sorted keys and no spaces, so that equal data gives equal text (RFC 8785).
 * @throws TypeError for what JSON cannot say: cycles, bigints, non-finite numbers, lone surrogates.
 */
export function toCanonicalJson(value: unknown): string {
  return write(value, new Set());
}

function write(value: unknown, ancestors: Set<object>): string {
  if (value === null || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number") return writeNumber(value);
  if (typeof value === "string") return writeString(value);
  if (typeof value !== "object") throw new TypeError(`JSON has no ${typeof value}`);
  if (ancestors.has(value)) throw new TypeError("JSON has no cycles");
  ancestors.add(value);
  const text = Array.isArray(value)
    ? `[${value.map((item) => write(item ?? null, ancestors)).join(",")}]`
    : writeObject(value, ancestors);
  ancestors.delete(value);
  return text;
}

function writeObject(value: object, ancestors: Set<object>): string {
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${writeString(key)}:${write(member, ancestors)}`);
  return `{${members.join(",")}}`;
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  return JSON.stringify(value);
}

function writeString(value: string): string {
  if (!value.isWellFormed()) throw new TypeError("JSON text must be well-formed Unicode");
  return JSON.stringify(value);
}
