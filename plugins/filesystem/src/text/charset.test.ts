import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  charsetOfMark,
  decodeBytes,
  encodeText,
  findCharset,
  isFaithful,
  startDecoding,
  startFaithCheck,
  UTF_8,
  type Charset,
} from "./charset.ts";
import { runs } from "../__fixtures__/runs.ts";

const LABELS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "utf-32le",
  "gb18030",
  "shift_jis",
  "big5",
  "euc-kr",
  "windows-1252",
  "iso-8859-1",
];

function charset(label: string): Charset {
  const found = findCharset(label);
  if (found === undefined) throw new Error(`no ${label}`);
  return found;
}

describe("findCharset", () => {
  it.each([
    ["UTF8", "utf-8"],
    ["utf_8", "utf-8"],
    ["Utf-16LE", "utf-16le"],
    ["latin1", "latin1"],
    ["cp1252", "cp1252"],
    ["GBK", "gbk"],
    ["ascii", "ascii"],
  ])("knows %s as %s", (label, known) => {
    expect(findCharset(label)?.label).toBe(known);
  });

  it.each([
    "",
    "base64",
    "hex",
    "binary",
    "utf-7",
    "cesu8",
    "nonsense",
    "__proto__",
    "toString",
    "constructor",
    "x".repeat(100),
  ])("does not take %j for an encoding", (label) => {
    expect(findCharset(label)).toBeUndefined();
  });
});

describe("encodeText and decodeBytes", () => {
  it("give back every text an encoding can express", () => {
    fc.assert(
      fc.property(fc.constantFrom(...LABELS), fc.string({ unit: "grapheme" }), (label, text) => {
        const bytes = encodeText(charset(label), text);
        if (bytes !== undefined) expect(decodeBytes(charset(label), bytes)).toBe(text);
      }),
      { numRuns: runs(100) },
    );
  });

  it("give back all bytes that are faithful", () => {
    fc.assert(
      fc.property(fc.constantFrom(...LABELS), fc.uint8Array({ maxLength: 64 }), (label, bytes) => {
        const known = charset(label);
        if (!isFaithful(known, bytes)) return;
        expect(encodeText(known, decodeBytes(known, bytes))).toEqual(Buffer.from(bytes));
      }),
      { numRuns: runs(2000) },
    );
  });

  it("refuse what cannot be expressed", () => {
    expect(encodeText(charset("windows-1252"), "中")).toBeUndefined();
    expect(encodeText(charset("ascii"), "é")).toBeUndefined();
    expect(encodeText(UTF_8, "\ud800")).toBeUndefined();
  });
});

describe("startDecoding", () => {
  it("decodes characters split anywhere", () => {
    const text = "aé中𝄞\r\n日本語";
    fc.assert(
      fc.property(
        fc.constantFrom("utf-8", "utf-16le", "utf-16be", "gb18030"),
        fc.array(fc.integer({ min: 1, max: 5 })),
        (label, steps) => {
          const bytes = encodeText(charset(label), text) ?? Buffer.alloc(0);
          const decoding = startDecoding(charset(label));
          let [out, at] = ["", 0];
          for (const step of [...steps, bytes.length]) {
            out += decoding.write(bytes.subarray(at, at + step));
            at += step;
          }
          expect(out + decoding.end()).toBe(text);
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

describe("startFaithCheck", () => {
  it("says the same of bytes in pieces as of the whole", () => {
    fc.assert(
      fc.property(fc.constantFrom(...LABELS), fc.uint8Array({ maxLength: 40 }), fc.nat(40), (label, bytes, cut) => {
        const check = startFaithCheck(charset(label));
        check.write(bytes.subarray(0, cut));
        check.write(bytes.subarray(cut));
        expect(check.end()).toBe(isFaithful(charset(label), bytes));
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe("charsetOfMark", () => {
  it("tells UTF-32 from UTF-16, whose mark begins alike", () => {
    expect(charsetOfMark(Uint8Array.of(0xff, 0xfe, 0, 0))?.label).toBe("utf-32le");
    expect(charsetOfMark(Uint8Array.of(0xff, 0xfe, 0x41, 0))?.label).toBe("utf-16le");
    expect(charsetOfMark(Uint8Array.of(0xfe, 0xff))?.label).toBe("utf-16be");
    expect(charsetOfMark(Uint8Array.of(0xef, 0xbb, 0xbf))?.label).toBe("utf-8");
    expect(charsetOfMark(Uint8Array.of(0x41))).toBeUndefined();
  });
});
