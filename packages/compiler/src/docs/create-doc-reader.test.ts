import { describe, expect, it } from "vitest";
import { compileOne, compileSource, placesOf } from "../__fixtures__/compile-source.ts";

function inputOf(source: string): unknown {
  return compileOne(source).spec.inputSchema.properties;
}

describe("createDocReader", () => {
  it("reads members of types wherever they are declared", () => {
    expect(
      inputOf(`
interface Base {
  /** The city. @minLength 2 @example Rome */
  city: string;
}
type Options = Partial<Base> & {
  /** Days. @integer @default 3 */
  days?: number;
};
/** A. @effects pure */
export function f(options: Options): void {}`),
    ).toMatchObject({
      city: { type: "string", description: "The city.", minLength: 2, examples: ["Rome"] },
      days: { type: "integer", description: "Days.", default: 3 },
    });
  });

  it("reads comments on the line of their member, and leaves those at a line's end alone", () => {
    const source = `enum Level { /** Wakes. */ High = 1, Low = 2 /** none */ }
/** A. @effects pure */
export function f(options: { /** The city. @minLength 2 */ city: string; /** Old. @deprecated not used */ at?: string; /** loose */
  level: Level, /** @oneWord */ }): void {}`;
    expect(inputOf(source)).toMatchObject({
      city: { description: "The city.", minLength: 2 },
      at: { description: "Old.\nDeprecated: not used", deprecated: true },
      level: { description: "1 = High: Wakes.; 2 = Low" },
    });
    const wrong = compileSource(source.replace("@minLength 2", "@minLength x"));
    expect(placesOf(wrong)).toEqual(["src/index.ts:3:44 error constraint_invalid"]);
  });

  it("takes of other packages' types what they say in words, and nothing of what they say to other readers", () => {
    const foreign = `/** Flattens a type. */
export type Flat<T> = { [K in keyof T]: T[K] } & {};
export interface Foreign {
  /** The encoding. @default process.cwd()
   * @minimum lots
   * @minimun 3
   */
  encoding: string;
}
/** Reads the output side. */
declare function out(): void;
type out<T> = T extends { out: infer O } ? O : never;
export { out };`;
    const source = `import type { Foreign, Flat, out } from "foreign";
/** A. @effects pure */
export function f(one: Foreign, two: Flat<{ a: string }>, three: out<{ out: { b: string } }>): void {}`;
    const files = {
      "node_modules/foreign/package.json": '{ "name": "foreign", "type": "module", "types": "./index.d.ts" }',
      "node_modules/foreign/index.d.ts": foreign,
    };
    const result = compileSource(source, files);
    expect(placesOf(result)).toEqual([]);
    expect(result.tools[0]?.spec.inputSchema.properties).toEqual({
      one: expect.objectContaining({ properties: { encoding: { type: "string", description: "The encoding." } } }),
      two: { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
      three: { type: "object", properties: { b: { type: "string" } }, required: ["b"], additionalProperties: false },
    });
  });

  it("reads @property and @description of JavaScript", () => {
    const source = `/** @typedef {object} Options
 * @property {string} city - The city.
 */
/** @description Finds it.
 * @param {Options} options
 * @effects pure */
export function find(options) {}
export class Box { /** M. @param {number} n - N. */ grow(n) {} }`;
    const result = compileSource('export { find } from "./find.js";', { "src/find.js": source });
    expect(result.tools[0]?.spec).toMatchObject({
      description: "Finds it.",
      inputSchema: { properties: { city: { type: "string", description: "The city." } } },
    });
  });

  it("says that an @ in a text ends it", () => {
    const result = compileSource("/** Asks @alice first, `@bob` then. @effects pure */\nexport function a(): void {}");
    expect(placesOf(result)).toEqual(["src/index.ts:1:10 warning tag_misspelt"]);
    expect(result.diagnostics[0]?.fix).toContain("`@alice`");
    const fine = "/** Asks `@alice` first.\n * @acme says nothing\n * @effects pure */\nexport function a(): void {}";
    expect(placesOf(compileSource(fine))).toEqual([]);
    expect(
      compileOne(String.raw`/** Asks \@alice, \{x\}, *\/ and \d.
 * @effects pure */
export function a(): void {}`).spec.description,
    ).toBe(String.raw`Asks @alice, {x}, */ and \d.`);
  });

  it("follows {@inheritDoc} to what it names or overrides", () => {
    const { tools } = compileSource(
      `
import { other as renamed } from "./other.ts";
/** Named. @effects pure */
export function first(a: string): void {}
/** {@inheritDoc first} */
export function second(a: string): void {}
/** {@inheritDoc renamed} @effects read */
export function third(a: string): void {}
interface Shape {
  /** Of the interface. @effects pure */
  area(): number;
}
/** S. */
export class Square implements Shape {
  /** {@inheritDoc} */
  area(): number { return 1; }
}`,
      { "src/other.ts": "/** Other. */\nexport function other(): void {}" },
    );
    expect(tools.map(({ spec }) => `${spec.name}: ${spec.description}`)).toEqual([
      "area: Of the interface.",
      "first: Named.",
      "second: Named.",
      "third: Other.",
    ]);
  });

  it("comes to an end where comments inherit from each other", () => {
    const result = compileSource(
      "/** {@inheritDoc b} */\nexport function a(): void {}\n/** {@inheritDoc a} */\nexport function b(): void {}",
    );
    expect(placesOf(result)).toEqual([
      "src/index.ts:2:17 info export_undocumented",
      "src/index.ts:4:17 info export_undocumented",
    ]);
  });

  it("finds hidden characters, at the character, and keeps every tool that shows them out", () => {
    const result = compileSource(`
interface Options {
  /** The ci\u200bty. */
  city: string;
}
/** A. @effects pure */
export function a(options: Options): void {}
/** B. @effects pure */
export function b(options: Options): void {}
/** C \u{e0041}. @effects pure */
export function c(): void {}
/** Fine \u{1f469}\u200d\u{1f4bb}. @effects pure */
export function d(): void {}
/** E. @effects pure */
export function e(unit: "a\u2066b"): void {}`);
    expect(result.tools.map(({ spec }) => spec.name)).toEqual(["d"]);
    expect(placesOf(result)).toEqual([
      "src/index.ts:3:13 error hidden_text",
      "src/index.ts:10:7 error hidden_text",
      "src/index.ts:15:17 error hidden_text",
    ]);
    expect(result.diagnostics[0]?.message).toContain("\\u{200b}");
  });

  it("says what to write where a hidden character keeps a comment from ending", () => {
    const source = (end: string): string =>
      `/** Lists src/*${end}/index.ts. @effects pure */\nexport function list(): void {}`;
    expect(compileSource(source("\u200b")).diagnostics).toMatchObject([
      { code: "hidden_text", fix: String.raw`Write *\/ instead: it is read as */ and does not end the comment.` },
    ]);
    const written = compileSource(source("\\"));
    expect(written.diagnostics).toEqual([]);
    expect(written.tools[0]?.spec.description).toBe("Lists src/*/index.ts.");
  });

  it("refuses a constraint that cannot be read, at its tag", () => {
    const result = compileSource(`
interface Options {
  /** The city.
   * @minLength two */
  city: string;
}
/** A. @effects pure */
export function a(options: Options): void {}`);
    expect(placesOf(result)).toEqual(["src/index.ts:4:6 error constraint_invalid"]);
    expect(result.tools).toEqual([]);
  });
});
