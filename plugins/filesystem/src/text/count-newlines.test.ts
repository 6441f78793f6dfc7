import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../__fixtures__/runs.ts";
import { UTF_16BE, UTF_16LE, UTF_8 } from "./charset.ts";
import { countNewlines } from "./count-newlines.ts";

describe("countNewlines", () => {
  it("counts what looking at every byte counts, wherever the block begins and ends", () => {
    const byte = fc.oneof(fc.constantFrom(0x0a, 0x0b, 0x09, 0x8a, 0x00, 0xff), fc.nat(255));
    fc.assert(
      fc.property(fc.array(byte, { maxLength: 4000 }), fc.nat(5), (bytes, from) => {
        const block = Buffer.from(bytes).subarray(from);
        expect(countNewlines(block, UTF_8)).toBe(block.filter((one) => one === 0x0a).length);
      }),
      { numRuns: runs(300) },
    );
  });

  it("holds its count where every byte is a line feed", () => {
    expect(countNewlines(Buffer.alloc(100_003, "\n"), UTF_8)).toBe(100_003);
  });

  it("takes a line feed of UTF-16 for one only where a character begins", () => {
    const little = Buffer.from("a\n\u0a00\u000a\n", "utf16le");
    expect(countNewlines(little, UTF_16LE)).toBe(3);
    expect(countNewlines(Buffer.from(little).swap16(), UTF_16BE)).toBe(3);
  });
});
