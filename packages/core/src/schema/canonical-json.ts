/**
 * Writes JSON with sorted keys and no spaces, so that equal data gives equal text (RFC 8785).
 * @throws TypeError for what JSON cannot say: cycles, bigints, non-finite numbers, lone surrogates.
 */
export function toCanonicalJson(value: unknown): string {
  if (isInOrder(value)) {
    const text = JSON.stringify(value);
    // Only half a character is written so, or a backslash before these letters.
    if (!text.includes("\\ud")) return text;
  }
  return write(value, new Set());
}

/** Levels down to which a value is looked through. */
const MAX_LEVELS = 100;

/** True for plain data whose members already stand in order, so that an engine writes its canonical JSON; false says nothing. */
export function isInOrder(value: unknown, levels: number = MAX_LEVELS): boolean {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return true;
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value === "object" && levels > 0 && areMembersInOrder(value, levels - 1);
}

function areMembersInOrder(value: object, levels: number): boolean {
  if (Array.isArray(value)) return !("toJSON" in value) && value.every((item) => isInOrder(item, levels));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  let former = "";
  // Without a list of names: what is inherited makes it say less, never more.
  for (const key in value) {
    if (key < former) return false;
    former = key;
    if (!isInOrder((value as Readonly<Record<string, unknown>>)[key], levels)) return false;
  }
  return true;
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
