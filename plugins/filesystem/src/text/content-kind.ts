import { isUtf8 } from "node:buffer";
import { fileTypeFromBuffer } from "file-type";
import { charsetOfMark, UTF_16BE, UTF_16LE, type Charset } from "./charset.ts";

/** What the first bytes of a file say. */
export type HeadVerdict =
  | { readonly kind: "text"; readonly charset?: Charset }
  | { readonly kind: "image" | "pdf" | "binary"; readonly mediaType?: string };

/** Bytes that are looked at to tell what a file is. */
export const HEAD_BYTES = 8192;

const MOST_CONTROLS = 0.1;
const TEXT_TYPE = /^text\/|[/+](?:xml|json|rtf|javascript)$/u;
const BITMAP_HEADERS: ReadonlySet<number> = new Set([12, 16, 40, 52, 56, 64, 108, 124]);

/**
 * Tells by bytes, never by name, what a file is. Marks and NUL come before any detector: detectors take short legacy text
 * for binary, and miss UTF-16 without a mark.
 */
export async function judgeHead(head: Buffer, size: number): Promise<HeadVerdict> {
  const marked = charsetOfMark(head);
  if (marked !== undefined) return { kind: "text", charset: marked };
  if (head.subarray(0, 5).equals(PDF)) return { kind: "pdf", mediaType: "application/pdf" };
  if (head.includes(0)) {
    const charset = utf16WithoutMark(head, size);
    return charset === undefined ? await judgeBinary(head) : { kind: "text", charset };
  }
  if (countControls(head) > head.length * MOST_CONTROLS) return await judgeBinary(head);
  if (isUtf8(withoutCutCharacter(head))) return { kind: "text" };
  const verdict = await judgeBinary(head);
  return verdict.mediaType === undefined || isPlain(head, verdict.mediaType) ? { kind: "text" } : verdict;
}

const PDF = Buffer.from("%PDF-");
const PDF_WITHIN = 1024;

async function judgeBinary(head: Buffer): Promise<Exclude<HeadVerdict, { readonly kind: "text" }>> {
  // Readers of PDFs look past what stands before, and text never comes here.
  if (head.subarray(0, PDF_WITHIN).includes(PDF)) return { kind: "pdf", mediaType: "application/pdf" };
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined) return { kind: "binary" };
  const kind = found.mime.startsWith("image/") && !TEXT_TYPE.test(found.mime) ? "image" : "binary";
  return { kind, mediaType: found.mime };
}

/** Some magic numbers are letters, with which legacy text may begin as well. */
function isPlain(head: Buffer, mediaType: string): boolean {
  if (TEXT_TYPE.test(mediaType)) return true;
  if (mediaType === "image/bmp") return head.length < 18 || !BITMAP_HEADERS.has(head.readUInt32LE(14));
  return head.subarray(0, 4).every((byte) => byte >= 0x20 && byte < 0x7f);
}

/** Text in Latin letters has its zeros on one side of each pair. */
function utf16WithoutMark(head: Buffer, size: number): Charset | undefined {
  if (size % 2 !== 0) return undefined;
  const zeros = [0, 0];
  for (let index = 0; index < head.length; index += 1)
    if (head[index] === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even > 0 && odd > 0) return undefined;
  const charset = odd > 0 ? UTF_16LE : UTF_16BE;
  const text = new TextDecoder(charset.label).decode(withoutCutPair(head, charset));
  return NOT_IN_TEXT.test(text) ? undefined : charset;
}

/** Characters that no text holds: unassigned, private, replaced, and controls but for white space and escapes. */
const NOT_IN_TEXT = /[\p{Cn}\p{Co}\p{Cs}\ufffd\u0000-\u0006\u000e-\u001a\u001c-\u001f\u007f-\u0084\u0086-\u009f]/u;

function withoutCutPair(head: Buffer, charset: Charset): Buffer {
  const whole = head.subarray(0, head.length - (head.length % 2));
  const last = charset.bigEndian ? whole.at(-2) : whole.at(-1);
  return last !== undefined && last >= 0xd8 && last <= 0xdb ? whole.subarray(0, -2) : whole;
}

/** UTF-8 whose last character the end of the head may have cut. */
function withoutCutCharacter(head: Buffer): Buffer {
  if (head.length < HEAD_BYTES) return head;
  for (let back = 1; back <= 3; back += 1) {
    const byte = head.at(-back) ?? 0;
    if (byte >= 0xc0) return head.subarray(0, -back);
    if (byte < 0x80) break;
  }
  return head;
}

/** Controls that text has no use for; white space, backspace and escape are common in logs. */
function countControls(head: Buffer): number {
  let count = 0;
  for (const byte of head) if (byte === 0x7f || (byte < 0x20 && (byte < 7 || (byte > 13 && byte !== 0x1b)))) count += 1;
  return count;
}
