/** Whether a parsed value is an object with named fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads bytes that ripgrep wrote as text or, when they are not UTF-8, as base64. */
export function toBytes(value: unknown): Buffer | undefined {
  if (!isRecord(value)) return undefined;
  if (typeof value["text"] === "string") return Buffer.from(value["text"], "utf8");
  return typeof value["bytes"] === "string" ? Buffer.from(value["bytes"], "base64") : undefined;
}
