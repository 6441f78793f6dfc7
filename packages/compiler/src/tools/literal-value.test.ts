import { ts } from "@ts-morph/common";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileOne } from "../__fixtures__/compile-source.ts";
import { readLiteral, type LiteralValue } from "./literal-value.ts";

function read(code: string): LiteralValue {
  const file = ts.createSourceFile("a.ts", `(${code}\n)`, ts.ScriptTarget.Latest, true);
  const [statement] = file.statements;
  if (statement === undefined || !ts.isExpressionStatement(statement)) throw new Error(`no expression: ${code}`);
  return readLiteral(statement.expression);
}

describe("readLiteral", () => {
  it("reads any JSON that is written as code", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const json = JSON.stringify(value).replaceAll("-0", "0");
        fc.pre(!json.includes("__proto__"));
        expect(read(json)).toEqual({ known: true, value: JSON.parse(json) as unknown });
      }),
    );
  });

  it("reads what code has beyond JSON", () => {
    const values: readonly [string, unknown][] = [
      ["`text`", "text"],
      ["'it''".replace("''", "\\''"), "it'"],
      ["-1_000", -1000],
      ["+0x10", 16],
      ["!0", true],
      ["undefined", undefined],
      ["[1, 'a'] as const", [1, "a"]],
      ["{ a: 1, 'b-c': { 2: null }, ['d']: undefined } satisfies object", { a: 1, "b-c": { 2: null } }],
      ["new Date('2026-01-02')", "2026-01-02T00:00:00.000Z"],
    ];
    for (const [code, value] of values) expect(read(code)).toEqual({ known: true, value });
  });

  it("knows nothing of what has to run", () => {
    for (const code of [
      "f()",
      "a",
      "`${a}`",
      "[...a]",
      "{ ...a }",
      "{ [a]: 1 }",
      "1 / 0",
      "1e999",
      "-'a'",
      "() => 1",
      "[,]",
      "new Date('x')",
      "new Date(2014, 1, 31)",
      "new Date()",
    ]) {
      expect(read(code)).toEqual({ known: false });
    }
  });

  it("follows constants and enum members, and nothing that may change", () => {
    const { properties } = compileOne(
      `
import { FAR } from "./far.ts";
enum Side { Left = "left" }
const NEAR = { deep: [1] } as const;
let changing = 5;
const loop: number = loop;
/** A. @effects pure */
export function f(a = FAR, b = Side.Left, c = NEAR, d = changing, e = loop, g = NEAR.deep[0]): void {}`,
      {
        "src/far.ts": "const inner = 7;\nexport const FAR = inner;",
      },
    ).spec.inputSchema;
    expect(properties).toMatchObject({
      a: { default: 7 },
      b: { default: "left" },
      c: { default: { deep: [1] } },
      g: { default: 1 },
    });
    expect(properties?.["d"]).not.toHaveProperty("default");
    expect(properties?.["e"]).not.toHaveProperty("default");
  });
});
