import fc from "fast-check";
import { toJsonValue, toModelResult, toSuccess } from "@aiw/core";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "./estimate-tokens.ts";
import { FullResults } from "./full-results.ts";
import { toCharacterBound, truncateOutput } from "./truncate-output.ts";

const LIMIT = 2000;

/** "… 180,000 characters omitted; the host keeps the whole as result:<uuid> …", in quotes. */
const LONGEST_MARK = 130;

/** `{"success":true,"error":"","value":` and `}`. */
const AROUND = 36;

const succeeded = toSuccess(undefined, {
  callId: "c1",
  toolId: "x",
  toolName: "x",
  startedAt: 0,
  durationMs: 0,
  attempts: 1,
});

/** JSON whose texts and names are full of what is escaped. */
const hostile = fc.letrec((tie) => {
  const text = fc.string({
    unit: fc.constantFrom("x", '"', "\\", "\n", "\u0001", "\u007f", "\ud800", "\udc00", "\u{1f600}"),
    maxLength: 400,
  });
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.double(),
      fc.constantFrom(null, true),
      fc.array(tie("value"), { maxLength: 8 }),
      fc.dictionary(text, tie("value"), { maxKeys: 8, noNullPrototype: true }),
    ),
  };
}).value;

function truncate(value: unknown, limit = LIMIT, tokens?: number) {
  const full = new FullResults();
  return { ...truncateOutput(value, { bounds: { characters: limit, tokens }, full }), full };
}

