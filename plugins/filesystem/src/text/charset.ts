import { isAscii, isUtf8 } from "node:buffer";
import { TextDecoder } from "node:util";
import iconv from "iconv-lite";

/** A character encoding in which a line feed never hides inside another character. */
export interface Charset {
  /** Lowercase, as `encoding` takes it. */
  readonly label: string;
  /** Bytes of one code unit. */
  readonly unit: 1 | 2 | 4;
  readonly bigEndian: boolean;
  /** The byte order mark; empty where there is none. */
  readonly mark: Uint8Array;
}

/** Turns bytes that come in pieces into text; characters may be split anywhere. */
export interface TextDecoding {
  write(bytes: Uint8Array): string;
  end(): string;
}

/** UTF-8, the encoding of everything that says nothing else. */
export const UTF_8: Charset = { label: "utf-8", unit: 1, bigEndian: false, mark: Uint8Array.of(0xef, 0xbb, 0xbf) };
/** UTF-16, little-endian. */
export const UTF_16LE: Charset = { label: "utf-16le", unit: 2, bigEndian: false, mark: Uint8Array.of(0xff, 0xfe) };
/** UTF-16, big-endian. */
export const UTF_16BE: Charset = { label: "utf-16be", unit: 2, bigEndian: true, mark: Uint8Array.of(0xfe, 0xff) };
const UTF_32LE: Charset = { label: "utf-32le", unit: 4, bigEndian: false, mark: Uint8Array.of(0xff, 0xfe, 0, 0) };
const UTF_32BE: Charset = { label: "utf-32be", unit: 4, bigEndian: true, mark: Uint8Array.of(0, 0, 0xfe, 0xff) };

/** The longer marks first: that of UTF-32 begins like that of UTF-16. */
const MARKED: readonly Charset[] = [UTF_8, UTF_32LE, UTF_32BE, UTF_16LE, UTF_16BE];

const UNICODE: ReadonlyMap<string, Charset> = new Map([
  ...MARKED.map((charset): [string, Charset] => [charset.label.replaceAll("-", ""), charset]),
  ["unicode11utf8", UTF_8],
  ["utf16", UTF_16LE],
  ["ucs2", UTF_16LE],
  ["utf32", UTF_32LE],
]);

/** What iconv-lite also calls encodings but are none, or keep state across lines. */
const NOT_A_CHARSET = /^(?:base64|hex|binary|utf7|utf7imap|unicode11utf7|utf8mac|cesu8|iso2022.*|internal|_.*)$/u;

/** Finds the encoding a label names, or `undefined`; labels are as in Python, iconv and the web. */
export function findCharset(label: string): Charset | undefined {
  const key = label.toLowerCase().replaceAll(/[-_ ]/gu, "");
  const unicode = UNICODE.get(key);
  if (unicode !== undefined) return unicode;
  if (key === "" || label.length > 40 || NOT_A_CHARSET.test(key) || !iconv.encodingExists(label)) return undefined;
  const [byte, ...more] = iconv.encode("\n", label);
  if (byte !== 0x0a || more.length > 0) return undefined;
  return { label: label.toLowerCase(), unit: 1, bigEndian: false, mark: new Uint8Array() };
}

/** Recognises the encoding by its byte order mark. */
export function charsetOfMark(head: Uint8Array): Charset | undefined {
  return MARKED.find((charset) => startsWithMark(head, charset));
}

/** Whether bytes begin with the mark of their encoding. */
export function startsWithMark(head: Uint8Array, { mark }: Charset): boolean {
  return mark.length > 0 && mark.every((byte, index) => head[index] === byte);
}

/** Decodes bytes whole; what does not fit becomes U+FFFD, a mark stays. */
export function decodeBytes(charset: Charset, bytes: Uint8Array): string {
  if (charset === UTF_8 && isAscii(bytes)) return toBuffer(bytes).toString("latin1");
  if (isNative(charset)) return decoderFor(charset).decode(bytes);
  return iconv.decode(toBuffer(bytes), charset.label, { stripBOM: false });
}

const decoders = new Map<string, TextDecoder>();

/** One for all whole texts: a window decodes each of its lines. */
function decoderFor({ label }: Charset): TextDecoder {
  const known = decoders.get(label) ?? new TextDecoder(label, { ignoreBOM: true });
  decoders.set(label, known);
  return known;
}

