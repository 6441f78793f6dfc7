import { TextDecoder } from "node:util";

const META_BYTES = 1024;

/** A body as text. */
export interface DecodedText {
  readonly text: string;
  /** The canonical lower-case name, such as `utf-8` or `windows-1252`. */
  readonly charset: string;
}

/** Decodes by the header's charset, then the byte order mark, then what the document says of itself in its first KiB, then UTF-8. */
export function decodeText(body: Uint8Array, headerCharset: string | undefined): DecodedText {
  const decoder =
    toDecoder(headerCharset) ??
    toDecoder(charsetOfMark(body)) ??
    toDecoder(charsetOfDocument(body)) ??
    new TextDecoder();
  return { text: decoder.decode(body), charset: decoder.encoding };
}

function toDecoder(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    // A label that no one knows says nothing.
    return undefined;
  }
}

function charsetOfMark(body: Uint8Array): string | undefined {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return undefined;
}

function charsetOfDocument(body: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(body.subarray(0, META_BYTES));
  const found =
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(start)?.[1] ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w:.-]+)["']/i.exec(start)?.[1];
  // Text that could be read this far as single bytes is not UTF-16, whatever it says (WHATWG).
  return found !== undefined && /^utf-?16/i.test(found) ? "utf-8" : found;
}
