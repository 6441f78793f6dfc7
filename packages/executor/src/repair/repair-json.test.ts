import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairJson } from "./repair-json.ts";

const REPAIRABLE: readonly (readonly [string, string, unknown])[] = [
  ["a trailing comma", '{"a": [1, 2,], }', { a: [1, 2] }],
  ["single quotes", "{'a': 'b c'}", { a: "b c" }],
  ["bare names", "{a: 1, b_c: [true]}", { a: 1, b_c: [true] }],
  ["Python's words", '{"a": True, "b": None, "c": False}', { a: true, b: null, c: false }],
  ["comments", '{"a": 1, // one\n /* two */ "b": 2}', { a: 1, b: 2 }],
  ["a comma missing at the end of a line", '{"a": 1\n "b": 2}', { a: 1, b: 2 }],
  ["line breaks inside of a text", '{"content": "one\ntwo\tthree"}', { content: "one\ntwo\tthree" }],
  ["a code fence around what is not quite JSON", "```json\n{'a': 1,}\n```", { a: 1 }],
  ["an apostrophe and brackets in a text", `{"a": "it's } fine, {x}",}`, { a: "it's } fine, {x}" }],
  ["a bare word", "{mode: read-only}", { mode: "read-only" }],
  [
    "equal names of different objects",
    "{a: {x: 1}, b: {x: [{x: 2}, {x: 3}]}}",
    { a: { x: 1 }, b: { x: [{ x: 2 }, { x: 3 }] } },
  ],
  [
    "a number in its longest spelling",
    "{a: 0.30000000000000004, b: 1.50e3, c: -0.0}",
    { a: 0.30000000000000004, b: 1500, c: -0 },
  ],
  ["names that look like numbers", "{'2': 'b', '1': 'a'}", { 1: "a", 2: "b" }],
];

const REFUSED: readonly (readonly [string, string])[] = [
  ["a text that was cut off", '{"command":"rm -rf /tmp/x'],
  ["a text cut off behind a bracket of its own", '{"command":"echo }'],
  ["an object that was cut off", '{"command":"rm -rf /tmp/x"'],
  ["a list that was cut off", '{"a": [1, 2'],
  ["a list closed as an object", '{"a": [1, 2}}'],
  ["something behind the object", '{"a": 1} and so on'],
  ["two objects", '{"a": 1} {"b": 2}'],
  ["something before the object", 'call({"a": 1})'],
  ["a list", "[1, 2,]"],
  ["a bare word", "rm"],
  ["quotes inside of a text", '{"a": "he said "hi" to me"}'],
  ["an apostrophe inside of single quotes", "{'a': 'it's'}"],
  ["a bare text of several words", "{command: rm -rf x}"],
  ["texts that are added up", '{"a": "b" + "c"}'],
  ["an ellipsis", '{"a": [1, 2, ...]}'],
  ["a missing colon", '{"a"\n "b"}'],
  ["a comment that never ends", '{"a": 1} /* x'],
  ["a fence that was cut off", '```json\n{"a": 1}'],
  ["a backslash that is no escape, as in a pattern", String.raw`{"a": "\d+",}`],
  ["a backslash that is no escape, as in a path", String.raw`{'a': 'C:\Users'}`],
  ["half of an escape", String.raw`{"a": "\u12",}`],
  ["a name that stands there twice", '{a: 1, "a": 2}'],
  ["a name that stands twice in an object within", '{"a": [{"b": 1, "\\u0062": 2}],}'],
  ["a number that would lose digits", "{a: 0.12345678901234567890123}"],
  ["an integer that would lose digits", "{a: 12345678901234567890}"],
  ["a number that would become a text", "{a: 007}"],
  ["a number in hexadecimal", "{a: 0x10}"],
  ["what is no number", "{a: NaN}"],
  ["a word that may mean null or nothing at all", "{a: undefined}"],
  ["a word of JSON in other letters", "{a: TRUE}"],
  ["what is longer than a slip", `{"a": "${"x".repeat(300_000)}",}`],
  ["what nests deeper than arguments may", `{"a": ${"[".repeat(70)}${"]".repeat(70)},}`],
];

describe("repairJson", () => {
  it.each(REPAIRABLE)("reads %s", async (_what, text, value) => {
    expect(await repairJson(text)).toEqual({ kind: "json_syntax", value });
  });

  it("takes JSON out of a code fence", async () => {
    expect(await repairJson('```\n{"a": "```"}\n```')).toEqual({ kind: "code_fence", value: { a: "```" } });
  });

  it.each(REFUSED)("refuses %s", async (_what, text) => {
    expect(await repairJson(text)).toBeUndefined();
  });

  const anyObject = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });

  it("never changes what JSON already says", async () => {
    await fc.assert(
      fc.asyncProperty(anyObject, async (value) => {
        const text = JSON.stringify(value);
        const repaired = await repairJson(text);
        if (repaired !== undefined) expect(JSON.stringify(repaired.value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it("never completes what was cut off", async () => {
    await fc.assert(
      fc.asyncProperty(anyObject, fc.nat(), async (value, cut) => {
        const text = JSON.stringify(value);
        expect(await repairJson(text.slice(0, cut % text.length))).toBeUndefined();
      }),
    );
  });

  it("gives exactly the value whose trailing commas, comments or quotes alone are wrong", async () => {
    const plain = fc.string({ unit: fc.constantFrom(...'abc {}[]:,/*\\\n"é') });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/u), plain, { minKeys: 1 }), async (value) => {
        const members = Object.entries(value).map(([name, text]) => `${name}: ${JSON.stringify(text)}`);
        expect(await repairJson(`{ // call\n${members.join(", ")}, }`)).toEqual({ kind: "json_syntax", value });
      }),
    );
  });

  it("answers every text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom(..."{}[]:,\"'`/*\\n \nab1") }), async (text) => {
        const repaired = await repairJson(`{${text}}`);
        expect(repaired === undefined || typeof repaired.value === "object").toBe(true);
      }),
    );
  });
});
