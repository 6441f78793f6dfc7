import type { ByteSource } from "../text/byte-source.ts";

/** How large a picture is, in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Bytes that hold the size, but for JPEG, whose size stands after segments of any length. */
const HEADER_BYTES = 32;
const MOST_SEGMENTS = 500;

/** Tells a picture's size by its header; `undefined` for other formats and for headers that are damaged. */
export async function readImageSize(source: ByteSource, mediaType: string): Promise<ImageSize | undefined> {
  const head = Buffer.from(await source.read(0, HEADER_BYTES));
  if (head.length < 10) return undefined;
  const size = mediaType === "image/jpeg" ? await jpegSize(source) : HEADERS.get(mediaType)?.(head);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

/** What tells the size by the first bytes; every one is given ten at least. */
const HEADERS: ReadonlyMap<string, (head: Buffer) => ImageSize | undefined> = new Map([
  ["image/png", pngSize],
  ["image/apng", pngSize],
  ["image/gif", (head: Buffer) => ({ width: head.readUInt16LE(6), height: head.readUInt16LE(8) })],
  ["image/webp", webpSize],
]);

function pngSize(head: Buffer): ImageSize | undefined {
  if (head.length < 24 || head.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) };
}

function webpSize(head: Buffer): ImageSize | undefined {
  if (head.length < 30) return undefined;
  const chunk = head.toString("latin1", 12, 16);
  if (chunk === "VP8X") return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 };
  if (chunk === "VP8 ") return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff };
  if (chunk !== "VP8L") return undefined;
  const bits = head.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Goes from segment to segment; what lies in them, thumbnails too, is not looked at. */
async function jpegSize(source: ByteSource): Promise<ImageSize | undefined> {
  let at = 2;
  for (let count = 0; count < MOST_SEGMENTS; count += 1) {
    const segment = await source.read(at, 9);
    if (segment.length < 9 || segment[0] !== 0xff) return undefined;
    const marker = segment[1] ?? 0;
    // Fill bytes may stand before a marker.
    if (marker === 0xff) at += 1;
    else if (isFrame(marker)) return { height: segment.readUInt16BE(5), width: segment.readUInt16BE(7) };
    else if (marker === 0xda || marker === 0xd9) return undefined;
    else at += 2 + segment.readUInt16BE(2);
  }
  return undefined;
}

/** The markers from C0 to CF begin frames, but for those of tables and of arithmetic coding. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
