import { hasAttachments } from "@aiw/core";

/** A value as people read it: of media in `attachments` it says how long they are instead of what they hold. */
export function withoutMedia(value: unknown): unknown {
  if (!hasAttachments(value)) return value;
  const attachments = value.attachments.map((attachment) => {
    if (typeof attachment !== "object" || attachment === null || !("data" in attachment)) return attachment;
    const { data } = attachment;
    return typeof data === "string" ? { ...attachment, data: `(${data.length} characters of base64)` } : attachment;
  });
  return { ...value, attachments };
}
