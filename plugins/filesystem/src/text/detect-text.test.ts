import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { memorySource } from "./byte-source.ts";
import { decodeBytes } from "./charset.ts";
import { detectText, detectTextAs, isText, type DetectedText } from "./detect-text.ts";
import { runs } from "../__fixtures__/runs.ts";

async function detect(bytes: Uint8Array): Promise<DetectedText> {
  const detected = await detectText(memorySource(bytes));
  if (!isText(detected)) throw new Error(`is ${detected.kind}`);
  return detected;
}

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");

describe("detectText", () => {
  it.each([
    ["gbk", "// 计算总和，返回结果。\nint a = 1;\n", "gb18030"],
    ["gbk", "你好", "gb18030"],
    ["shift_jis", "日本語のテキスト\nこんにちは\n", "shift_jis"],
    ["euc-jp", "これは日本語の文章です。\n", "euc-jp"],
    ["big5", "繁體中文測試\n你好\n", "big5"],
    ["big5", "繁體中文測試，你好\n", "big5"],
    ["windows-1252", "Größe Übung Straße ÄÖÜ\n", "iso-8859-1"],
    ["windows-1252", "AÇÃO NAÇÃO INFORMAÇÃO SITUAÇÃO\n", "iso-8859-1"],
    ["koi8-r", "Привет, мир. Как дела сегодня\n", "koi8-r"],
    ["iso-8859-7", "Καλημέρα κόσμε, τι κάνεις σήμερα\n", "iso-8859-7"],
    ["euc-kr", "한국어 문장입니다. 오늘은 날씨가 좋습니다.\n", "euc-kr"],
    ["windows-1251", "Привет мир\n", "windows-1251"],
    ["windows-1252", "café\n", "windows-1252"],
  ])("recognises %s", async (label, text, known) => {
    const bytes = iconv.encode(text, label);
    const detected = await detect(bytes);
    expect(detected).toMatchObject({ isLossy: false, hasMark: false });
    expect(detected.charset.label).toBe(known);
    expect(decodeBytes(detected.charset, bytes)).toBe(text);
  });

  it("believes a detector only if the bytes come back, whatever they are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ min: 9, max: 255, minLength: 1, maxLength: 200 }), async (bytes) => {
        const detected = await detectText(memorySource(bytes));
        if (!isText(detected) || detected.isLossy) return;
        const text = decodeBytes(detected.charset, bytes.subarray(detected.start));
        expect(iconv.encode(text, detected.charset.label)).toEqual(Buffer.from(bytes.subarray(detected.start)));
      }),
      { numRuns: runs(100) },
    );
  });

  it.each([
    ["utf-16le", "name;value\r\n"],
    ["utf-16be", "name;value\r\n"],
    ["utf-16le", "中文 and Latin\n"],
  ])("recognises %s without a mark", async (label, text) => {
    const detected = await detect(iconv.encode(text, label));
    expect(detected).toMatchObject({ hasMark: false, isLossy: false, charset: { label } });
  });

  it.each(["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"])("recognises %s by its mark", async (label) => {
    const detected = await detect(iconv.encode("aé中\n", label, { addBOM: true }));
    expect(detected).toMatchObject({ hasMark: true, isLossy: false, charset: { label } });
    expect(detected.survey).toMatchObject({ lines: 1 });
  });

  it("calls damaged UTF-8 lossy instead of guessing another encoding", async () => {
    const good = Buffer.from("größer, schöner, weiter — überall dasselbe\n".repeat(20));
    const detected = await detect(Buffer.concat([good, Buffer.from([0xc3]), good]));
    expect(detected).toMatchObject({ isLossy: true, charset: { label: "utf-8" } });
  });

  it("looks past the first kilobytes for what is no UTF-8", async () => {
    const ascii = Buffer.from("plain text\n".repeat(20_000));
    const detected = await detect(Buffer.concat([ascii, iconv.encode("计算总和，返回结果。\n", "gbk")]));
    expect(detected.charset.label).toBe("gb18030");
  });

  it.each<[string, Uint8Array, object]>([
    ["a PNG", PNG, { kind: "image", mediaType: "image/png" }],
    ["a PDF", Buffer.from("%PDF-1.7\n1 0 obj\n"), { kind: "pdf" }],
    ["a PDF after other bytes", Buffer.from("\r\n\0\0%PDF-1.7\n1 0 obj\n"), { kind: "pdf" }],
    ["zeros", new Uint8Array(100), { kind: "binary" }],
    ["an executable", Buffer.from("7f454c4602010100000000000000000002003e00", "hex"), { kind: "binary" }],
    ["control characters", Buffer.from([1, 2, 3, 4, 5, 6, 1, 2, 3]), { kind: "binary" }],
  ])("tells %s by its bytes", async (_what, bytes, expected) => {
    expect(await detectText(memorySource(bytes))).toMatchObject(expected);
  });

  it.each([
    ["a bitmap", "BMW is a maker of cars.\n"],
    ["a video", `G${"x".repeat(187)}G${"x".repeat(187)}G\n`],
    ["an archive", "!<arch> is how ar files begin\n"],
    ["a PDF", "This tells of %PDF-1.7\n"],
    ["colours", "\u001b[31mred\u001b[0m\n"],
  ])("does not take text that begins like %s for one", async (_what, text) => {
    expect((await detect(Buffer.from(text))).kind).toBe("text");
  });

  it("does not take legacy text that begins with the letters of a magic number for a picture", async () => {
    expect((await detect(iconv.encode("BM 计算总和，返回结果。返回结果\n", "gbk"))).charset.label).toBe("gb18030");
  });

  it("tells a notebook by its content", async () => {
    const notebook = JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 });
    expect((await detect(Buffer.from(notebook))).kind).toBe("notebook");
    expect((await detect(Buffer.from('{"cells": []}'))).kind).toBe("text");
  });

  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["a\n\n", 2],
    ["\n", 1],
    ["a\r\nb", 2],
  ])("counts the lines of %j", async (text, lines) => {
    expect((await detect(Buffer.from(text))).survey?.lines).toBe(lines);
  });

  it("counts line endings across blocks", async () => {
    const text = `${"x".repeat(65_535)}\r\n`.repeat(3);
    expect((await detect(Buffer.from(text))).survey?.endings).toEqual({ lf: 0, crlf: 3 });
  });
});

describe("detectTextAs", () => {
  it("refuses labels that name no encoding", async () => {
    await expect(detectTextAs(memorySource(new Uint8Array()), "nonsense")).rejects.toMatchObject({
      code: "invalid_input",
    });
  });

  it("lets a mark decide what utf-16 means", async () => {
    const source = memorySource(iconv.encode("ab", "utf-16be", { addBOM: true }));
    expect(await detectTextAs(source, "utf-16")).toMatchObject({ charset: { label: "utf-16be" }, hasMark: true });
  });
});
