import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { runs } from "../__fixtures__/runs.ts";
import { mergeContents, type Contents } from "./merge-contents.ts";

const BASE = "one\ntwo\nthree\nfour\nfive\n";
const OURS = "ONE\ntwo\nthree\nfour\nfive\n";
const THEIRS = "one\ntwo\nthree\nfour\nFIVE\nsix";
const BOTH = "ONE\ntwo\nthree\nfour\nFIVE\nsix";

const crlf = (text: string): string => text.replaceAll("\n", "\r\n");
const encode = (text: string, label = "utf-8", addBOM = false): Buffer => iconv.encode(text, label, { addBOM });
const three = (base: string, ours: string, theirs: string): Contents => ({
  base: encode(base),
  ours: encode(ours),
  theirs: encode(theirs),
});

describe("mergeContents", () => {
  it("makes both changes and keeps the final line as the side that changed it left it", async () => {
    expect(await mergeContents(three(BASE, OURS, THEIRS))).toEqual({ merged: encode(BOTH) });
  });

  it("keeps CR LF, and takes the endings of the side that changed them", async () => {
    const all = three(crlf(BASE), crlf(OURS), crlf(THEIRS));
    expect(await mergeContents(all)).toEqual({ merged: encode(crlf(BOTH)) });
    expect(await mergeContents(three(BASE, crlf(OURS), THEIRS))).toEqual({ merged: encode(crlf(BOTH)) });
    expect(await mergeContents(three(crlf(BASE), crlf(OURS), THEIRS))).toEqual({ merged: encode(BOTH) });
  });

  it("leaves mixed endings as they are", async () => {
    const mixed = (text: string): string => text.replace("two\n", "two\r\n").replace("four\n", "four\r\n");
    expect(await mergeContents(three(mixed(BASE), mixed(OURS), mixed(THEIRS)))).toEqual({
      merged: encode(mixed(BOTH)),
    });
  });

  it.each([
    ["utf-8", true],
    ["utf-16le", true],
    ["utf-16be", true],
  ])("keeps the encoding and its mark: %s", async (label, mark) => {
    const contents = {
      base: encode(BASE, label, mark),
      ours: encode(OURS, label, mark),
      theirs: encode(THEIRS, label, mark),
    };
    expect(await mergeContents(contents)).toEqual({ merged: encode(BOTH, label, mark) });
  });

  it("keeps every byte of an old encoding that is only guessed", async () => {
    const [base, ours, theirs] = [BASE, OURS, THEIRS].map((text) => encode(`${text}\nné à Köln\n`, "windows-1252"));
    if (base === undefined || ours === undefined || theirs === undefined) throw new Error("missing");
    expect(await mergeContents({ base, ours, theirs })).toEqual({
      merged: encode(`${BOTH}\nné à Köln\n`, "windows-1252"),
    });
  });

  it("takes the encoding of the side that changed it, and none where both did", async () => {
    const contents = { base: encode(BASE), ours: encode(OURS), theirs: encode(THEIRS, "utf-16le", true) };
    expect(await mergeContents(contents)).toEqual({ merged: encode(BOTH, "utf-16le", true) });
    expect(await mergeContents({ ...contents, ours: encode(OURS, "utf-16be", true) })).toEqual({
      reason: "its encoding was changed twice",
    });
  });

  it("never merges binary files, and names the lines that clash", async () => {
    const bytes = Buffer.from([0, 1, 2, 3, 0, 255]);
    expect(await mergeContents({ base: bytes, ours: bytes, theirs: bytes })).toEqual({
      reason: "binary files are not merged",
    });
    expect(await mergeContents(three(BASE, BASE.replace("two", "2"), BASE.replace("two", "deux")))).toEqual({
      reason: "both changed the same lines, or lines that touch",
      clashes: [{ firstLine: 2, lastLine: 2 }],
    });
  });

  it("gives the other side byte for byte where one changed nothing", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "\n", "\r\n", "\t"), maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(text, text, async (base, changed) => {
        const [old, young] = [encode(`x${base}`), encode(`x${changed}`)];
        expect(await mergeContents({ base: old, ours: old, theirs: young })).toEqual({ merged: young });
        expect(await mergeContents({ base: old, ours: young, theirs: old })).toEqual({ merged: young });
      }),
      { numRuns: runs(200) },
    );
  });
});
