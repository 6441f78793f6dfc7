import { describe, expect, it } from "vitest";
import { compileOne, compileSource, placesOf } from "../__fixtures__/compile-source.ts";

function namesOf(source: string, others?: Record<string, string>): string[] {
  return compileSource(source, others).tools.map(({ export: exported, spec }) => `${exported}: ${spec.name}`);
}

describe("toCandidates", () => {
  it("takes functions, arrow functions, function expressions and constants of a function type", () => {
    const source = `
      /** A. @effects pure */ export function readFile2(a: string): string { return a; }
      /** B. @effects pure */ export const toHTMLPage = (a: string): string => a;
      /** C. @effects pure */ export const third = function (a: string): string { return a; };
      type Handler = (a: string) => string;
      /** D. @effects pure */ export const fourth: Handler = (a) => a;
      /** E. @effects pure */ export const fifth = fourth;
    `;
    expect(namesOf(source)).toEqual([
      "fifth: fifth",
      "fourth: fourth",
      "readFile2: read_file2",
      "third: third",
      "toHTMLPage: to_html_page",
    ]);
  });

  it("names a default export after its function, and leaves a second name of it out", () => {
    expect(namesOf("/** A. */ export default function getTime(): string { return ''; }")).toEqual([
      "default: get_time",
    ]);
    expect(namesOf("/** A. */ export function one(): void {}\nexport default one;")).toEqual(["one: one"]);
    expect(namesOf("/** A. @tool time_now */ export default () => '';")).toEqual(["default: time_now"]);
  });

  it("refuses a default export without a name", () => {
    expect(placesOf(compileSource("/** A. @effects pure */\nexport default () => '';"))).toEqual([
      "src/index.ts:2:1 error name_missing",
    ]);
  });

  it("follows renamed, starred and circular re-exports", () => {
    const tools = namesOf(`export { a as b } from "./a.ts";\nexport * from "./c.ts";`, {
      "src/a.ts": "/** A. */ export function a(): void {}",
      "src/c.ts": 'export * from "./index.ts"; export * from "./d.ts";\n/** C. */ export const c = (): void => {};',
      "src/d.ts": 'export * from "./c.ts";\n/** D. */ export function d(): void {}',
    });
    expect(tools).toEqual(["b: b", "c: c", "d: d"]);
  });

  it("says where a re-export leads nowhere", () => {
    const result = compileSource(`export * from "./gone.ts";\nexport { lost } from "./a.ts";\n`, {
      "src/a.ts": "/** A. */ export function a(): void {}",
    });
    expect(placesOf(result)).toEqual([
      "src/index.ts:1:15 error export_unresolved",
      "src/index.ts:2:10 error export_unresolved",
    ]);
  });

  it("says which functions are not documented, and leaves internal ones, types and values alone", () => {
    const result = compileSource(`
export function bare(): void {}
/** @internal */
export function hidden(): void {}
/** Says something. @internal */
export const also = (): void => {};
export interface Shape { a: string }
export const LIMIT = 3;
export type { Shape as Other };
`);
    expect(result.tools).toEqual([]);
    expect(placesOf(result)).toEqual(["src/index.ts:2:17 info export_undocumented"]);
  });

  it("leaves to the code what tells its own definition", () => {
    const result = compileSource(`
import { defineTool, defineToolPackage } from "@aiw/core";
/** A. */ export const a = defineTool({});
/** All. */ export default defineToolPackage({ tools: [a] });
`);
    expect(result).toMatchObject({ tools: [], diagnostics: [] });
  });

  it("lets a default tool package say what belongs to it, and adds what says @tool", () => {
    const result = compileSource(`
import { defineToolPackage } from "@aiw/core";
/** Helps. @effects pure */
export function helper(): void {}
export function bare(): void {}
/** Joins. @tool @effects pure */
export function joining(): void {}
/** Keeps state. */
export class State {
  /** Reads. @effects pure */
  read(): void {}
}
/** Keeps more. */
export class Store {
  /** Reads. @tool read_store @effects pure */
  read(): void {}
  /** Writes. */
  write(): void {}
}
const pack = defineToolPackage({});
export { pack, pack as default };
`);
    expect(result.tools.map(({ spec }) => spec.name)).toEqual(["joining", "read_store"]);
    expect(placesOf(result)).toEqual(["src/index.ts:4:17 info left_to_code", "src/index.ts:9:14 info left_to_code"]);
  });

  it("says at the re-export what is wrong in another package", () => {
    const result = compileSource('export { far } from "far";\n', {
      "node_modules/far/package.json": '{ "name": "far", "types": "./index.d.ts" }',
      "node_modules/far/index.d.ts": "/** Far. */\nexport declare function far(a: Map<string, string>): void;",
    });
    expect(placesOf(result)).toEqual([
      "src/index.ts:1:10 warning effects_missing",
      "src/index.ts:1:10 error type_unsupported",
    ]);
  });

  it("says at the re-export, and where it stands, what is wrong in a package that is linked", () => {
    const far = "/** Far. @effects pure */\nexport function far(a: Map<string, string>): void {}";
    const result = compileSource('export { far } from "../linked/index.ts";\n', {
      "linked/package.json": '{ "name": "linked", "type": "module" }',
      "linked/index.ts": far,
    });
    expect(placesOf(result)).toEqual(["src/index.ts:1:10 error type_unsupported"]);
    expect(result.diagnostics[0]?.message).toContain("linked/index.ts:2");
  });

  it("takes the last documented overload", () => {
    const { spec } = compileOne(`
/** By name. @effects pure */
export function find(name: string): string;
/** By number. @effects pure */
export function find(id: number): string;
export function find(id: number, deep: boolean): string;
export function find(value: string | number, deep?: boolean): string { return String(value); }
`);
    expect(spec.description).toBe("By number.");
    expect(spec.inputSchema.properties).toEqual({ id: { type: "number" } });
  });

  it("passes over documented overloads that are internal", () => {
    const { spec } = compileOne(`
/** By name. @effects pure */
export function find(name: string): string;
/** For tests. @internal */
export function find(id: number): string;
export function find(value: string | number): string { return String(value); }
`);
    expect(spec.description).toBe("By name.");
  });

  it("says which overload is the tool", () => {
    const source =
      "/** A. @effects pure */\nexport function f(a: string): void;\n/** B. @effects pure */\nexport function f(b: number): void;\nexport function f(): void {}";
    expect(placesOf(compileSource(source))).toEqual(["src/index.ts:4:17 info overload_chosen"]);
  });

  it("instantiates type parameters with their bounds and refuses free ones", () => {
    const { spec } = compileOne(
      "/** A. @effects pure */ export function pick<T extends 'a' | 'b'>(key: T, all: T[]): T { return key; }",
    );
    expect(spec.inputSchema.properties).toMatchObject({
      key: { enum: ["a", "b"] },
      all: { items: { enum: ["a", "b"] } },
    });
    const preset = compileOne("/** A. @effects pure */ export function preset<T = number>(value: T): void {}");
    expect(preset.spec.inputSchema.properties).toEqual({ value: { type: "number" } });
    const free = compileSource("/** A. @effects pure */ export function free<T>(value: T): void {}");
    expect(free.tools).toEqual([]);
    expect(placesOf(free)).toEqual(["src/index.ts:1:49 error type_unresolved"]);
  });

  it("says of keys that the caller chooses what they are, and takes those of a type that is written out", () => {
    for (const signature of ["<T, K extends keyof T>(key: K)", "<T extends object>(key: keyof T)"]) {
      const [said] = compileSource(`/** A. @effects pure */ export function pick${signature}: void {}`).diagnostics;
      expect(said, signature).toMatchObject({
        code: "type_unresolved",
        message: expect.stringContaining("key is keyof T: which keys"),
        fix: expect.stringContaining("union of string literals"),
      });
    }
    const { spec } = compileOne(
      "/** A. @effects pure */ export function pick<K extends keyof { a: 1; b: 2 }>(key: K): void {}",
    );
    expect(spec.inputSchema.properties).toEqual({ key: { enum: ["a", "b"], type: "string" } });
  });

  it("says of a comment that has only tags that it lacks a summary", () => {
    const tags = "/**\n * @param a - A.\n * @effects pure\n */";
    const method = `class A {\n${tags}\nf(a: string): void {} }`;
    for (const source of [
      `${tags}\nexport function f(a: string): void {}`,
      `/** C. */\nexport ${method}`,
      `${tags}\nexport ${method}`,
    ]) {
      const said = compileSource(source).diagnostics.find(({ message }) => message.includes("summary"));
      expect(said, source).toMatchObject({
        severity: "info",
        message: expect.stringContaining("has a documentation comment without a summary before its tags"),
        fix: expect.stringContaining("first sentence"),
      });
    }
    expect(compileSource("export function f(): void {}").diagnostics[0]?.message).toContain(
      "has no documentation comment",
    );
  });

  it("says of an object or an instance with documented functions what to write instead", () => {
    const method = "/** F. @effects pure */ f(a: string): string { return a; }";
    for (const source of [
      `export const tools = { ${method} };`,
      "export const tools = { /** F. */ f: (a: string): string => a };",
      `class A { ${method} }\nexport const tools = new A();`,
      `export default { ${method} };`,
    ]) {
      const { tools, diagnostics } = compileSource(source);
      expect(tools).toEqual([]);
      expect(diagnostics, source).toMatchObject([
        { code: "object_no_tool", severity: "info", fix: expect.stringContaining("Export each function by itself") },
      ]);
    }
  });

  it("says nothing of objects without documented functions, and of those that are nobody's business", () => {
    for (const source of [
      "export const settings = { /** How many. */ limit: 3, f: (): number => 1 };",
      "/** @internal */ export const tools = { /** F. */ f: (): number => 1 };",
      "export const tools = { /** F. @internal */ f: (): number => 1 };",
      "export const list = [1, 2]; export const text = 'a'; export const none = null;",
    ])
      expect(placesOf(compileSource(source)), source).toEqual([]);
  });

  it("reads JavaScript by its JSDoc types", () => {
    const source = `
/**
 * Greets.
 * @param {object} options
 * @param {string} options.name - Whom.
 * @param {number} [options.times] How often.
 * @returns {Promise<string>} The greeting.
 * @effects pure
 */
export async function greet({ name, times = 1 }) { return name.repeat(times); }
/**
 * Adds.
 * @param {number} a
 * @param {number} [b]
 * @effects pure
 */
export const add = (a, b = 2) => a + b;
`;
    const { tools, diagnostics } = compileSource('export * from "./a.js";', { "src/a.js": source });
    expect(diagnostics).toEqual([]);
    const [add, greet] = tools;
    expect(add?.spec.inputSchema).toMatchObject({
      properties: { a: { type: "number" }, b: { type: "number", default: 2 } },
      required: ["a"],
    });
    expect(greet?.spec.inputSchema).toMatchObject({
      properties: { name: { type: "string", description: "Whom." }, times: { default: 1, description: "How often." } },
      required: ["name"],
    });
    expect(greet?.spec.outputSchema).toEqual({ type: "string", description: "The greeting." });
  });
});
