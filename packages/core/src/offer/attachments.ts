/** True for a value with media beside it, which travels to a model as content of its own and not as text. */
export function hasAttachments(value: unknown): value is { readonly attachments: readonly unknown[] } {
  if (typeof value !== "object" || value === null || !("attachments" in value)) return false;
  const { attachments } = value;
  return Array.isArray(attachments) && attachments.length > 0 && attachments.every(isAttachment);
}

function isAttachment(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { type, media_type, data, uri } = value as { readonly [name: string]: unknown };
  if (typeof type !== "string" || typeof media_type !== "string") return false;
  return typeof data === "string" || typeof uri === "string" || ArrayBuffer.isView(data);
}
