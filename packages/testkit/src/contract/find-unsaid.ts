/** Levels of a value that a model is told of. */
const MAX_DEPTH = 64;

/** Says where a result holds what no model is told: a function, bytes, a way back to itself; undefined where all of it is told. */
export function findUnsaid(value: unknown): string | undefined {
  return find(value, "the result", []);
}

function find(value: unknown, at: string, outside: readonly object[]): string | undefined {
  if (typeof value === "function" || typeof value === "symbol") return `${at} is a ${typeof value}`;
  if (typeof value !== "object" || value === null) return undefined;
  if (outside.includes(value)) return `${at} leads back to what it is in`;
  if (outside.length >= MAX_DEPTH) return `${at} is ${MAX_DEPTH} levels deep`;
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `${at} is bytes`;
  if ("toJSON" in value && typeof value.toJSON === "function") return undefined;
  for (const [key, member] of listMembers(value)) {
    const unsaid = find(member, `${at}${key}`, [...outside, value]);
    if (unsaid !== undefined) return unsaid;
  }
  return undefined;
}

function listMembers(value: object): [string, unknown][] {
  if (value instanceof Map) return [...value].map(([key, member]) => [`.${String(key)}`, member]);
  if (value instanceof Set || Array.isArray(value)) return [...value].map((member, index) => [`[${index}]`, member]);
  return Object.entries(value).map(([key, member]) => [`.${key}`, member]);
}
