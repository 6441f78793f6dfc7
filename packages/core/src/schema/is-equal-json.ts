/**
 * True when a value has the same canonical JSON as one that was read from JSON, whatever the order of members; false may also be
 * said of what JSON leaves out.
 */
export function isEqualJson(parsed: unknown, value: unknown): boolean {
  if (typeof parsed !== "object" || parsed === null) return parsed === value;
  if (typeof value !== "object" || value === null || Array.isArray(parsed) !== Array.isArray(value)) return false;
  const keys = Object.keys(parsed);
  return (
    Object.keys(value).length === keys.length &&
    keys.every((key) => Object.hasOwn(value, key) && isEqualJson(member(parsed, key), member(value, key)))
  );
}

function member(container: object, key: string): unknown {
  return (container as Readonly<Record<string, unknown>>)[key];
}
