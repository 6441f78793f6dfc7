import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../__fixtures__/runs.ts";
import { BLOCK_BYTES, memorySource, type ByteSource } from "./byte-source.ts";
import { detectTextAs, type DetectedText } from "./detect-text.ts";
import { readWindow, type LineWindow, type WindowRequest } from "./read-window.ts";

const REQUEST: WindowRequest = {
  offset: 1,
  limit: 0,
  maxTokens: 1_000_000,
  maxCharacters: Number.POSITIVE_INFINITY,
  atLeastOne: true,
  lineNumbers: false,
  shown: "a.txt",
};

/** Gives at most as many bytes as asked for, from a buffer of its own that the next read overwrites. */
function pieceSource(bytes: Buffer): ByteSource {
  const own = Buffer.alloc(BLOCK_BYTES);
  return {
    size: bytes.length,
    async read(position, length) {
      const piece = bytes.subarray(position, position + length);
      return own.subarray(0, piece.copy(own));
    },
  };
}

async function open(text: string, label = "utf-8"): Promise<DetectedText> {
  const { encodeText } = await import("./charset.ts");
  const { requireCharset } = await import("./detect-text.ts");
  const bytes = encodeText(requireCharset(label), text);
  if (bytes === undefined) throw new Error("not encodable");
  return await detectTextAs(pieceSource(bytes), label);
}

/** As above 20 MiB, where lines are not counted beforehand. */
function withoutSurvey({ survey: _, ...text }: DetectedText): DetectedText {
  return text;
}

const take = async (text: DetectedText, request: Partial<WindowRequest> = {}): Promise<LineWindow> =>
  await readWindow(text, { ...REQUEST, ...request });

function naiveLines(text: string): string[] {
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return [...lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)), ...(last === "" ? [] : [last])];
}

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom("\n", "\r\n", "\r", "\n\n", "a", "é中", "𝄞", "\u0a00\u000a"),
      fc.string({ unit: "grapheme" }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));
