import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeHiddenText, findHiddenText, isPlainJson } from "./hidden-text.ts";

describe("findHiddenText and escapeHiddenText", () => {
  it.each([
    ["a control character", "\u0007"],
    ["a zero-width space", "\u200B"],
    ["a bidirectional override", "\u202E"],
    ["a tag character", "\u{E0041}"],
    ["a private-use character", "\uE000"],
    ["an unassigned code point", "\u{50000}"],
    ["a line separator", "\u2028"],
    ["a Hangul filler", "\u3164"],
    ["a variation selector alone", "\u{E0101}"],
    ["a blank Braille pattern", "\u2800"],
    ["a lone surrogate", "\uD800"],
    ["a soft hyphen", "\u00AD"],
  ])("finds %s", (_what, character) => {
    expect(findHiddenText(`a${character}b`)).toEqual([character]);
    expect(escapeHiddenText(`a${character}b`)).toMatch(/^a\\u\{[0-9a-f]+\}b$/);
  });

  it.each(["plain text\twith\nbreaks", "Grüße, 你好, مرحبا", "👩‍👩‍👧 family", "❤️ heart", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag"])(
    "passes %s",
    (text) => {
      expect(findHiddenText(text)).toEqual([]);
      expect(escapeHiddenText(text)).toBe(text);
    },
  );
});

describe("isPlainJson", () => {
  it("is true only where no parsed text hides anything", () => {
    const json = fc.json({ maxDepth: 3 });
    fc.assert(
      fc.property(
        fc.oneof(
          json,
          fc.string({ unit: "binary" }).map((text) => JSON.stringify([text])),
        ),
        (text) => {
          if (!isPlainJson(text)) return;
          JSON.parse(text, (key, value: unknown) => {
            expect(findHiddenText(key)).toEqual([]);
            if (typeof value === "string") expect(findHiddenText(value)).toEqual([]);
            return value;
          });
        },
      ),
    );
  });

  it.each(['["\\u200b"]', '["\\b"]', '["\\f"]', '["\u200b"]', '["\u007f"]', '{"\\u0000":1}'])(
    "is false for %j",
    (text) => {
      expect(isPlainJson(text)).toBe(false);
    },
  );

  it.each(['{"a":"b\\n\\t\\"\\\\\\/"}', "[1, 2]\n"])("is true for %j", (text) => {
    expect(isPlainJson(text)).toBe(true);
  });
});