/** Begins to decode bytes that come in pieces. */
export function startDecoding(charset: Charset): TextDecoding {
  if (isNative(charset)) {
    const decoder = new TextDecoder(charset.label, { ignoreBOM: true });
    return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
  }
  let carried = Buffer.alloc(0);
  return {
    write(bytes) {
      const all = Buffer.concat([carried, bytes]);
      const { text, used } = decodeWholeCharacters(charset, all);
      carried = Buffer.from(all.subarray(used));
      return text;
    },
    end: () => (carried.length === 0 ? "" : decodeBytes(charset, carried)),
  };
}

const LONGEST_CHARACTER = 4;

/** Decodes all but a character cut at the end; the library's own streams garble GB18030 there. */
function decodeWholeCharacters(charset: Charset, bytes: Buffer): { readonly text: string; readonly used: number } {
  const most = bytes.length - (bytes.length % charset.unit);
  const whole = decodeBytes(charset, bytes.subarray(0, most));
  if (!endsDamaged(whole)) return { text: whole, used: most };
  for (let used = most - 1; used > most - LONGEST_CHARACTER && used >= 0; used -= 1) {
    const text = decodeBytes(charset, bytes.subarray(0, used));
    if (!endsDamaged(text)) return { text, used };
  }
  return { text: whole, used: most };
}

function endsDamaged(text: string): boolean {
  return text.slice(-LONGEST_CHARACTER).includes("\ufffd");
}

/** Encodes text, or gives `undefined` when it holds what the encoding cannot express; no mark is added. */
export function encodeText(charset: Charset, text: string): Buffer | undefined {
  if (!text.isWellFormed()) return undefined;
  if (charset === UTF_8) return Buffer.from(text, "utf8");
  const bytes = iconv.encode(text, charset.label, { addBOM: false });
  return charset.unit > 1 || decodeBytes(charset, bytes) === text ? bytes : undefined;
}

/** Whether bytes are text of the encoding: encoding the decoded text gives them back. */
export function isFaithful(charset: Charset, bytes: Uint8Array): boolean {
  if (charset === UTF_8) return isUtf8(bytes);
  const check = startFaithCheck(charset);
  check.write(bytes);
  return check.end();
}

/** Judges bytes that come in pieces. */
export interface FaithCheck {
  /** False as soon as it is certain that the bytes are no such text. */
  write(bytes: Uint8Array): boolean;
  end(): boolean;
}

/** Begins to check whether bytes survive decoding and encoding. */
export function startFaithCheck(charset: Charset): FaithCheck {
  return isNative(charset) ? strictCheck(charset) : roundTripCheck(charset);
}

function strictCheck(charset: Charset): FaithCheck {
  const decoder = new TextDecoder(charset.label, { fatal: true, ignoreBOM: true });
  let isGood = true;
  let mayBeOpen = false;
  const attempt = (decode: () => void): boolean => {
    if (!isGood) return false;
    try {
      decode();
    } catch {
      isGood = false;
    }
    return isGood;
  };
  return {
    write(bytes) {
      // Most text is plain ASCII, which needs no decoding where no character waits for its end.
      if (charset === UTF_8 && !mayBeOpen && isAscii(bytes)) return isGood;
      if (bytes.length > 0) mayBeOpen = !isAscii(bytes.subarray(-1));
      return attempt(() => decoder.decode(bytes, { stream: true }));
    },
    end: () => attempt(() => decoder.decode()),
  };
}

function roundTripCheck(charset: Charset): FaithCheck {
  const decoding = startDecoding(charset);
  let pending = Buffer.alloc(0);
  let isGood = true;
  /** Takes what the text encodes to off the bytes still waiting. */
  const take = (text: string): boolean => {
    const again = iconv.encode(text, charset.label, { addBOM: false });
    isGood &&= again.equals(pending.subarray(0, again.length)) && !text.includes("\ufffd");
    pending = Buffer.from(pending.subarray(again.length));
    return isGood;
  };
  return {
    write(bytes) {
      if (!isGood) return false;
      pending = Buffer.concat([pending, bytes]);
      return take(decoding.write(bytes));
    },
    end: () => isGood && take(decoding.end()) && pending.length === 0,
  };
}

function isNative(charset: Charset): boolean {
  return charset === UTF_8 || charset === UTF_16LE || charset === UTF_16BE;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
