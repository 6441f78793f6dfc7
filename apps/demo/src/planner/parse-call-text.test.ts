import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseCallText } from "./parse-call-text.ts";

const plainCalls = (text: string) => parseCallText(text).map(({ toolName, input }) => ({ toolName, input }));

describe("parseCallText", () => {
  it("finds calls inside sentences", () => {
    expect(plainCalls('212 lines; read(file_paths=["a.ts"], offset=163), or history()')).toEqual([
      { toolName: "read", input: { file_paths: ["a.ts"], offset: 163 } },
      { toolName: "history", input: {} },
    ]);
  });

  it.each(["read(", "read(path=)", "read(path=a.ts)", 'read("a")', 'read(path="a"', "a.b(c=1)", "read(x=1 y=2)"])(
    "finds none in %j",
    (text) => {
      expect(parseCallText(text)).toEqual([]);
    },
  );

  it("gives back any arguments written as JSON", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z_]\w{0,8}$/), fc.jsonValue(), { minKeys: 1, maxKeys: 4 }),
        (input) => {
          const text = `call_it(${Object.entries(input)
            .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
            .join(", ")})`;
          expect(JSON.stringify(plainCalls(`see: ${text}.`))).toEqual(JSON.stringify([{ toolName: "call_it", input }]));
        },
      ),
    );
  });

  it("reads hostile text in bounded time", () => {
    for (const piece of ["a(", "a(b=[", 'a(b="', "a(b=1,"]) expect(parseCallText(piece.repeat(50_000))).toEqual([]);
  });
});