describe("truncateOutput", () => {
  it.each<[string, unknown]>([
    ["text", "x".repeat(1900)],
    ["nothing", undefined],
    ["null", null],
    ["a number", 5],
    ["an object", { a: [1, 2, { b: "c" }] }],
    ["a date", new Date(0)],
    ["bytes", new Uint8Array(100)],
  ])("leaves %s within the limit as it is", (_what, value) => {
    const { value: same, truncated } = truncate(value);
    expect(same).toBe(value);
    expect(truncated).toBeUndefined();
  });

  it("keeps head and tail of a long text, with a mark that says where the whole is", () => {
    const text = `HEAD${"x".repeat(100_000)}TAIL`;
    const { value, truncated, full } = truncate({ path: "a.txt", output: text });
    const { path, output } = value as { path: string; output: string };
    expect(path).toBe("a.txt");
    expect(output).toMatch(/^HEADx/);
    expect(output).toMatch(/xTAIL$/);
    expect(truncated?.fullResult).toMatch(/^result:/);
    expect(output).toContain(truncated?.fullResult);
    expect(truncated?.omittedCharacters).toBeGreaterThan(95_000);
    expect(full.read(truncated?.fullResult ?? "")).toEqual({ path: "a.txt", output: text });
  });

  it("shares the room between long texts and leaves short ones whole", () => {
    const { value } = truncate({ a: "a".repeat(5000), b: "b".repeat(5000), c: "c".repeat(300) });
    const { a, b, c } = value as Record<string, string>;
    expect(c).toHaveLength(300);
    expect(Math.abs((a?.length ?? 0) - (b?.length ?? 0))).toBeLessThan(100);
    expect(a?.length).toBeGreaterThan(500);
  });

  it("keeps the first items of a long list and counts the others", () => {
    const { value } = truncate({ matches: Array.from({ length: 10_000 }, (_, line) => ({ line })) });
    const { matches } = value as { matches: unknown[] };
    expect(matches[0]).toEqual({ line: 0 });
    expect(matches.at(-1)).toMatch(/[\d,]+ more items omitted; the host keeps the whole as result:/);
    expect(matches.length).toBeGreaterThan(10);
  });

  it("never cuts media beside a value", () => {
    const attachments = [{ type: "image", media_type: "image/png", data: "A".repeat(100_000) }];
    expect(truncate({ text: "short", attachments }).truncated).toBeUndefined();
    const { value } = truncate({ text: "x".repeat(9000), attachments });
    expect((value as { attachments: unknown }).attachments).toBe(attachments);
    expect((value as { text: string }).text.length).toBeLessThan(2100);
  });

  it("counts media among what is kept whole", () => {
    const attachments = [{ type: "file", media_type: "text/plain", data: "A".repeat(100_000) }];
    const full = new FullResults(150_000);
    const { truncated } = truncateOutput(
      { text: "x".repeat(9000), attachments },
      { bounds: { characters: LIMIT }, full },
    );
    expect(truncated).toMatchObject({ fullResult: "" });
  });

  it.each<[string, unknown]>([
    ["a name without end", { ["k".repeat(100_000)]: 1 }],
    [
      "many long names",
      Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${"k".repeat(900)}${index}`, index])),
    ],
    ["many texts that are just too long", Array.from({ length: 500 }, () => "x".repeat(100))],
    ["what is called media and is none", { attachments: ["x".repeat(100_000)], text: "a" }],
    ["a map", new Map([["a", "x".repeat(100_000)]])],
    ["a map by numbers", new Map([[1, "x".repeat(100_000)]])],
    ["a set", new Set(["x".repeat(100_000)])],
    ["an error", { cause: new RangeError("x".repeat(100_000)) }],
    ["a list of gaps", Array.from({ length: 3 }, () => Array<unknown>(50_000))],
  ])("keeps %s within the limit", (_what, value) => {
    const { value: bounded, truncated } = truncate(value);
    expect(JSON.stringify(toJsonValue(bounded)).length).toBeLessThan(LIMIT * 1.5);
    expect(truncated?.fullResult).toMatch(/^result:/);
  });

  it("loses no member whose name is cut where another one is", () => {
    const value = Object.fromEntries([1, 2, 3].map((index) => [`${"k".repeat(5000)}${index}`, index]));
    expect(Object.values(truncate(value).value as object)).toEqual([1, 2, 3]);
  });

  it("replaces bytes that are too many by their number", () => {
    expect(JSON.stringify(truncate({ data: new Uint8Array(50_000) }).value)).toContain("50000 bytes");
  });

  it("ends on cycles and depth", () => {
    const cyclic: { self?: unknown; text: string } = { text: "x" };
    cyclic.self = cyclic;
    let deep: unknown = "bottom";
    for (let level = 0; level < 50_000; level += 1) deep = [deep];
    for (const value of [cyclic, deep]) {
      const { value: bounded, truncated } = truncate(value);
      expect(JSON.stringify(bounded).length).toBeLessThan(LIMIT * 2);
      expect(truncated).toBeDefined();
    }
  });

  it("counts what JSON escapes, at the border too", () => {
    const escaped = '\n"\\'.repeat(100);
    expect(JSON.stringify(escaped)).toHaveLength(602);
    expect(truncate(escaped, 602).truncated).toBeUndefined();
    expect(truncate(escaped, 601).truncated).toBeDefined();
    expect(JSON.stringify(truncate("\u0001".repeat(29_000), 30_000).value).length).toBeLessThanOrEqual(30_000);
  });

  it("shortens no JSON that is as long as the limit", () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const shown = JSON.stringify(value);
        // Of these JSON has no other word than null.
        fc.pre(
          !/NaN|Infinity/u.test(
            JSON.stringify(value, (_key, one: unknown) => (typeof one === "number" ? String(one) : one)),
          ),
        );
        expect(truncate(value, shown.length).truncated).toBeUndefined();
        if (shown.length > 1) expect(truncate(value, shown.length - 1).truncated).toBeDefined();
      }),
    );
  });

  it("gives a model no more than the limit and the words around a value, or a mark alone", () => {
    fc.assert(
      fc.property(
        hostile,
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 3000 }),
        (given, repeat, limit) => {
          const value = Array.from({ length: repeat }, () => given);
          for (const whole of [value, { value }, { text: value.map((one) => JSON.stringify(one)).join("\n") }]) {
            const { value: bounded, truncated } = truncate(whole, limit);
            expect(JSON.stringify(bounded).length).toBeLessThanOrEqual(Math.max(limit, LONGEST_MARK));
            const shown = JSON.stringify(toModelResult({ ...succeeded, value: bounded }));
            expect(shown.length).toBeLessThanOrEqual(Math.max(limit, LONGEST_MARK) + AROUND);
            if (truncated === undefined) expect(bounded).toBe(whole);
          }
        },
      ),
    );
  });

  it("uses most of the room for a text, whatever is escaped in it", () => {
    for (const character of ["x", '"', "\n", "\u0001", "\ud800", "\u{1f600}"]) {
      const { length } = JSON.stringify(truncate(character.repeat(10_000), LIMIT).value);
      expect(length).toBeGreaterThan(LIMIT * 0.9);
    }
  });

  it("keeps media beside a mark that stands alone", () => {
    const attachments = [{ type: "image", media_type: "image/png", data: "A" }];
    const { value } = truncate({ text: "x".repeat(9000), more: ["y".repeat(9000)], attachments }, 1);
    expect(value).toMatchObject({ attachments });
    expect(JSON.stringify({ ...(value as object), attachments: [] }).length).toBeLessThan(200);
  });

  it("never splits a surrogate pair", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 7 }), (shift) => {
        const { value } = truncate(`${"x".repeat(shift)}${"😀".repeat(5000)}`, 301 + shift);
        expect((value as string).isWellFormed()).toBe(true);
      }),
    );
  });
});

describe("truncateOutput with a bound on tokens", () => {
  const words = Array.from({ length: 4000 }, (_, index) => `word${index % 7}`).join(" ");
  const hanzi = "\u6587\u5b57".repeat(8000);
  const base64 = "QUJD".repeat(8000);

  it.each([
    ["words", words],
    ["characters of more than one token", hanzi],
    ["what has no words in it", base64],
    ["an object of texts", { a: words, b: [hanzi, base64] }],
    ["pairs of surrogates", "\u{1f600}".repeat(8000)],
    ["many small members", Object.fromEntries(words.split(" ").map((word, index) => [`key${index}`, word]))],
  ])("keeps %s within it, as far as an estimate tells", (_what, value) => {
    const { value: bounded, truncated, full } = truncate(value, 1_000_000, 500);
    expect(estimateTokens(bounded)).toBeLessThanOrEqual(500);
    expect(estimateTokens(bounded)).toBeGreaterThan(100);
    expect(JSON.stringify(bounded).isWellFormed()).toBe(true);
    expect(full.read(truncated?.fullResult ?? "")).toBe(value);
  });

  it("lets the smaller bound hold", () => {
    expect(JSON.stringify(truncate(words, 300, 100_000).value).length).toBeLessThan(700);
    expect(estimateTokens(truncate(words, 100_000, 200).value)).toBeLessThanOrEqual(200);
  });

  it("leaves what is within both bounds as it is, media beside it aside", () => {
    const value = {
      text: "short",
      attachments: [{ type: "image", media_type: "image/png", data: base64 }],
      count: 5n,
      bytes: new Uint8Array(3),
    };
    expect(truncate(value, LIMIT, 50).value).toBe(value);
    expect(truncate(undefined, LIMIT, 1).truncated).toBeUndefined();
  });

  it("ends on a bound that nothing can keep", () => {
    const { value } = truncate({ a: words }, LIMIT, 1);
    expect(JSON.stringify(value).length).toBeLessThan(LIMIT);
  });
});

describe("toCharacterBound", () => {
  it("is what a tool that pages may rely on", () => {
    expect(toCharacterBound({ characters: 1000 })).toBe(1000);
    expect(toCharacterBound({ characters: 1000, tokens: 100 })).toBe(300);
    expect(toCharacterBound({ characters: 1000, tokens: 10_000 })).toBe(1000);
  });
});

describe("FullResults", () => {
  it("lets the least recently used give way", () => {
    // Each takes 512 bytes beside its own.
    const full = new FullResults(1200);
    const first = full.keep("first", 20) ?? "";
    const second = full.keep("second", 20) ?? "";
    expect(full.read(first)).toBe("first");
    const third = full.keep("third", 20) ?? "";
    expect(full.read(second)).toBeUndefined();
    expect(full.read(first)).toBe("first");
    expect(full.read(third)).toBe("third");
    expect(full.keep("too large", 600)).toBeUndefined();
    full.clear();
    expect(full.read(first)).toBeUndefined();
  });

  it("counts what keeping a small value takes", () => {
    const full = new FullResults(10_000);
    const references = Array.from({ length: 1000 }, () => full.keep("", 0) ?? "");
    expect(references.filter((reference) => full.read(reference) !== undefined).length).toBeLessThan(20);
  });

  it("gives a result to its conversation and its caller alone", () => {
    const full = new FullResults();
    const [alice, bob] = [{ id: "alice" }, { id: "bob" }];
    const reference = full.keep("hers", 4, { sessionId: "one", principal: alice }) ?? "";
    expect(full.read(reference)).toBe("hers");
    expect(full.read(reference, { sessionId: "one" })).toBe("hers");
    expect(full.read(reference, { sessionId: "one", principal: alice })).toBe("hers");
    expect(full.read(reference, { sessionId: "two" })).toBeUndefined();
    expect(full.read(reference, { sessionId: "one", principal: bob })).toBeUndefined();
    expect(full.read(reference, { sessionId: "one", principal: undefined })).toBeUndefined();
    const free = full.keep("free", 4, { sessionId: undefined, principal: undefined }) ?? "";
    expect(full.read(free, { sessionId: "two", principal: undefined })).toBe("free");
    full.forget("one");
    expect(full.read(reference)).toBeUndefined();
    expect(full.read(free)).toBe("free");
  });

  it("says so when a result is too large to keep", () => {
    const { value, truncated } = truncateOutput("x".repeat(1000), {
      bounds: { characters: 200 },
      full: new FullResults(100),
    });
    expect(value).toContain("too large to keep");
    expect(truncated?.fullResult).toBe("");
  });
});
