import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutputFilter } from "./output-filter.ts";

function filter(...chunks: (string | Uint8Array)[]): string {
  const each = createOutputFilter();
  return chunks.map((chunk) => each.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk)).join("") + each.end();
}

describe("createOutputFilter", () => {
  it.each([
    ["plain text", "a\nb\tc\n", "a\nb\tc\n"],
    ["colours", "\u001b[1;31mred\u001b[0m\n", "red\n"],
    ["a window title", "\u001b]0;title\u0007text\n", "text\n"],
    ["a link", "\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\\n", "text\n"],
    ["a progress bar", "10%\r20%\r100%\ndone\n", "100%\ndone\n"],
    ["Windows line ends", "a\r\nb\r\n", "a\nb\n"],
    ["an erased line", "bar\r\u001b[Kdone\n", "done\n"],
    ["overstriking", "b\bbold\n", "bold\n"],
    ["a whole character taken back", "word\n🎉\bx\n", "word\nx\n"],
    ["bells and other controls", "a\u0007\u0000b\n", "ab\n"],
    ["an unfinished line", "half", "half"],
  ])("shows %s as a terminal would leave it", (_, input, expected) => {
    expect(filter(input)).toBe(expected);
  });

  it("decodes characters split across chunks", () => {
    const bytes = Buffer.from("héllo → 世界 🎉\n");
    for (let at = 0; at <= bytes.length; at += 1)
      expect(filter(bytes.subarray(0, at), bytes.subarray(at))).toBe("héllo → 世界 🎉\n");
  });

  it("gives the same text however the bytes are cut", () => {
    const piece = fc.constantFrom(
      "a",
      "\r",
      "\n",
      "\u001b[31m",
      "\u001b[K",
      "\u001b]0;t\u0007",
      "é",
      "🎉",
      "\b",
      "word",
    );
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(40)), (pieces, cuts) => {
        const bytes = Buffer.from(pieces.join(""));
        const at = [
          0,
          ...cuts.map((cut) => cut % (bytes.length + 1)).sort((left, right) => left - right),
          bytes.length,
        ];
        const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(filter(...chunks)).toBe(filter(bytes));
      }),
    );
  });

  it("holds an endless line or control string within bounds", () => {
    const each = createOutputFilter();
    expect(each.push(Buffer.from("x".repeat(200_000))).length).toBe(200_000);
    expect(filter(`\u001b]0;${"t".repeat(10_000)}\nafter\n`)).toContain("after\n");
  });
});
