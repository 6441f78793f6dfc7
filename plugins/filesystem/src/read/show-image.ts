import type { ByteSource } from "../text/byte-source.ts";
import { readImageSize, type ImageSize } from "./image-size.ts";

/** A picture's facts, and the picture itself where a model may see it. */
export interface ShownImage {
  readonly size?: ImageSize;
  readonly attachment?: { readonly type: "image"; readonly media_type: string; readonly data: string };
  /** What the picture costs the model that sees it. */
  readonly tokens: number;
  /** Why the picture is not attached. */
  readonly reason?: string;
}

/** What pictures of a call may still take. */
export interface ImageRoom {
  /** The operator says that the model sees. */
  readonly vision: boolean;
  readonly bytes: number;
  readonly tokens: number;
  /** Gives one picture even if it costs more than there is. */
  readonly atLeastOne: boolean;
}

/** What pictures of one call take together at most. */
export const MOST_IMAGE_BYTES: number = 20 * 1024 * 1024;

const MOST_SIDE = 2000;
const MOST_BYTES = 5 * 1024 * 1024;
const PIXELS_PER_TOKEN = 750;
const SEEN: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

/** Attaches a picture that a model can take as it is; nothing is made smaller, and the original never goes where it is too large. */
export async function showImage(source: ByteSource, mediaType: string, room: ImageRoom): Promise<ShownImage> {
  const type = mediaType === "image/apng" ? "image/png" : mediaType;
  const size = await readImageSize(source, type);
  const known = size === undefined ? {} : { size };
  const tokens = size === undefined ? 0 : Math.ceil((size.width * size.height) / PIXELS_PER_TOKEN);
  const reason = whyNot({ type, size, bytes: source.size, tokens }, room);
  if (reason !== undefined) return { ...known, tokens: 0, reason };
  const data = Buffer.from(await source.read(0, source.size));
  if (data.length < source.size) return { ...known, tokens: 0, reason: "it became shorter while it was read" };
  return { ...known, tokens, attachment: { type: "image", media_type: type, data: data.toString("base64") } };
}

interface ImageFacts {
  readonly type: string;
  readonly size: ImageSize | undefined;
  readonly bytes: number;
  readonly tokens: number;
}

function whyNot({ type, size, bytes, tokens }: ImageFacts, room: ImageRoom): string | undefined {
  if (!room.vision) return "the operator has not declared that the model sees images (option vision)";
  if (!SEEN.has(type)) return `images of type ${type} are not shown, only PNG, JPEG, GIF and WebP`;
  if (size === undefined) return "its header does not tell its size";
  const { width, height } = size;
  if (width > MOST_SIDE || height > MOST_SIDE)
    return `it has ${width}×${height} pixels, and at most ${MOST_SIDE}×${MOST_SIDE} are shown`;
  if (bytes > MOST_BYTES) return `it has ${bytes} bytes, and at most ${MOST_BYTES} are shown`;
  if (bytes > room.bytes) return "the images of one call take too much together; read it by another call";
  if (tokens > room.tokens && !room.atLeastOne)
    return `it costs about ${tokens} tokens, more than max_tokens leaves; read it by another call`;
  return undefined;
}