const label = fc.constantFrom("utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "gb18030");

describe("readWindow", () => {
  it("gives the lines that splitting the whole text gives", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText,
        label,
        fc.integer({ min: 1, max: 30 }),
        fc.nat(30),
        async (text, encoding, offset, limit) => {
          const lines = naiveLines(text);
          for (const detected of [await open(text, encoding), withoutSurvey(await open(text, encoding))]) {
            if (offset > Math.max(1, lines.length)) {
              await expect(take(detected, { offset, limit })).rejects.toMatchObject({
                code: "offset_out_of_range",
                details: { total_lines: lines.length },
              });
              continue;
            }
            const window = await take(detected, { offset, limit });
            const wanted = lines.slice(offset - 1, limit === 0 ? undefined : offset - 1 + limit);
            expect(window.lines).toEqual(wanted);
            expect(window.totalLines).toBe(lines.length);
            expect(window.isTotalExact).toBe(true);
            const next = offset + wanted.length;
            expect(window.nextOffset).toBe(next <= lines.length ? next : undefined);
          }
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("gives the last lines that splitting gives", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyText,
        label,
        fc.integer({ min: 1, max: 30 }),
        fc.nat(30),
        async (text, encoding, count, limit) => {
          const lines = naiveLines(text);
          const tail = lines.slice(-count);
          const wanted = limit === 0 ? tail : tail.slice(0, limit);
          for (const detected of [await open(text, encoding), withoutSurvey(await open(text, encoding))]) {
            expect((await take(detected, { offset: -count, limit })).lines).toEqual(wanted);
          }
          const { startLine, endLine } = await take(await open(text, encoding), { offset: -count, limit });
          expect([startLine, endLine]).toEqual(
            lines.length === 0 ? [1, 0] : [lines.length - tail.length + 1, lines.length - tail.length + wanted.length],
          );
        },
      ),
      { numRuns: runs(300) },
    );
  });

  it("reads on without losing or repeating a line", async () => {
    const text = Array.from({ length: 500 }, (_, index) => `line ${index + 1} with some words`).join("\r\n");
    const detected = await open(text);
    const lines: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const window: LineWindow = await take(detected, { offset, maxTokens: 200, atLeastOne: false });
      expect(window.tokens).toBeLessThanOrEqual(200);
      lines.push(...window.lines);
      offset = window.nextOffset;
    }
    expect(lines).toEqual(naiveLines(text));
  });

  it("finds lines whose characters and endings lie across blocks", async () => {
    for (const [encoding, unit] of [
      ["utf-8", 1],
      ["utf-16le", 2],
      ["utf-32be", 4],
    ] as const) {
      for (const shift of [-3, -2, -1, 0, 1]) {
        const first = "x".repeat(BLOCK_BYTES / unit + shift);
        const window = await take(await open(`${first}\r\né中𝄞\nlast`, encoding), { offset: 2 });
        expect(window.lines).toEqual(["é中𝄞", "last"]);
        expect(window.ending).toBe("mixed");
      }
    }
  });

  it("cuts a long line, counts the rest and never splits a character", async () => {
    const window = await take(await open(`${"x".repeat(1999)}𝄞${"y".repeat(100_000)}\nshort\n`), {});
    expect(window.lines[0]).toBe(`${"x".repeat(1999)}… [+100002 chars]`);
    expect(window).toMatchObject({ truncatedBy: "line_length", whole: [[2, 2]], totalLines: 2 });
  });

  it("numbers lines in six columns", async () => {
    expect((await take(await open("a\nb"), { lineNumbers: true, offset: 2 })).lines).toEqual(["     2\tb"]);
  });

  it("numbers a tail from the end where lines were not counted", async () => {
    const window = await take(withoutSurvey(await open("a\nb\nc\nd\n")), { offset: -3, limit: 2, lineNumbers: true });
    expect(window).toMatchObject({ startLine: -3, endLine: -2, nextOffset: -1, isTotalExact: false, whole: [] });
    expect(window.lines).toEqual(["    -3\tb", "    -2\tc"]);
  });

  it("stops counting fifty thousand lines past the window", async () => {
    const window = await take(withoutSurvey(await open("x\n".repeat(60_000))), { limit: 10 });
    expect(window).toMatchObject({ totalLines: 50_010, isTotalExact: false, nextOffset: 11 });
  });

  it("shows one line even if it costs more than there is", async () => {
    const text = await open("many words stand in this line\nmore\n");
    expect((await take(text, { maxTokens: 1 })).lines).toHaveLength(1);
    expect(await take(text, { maxTokens: 1, atLeastOne: false })).toMatchObject({
      lines: [],
      startLine: 1,
      endLine: 0,
      nextOffset: 1,
      truncatedBy: "tokens",
    });
  });

  it("keeps a carriage return that ends no line", async () => {
    expect((await take(await open("a\rb\r\nc\r"))).lines).toEqual(["a\rb", "c\r"]);
  });

  it("does not follow an endless line that it cannot show", { timeout: 10_000 }, async () => {
    let bytesRead = 0;
    const endless = Buffer.alloc(BLOCK_BYTES, "x");
    const source: ByteSource = {
      size: 50_000_000_000,
      async read(position, length) {
        bytesRead += length;
        return position === 0
          ? Buffer.concat([Buffer.from("a\nb\n"), endless]).subarray(0, length)
          : endless.subarray(0, length);
      },
    };
    const { charset } = await open("");
    const text = { kind: "text" as const, source, charset, start: 0, hasMark: false, isLossy: false };
    expect(await take(text)).toMatchObject({
      lines: ["a", "b"],
      truncatedBy: "bytes",
      nextOffset: 3,
      isTotalExact: false,
    });
    expect(bytesRead).toBeLessThan(100_000_000);
  });

  it("counts an endless line at least, and finds the line after it", { timeout: 10_000 }, async () => {
    const size = 80 * 1024 * 1024;
    const source: ByteSource = {
      size,
      async read(position, length) {
        const block = Buffer.alloc(Math.min(length, size - position), "x");
        for (const [index, letter] of [..."\nend\n"].entries()) {
          const at = size - 5 + index - position;
          if (at >= 0 && at < block.length) block.write(letter, at);
        }
        return block;
      },
    };
    const { charset } = await open("");
    const text = { kind: "text" as const, source, charset, start: 0, hasMark: false, isLossy: false };
    const window = await take(text);
    expect(window.lines[0]?.slice(1995)).toBe("xxxxx… [+67106864 chars or more]");
    expect(window).toMatchObject({ truncatedBy: "bytes", nextOffset: 2, totalLines: 2, whole: [] });
    expect((await take(text, { offset: 2 })).lines).toEqual(["end"]);
  });

  it("keeps reading in memory that does not grow with the file", async () => {
    const line = Buffer.from(`${"x".repeat(99)}\n`);
    let most = 0;
    const source: ByteSource = {
      size: 3_000_000_000,
      async read(position, length) {
        most = Math.max(most, length);
        const piece = Buffer.alloc(Math.min(length, this.size - position));
        for (let at = 0; at < piece.length; at += 1) piece[at] = line[(position + at) % 100] ?? 0;
        return piece;
      },
    };
    const text = {
      kind: "text" as const,
      source,
      charset: (await open("")).charset,
      start: 0,
      hasMark: false,
      isLossy: false,
    };
    const window = await take(text, { offset: 5000, limit: 3 });
    expect(window).toMatchObject({ startLine: 5000, endLine: 5002, totalLines: 55_002, isTotalExact: false });
    expect(most).toBeLessThanOrEqual(BLOCK_BYTES);
  });
});

describe("memorySource", () => {
  it("gives fewer bytes only at the end", async () => {
    const source = memorySource(Uint8Array.of(1, 2, 3));
    expect([...(await source.read(1, 10))]).toEqual([2, 3]);
    expect([...(await source.read(5, 1))]).toEqual([]);
  });
});
