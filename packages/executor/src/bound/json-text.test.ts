import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countJsonText, cutHead, cutTail } from "./json-text.ts";

const units = fc.constantFrom(
  "a",
  '"',
  "\\",
  "/",
  "\b",
  "\t",
  "\n",
  "\v",
  "\f",
  "\r",
  "\0",
  "\u001f",
  "\u007f",
  "\u2028",
);
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.oneof(units, fc.constantFrom("\ud83d", "\ude00", "\u{1f600}", "\uffff")) }),
);

describe("countJsonText", () => {
  it("is the length of the text as JSON", () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(countJsonText(given)).toBe(JSON.stringify(given).length);
      }),
    );
  });

  it("tells whether a text fits, whatever the room", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: -5, max: 40 }), (given, room) => {
        expect(countJsonText(given, room) <= room).toBe(JSON.stringify(given).length <= room);
      }),
    );
  });
});

describe("cutHead and cutTail", () => {
  it("keep all that fits and nothing more, and no half of a pair that was whole", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 40 }), (given, room) => {
        for (const [part, more] of [
          [given.slice(0, cutHead(given, room)), given.slice(0, cutHead(given, room) + 2)],
          [given.slice(cutTail(given, room)), given.slice(Math.max(0, cutTail(given, room) - 2))],
        ] as const) {
          expect(JSON.stringify(part).length - 2).toBeLessThanOrEqual(room);
          if (part !== given) expect(JSON.stringify(more).length - 2).toBeGreaterThan(room);
          if (given.isWellFormed()) expect(part.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});
