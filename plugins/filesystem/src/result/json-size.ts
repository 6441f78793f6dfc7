/**
 * Characters a value takes as JSON, counting one more for each container that holds something, so that no reader's way of
 * counting separators finds more.
 */
export function jsonSize(value: unknown): number {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)?.length ?? 0;
  let size = 2;
  if (Array.isArray(value)) {
    for (const member of value) size += jsonSize(member) + 1;
    return size;
  }
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) size += jsonSize(name) + jsonSize(member) + 2;
  }
  return size;
}

/** Characters a text takes inside a JSON string. */
export function jsonTextSize(text: string): number {
  return JSON.stringify(text).length - 2;
}
