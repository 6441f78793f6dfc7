import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeptText } from "./kept-text.ts";

function keep(limit: number, ...pieces: string[]) {
  const kept = createKeptText(limit);
  for (const piece of pieces) kept.append(piece);
  return kept.read();
}

describe("createKeptText", () => {
  it("keeps a text that fits, exactly", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 20 }), { maxLength: 5 }), (pieces) => {
        expect(keep(100, ...pieces)).toEqual({ text: pieces.join(""), truncated: false });
      }),
    );
  });

  it("keeps 40 % of the beginning and 60 % of the end, and counts the lines between", () => {
    const lines = Array.from({ length: 1_000 }, (_, index) => `line ${String(index).padStart(4, "0")}\n`);
    const { text, truncated } = keep(1_000, ...lines);
    const shown = text.split("\n").filter((line) => line.startsWith("line"));
    const omitted = Number(/\[… (\d+) lines omitted …\]/.exec(text)?.[1]);
    expect(truncated).toBe(true);
    expect(text.length).toBeLessThan(1_050);
    expect(shown.length + omitted).toBe(1_000);
    expect(shown[0]).toBe("line 0000");
    expect(shown.at(-1)).toBe("line 0999");
    expect(text.indexOf("[…")).toBeGreaterThan(350);
    expect(text.indexOf("[…")).toBeLessThan(410);
  });

  it("never cuts a character in half", () => {
    const { text } = keep(101, "🎉".repeat(500));
    expect(text.isWellFormed()).toBe(true);
  });

  it("keeps the same text however it arrives", () => {
    const whole = "abc\ndef\n".repeat(400);
    const pieces = whole.match(/[\s\S]{1,7}/g) ?? [];
    expect(keep(200, ...pieces)).toEqual(keep(200, whole));
  });

  it("shows fewer characters than it keeps, as if it had kept that many", () => {
    const kept = createKeptText(1_000);
    kept.append("a line\n".repeat(500));
    const fewer = kept.read(200);
    expect(fewer).toEqual(keep(200, "a line\n".repeat(500)));
    expect(kept.read(5_000)).toEqual(kept.read());
    expect(kept.read(0)).toEqual({ text: "[… 500 lines omitted …]\n", truncated: true });
  });

  it("shows the end alone, whole characters only", () => {
    const kept = createKeptText(100);
    kept.append("ab🎉");
    expect(kept.readTail(4)).toEqual({ text: "ab🎉", truncated: false });
    expect(kept.readTail(2)).toEqual({ text: "🎉", truncated: true });
    expect(kept.readTail(1)).toEqual({ text: "", truncated: true });
    kept.append("x".repeat(500));
    expect(kept.readTail(10)).toEqual({ text: "x".repeat(10), truncated: true });
    expect(kept.readTail(0)).toEqual({ text: "", truncated: true });
  });
});
