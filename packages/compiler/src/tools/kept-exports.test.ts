import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPackage } from "../__fixtures__/compile-source.ts";
import type { MemoryFiles } from "../__fixtures__/memory-files.ts";
import type { CompileResult } from "../compile-result.ts";
import { createCompiler } from "../create-compiler.ts";

const START = {
  "src/index.ts": 'export * from "./a.ts";\nexport * from "./b.ts";\nexport * from "./c.ts";',
  "src/a.ts": 'import type { Kind } from "#kinds";\n/** A. @effects pure */\nexport function a(kind: Kind): void {}',
  "src/b.ts": '/** B. @effects pure */\nexport function b(way: import("./ways.ts").Way, shared: Shared): void {}',
  "src/c.ts": `import { Base } from "./base.ts";
/** C. @effects pure */
export function c(value: string): void {}
/** A service. */
export class Service extends Base<string> {
  /** Gets. @effects pure */
  get(key: Base<string>["key"]): void {}
}
export function undocumented(): void {}`,
  "src/base.ts": "export class Base<T> {\n  key!: T;\n}",
  "src/kinds.ts": 'export type { Kind } from "./kind.ts";',
  "src/kind.ts": 'export type Kind = "x";',
  "src/other-kinds.ts": 'export type Kind = "other";',
  "src/ways.ts": 'export interface Way { to: "north" }',
  "src/more.ts": "export interface Way { by: 1 }",
  "types/shared.d.ts": "interface Shared { one: string }",
  "tsconfig.json": '{ "include": ["src", "types"], "compilerOptions": { "module": "nodenext" } }',
  "package.json":
    '{ "name": "p", "version": "1.0.0", "type": "module", "imports": { "#kinds": "./src/kinds.ts", "#others": "./src/other-kinds.ts" } }',
};

function open(files: MemoryFiles): ReturnType<typeof createCompiler> {
  return createCompiler({ packageDir: "/p", source: "./src/index.ts", files });
}

/** Names of the tools that were made anew, and that the answer is the one of who knows nothing. */
function remade(first: CompileResult, second: CompileResult, files: MemoryFiles): string[] {
  expect(second).toEqual(open(files).compile());
  return second.tools.filter((tool) => !first.tools.includes(tool)).map(({ spec }) => spec.name);
}

const EDITS: readonly (readonly [what: string, made: string[], edits: Readonly<Record<string, string>>])[] = [
  ["a file of its own", ["c"], { "src/c.ts": "/** C2. @effects pure */\nexport function c(value: number): void {}" }],
  ["a base class in another file", ["c", "get"], { "src/base.ts": "export class Base<T> {\n  key!: T[];\n}" }],
  ["a file two imports away", ["a"], { "src/kind.ts": 'export type Kind = "y";' }],
  ["a file that an import type names", ["b"], { "src/ways.ts": 'export interface Way { to: "south" }' }],
  ["a declaration of globals", ["a", "b", "c", "get"], { "types/shared.d.ts": "interface Shared { two: string }" }],
  [
    "a file that nobody imports and that begins to add to another",
    ["a", "b", "c", "get"],
    { "types/shared.d.ts": "export {};\ndeclare global { interface Shared { three: 3 } }" },
  ],
  [
    "a file that adds to a module",
    ["a", "b", "c", "get"],
    {
      "types/more.d.ts":
        'export {};\ndeclare module "../src/ways.ts" { interface Way { by: import("../src/kind.ts").Kind } }',
    },
  ],
  [
    "where an import leads, though both files were known",
    ["a"],
    {
      "package.json":
        '{ "name": "p", "version": "1.0.0", "type": "module", "imports": { "#kinds": "./src/other-kinds.ts" } }',
      "src/other-kinds.ts": 'export type { Kind } from "./kinds.ts";\n',
      "src/kinds.ts": 'export type { Kind } from "./kind.ts";\n',
    },
  ],
  ["the options", ["a", "b", "c", "get"], { "tsconfig.json": '{ "include": ["src", "types"] }' }],
  [
    "what is exported, to a package that tells itself",
    [],
    {
      "src/index.ts": `import { defineToolPackage } from "@aiw/core";
export * from "./a.ts";\nexport * from "./b.ts";\nexport default defineToolPackage({});`,
    },
  ],
];

describe("KeptExports", () => {
  it.each(EDITS)("makes anew what depends on %s, and nothing else", (_what, made, edits) => {
    const files = createPackage(START);
    const compiler = open(files);
    const first = compiler.compile();
    expect(first.tools.map(({ spec }) => spec.name)).toEqual(["a", "b", "c", "get"]);
    for (const [file, text] of Object.entries(edits)) files.write(`/p/${file}`, text);
    const second = compiler.compile();
    expect(remade(first, second, files)).toEqual(made);
  });

  it("says again what was said of what it keeps, and forgets what is gone", () => {
    const files = createPackage({ ...START, "src/index.ts": 'export * from "./a.ts";\nexport * from "./c.ts";' });
    const compiler = open(files);
    const first = compiler.compile();
    expect(first.diagnostics).not.toEqual([]);
    files.write("/p/src/kind.ts", 'export type Kind = "z";');
    expect(compiler.compile().diagnostics).toEqual(first.diagnostics);
    files.write("/p/src/index.ts", 'export * from "./a.ts";');
    expect(compiler.compile()).toEqual(open(files).compile());
    files.write("/p/src/index.ts", 'export * from "./a.ts";\nexport * from "./c.ts";');
    expect(compiler.compile()).toEqual(open(files).compile());
  });

  it("gives after any edits what a compiler gives that knows nothing of before", () => {
    const edit = fc.constantFrom(
      ...EDITS.flatMap(([, , edits]) => Object.entries(edits)),
      ...Object.entries(START),
      ["src/kind.ts", undefined] as const,
      ["types/shared.d.ts", undefined] as const,
      ["src/b.ts", "/** B. */ export function b( {"] as const,
    );
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), (edits) => {
        const files = createPackage(START);
        const compiler = open(files);
        compiler.compile();
        for (const [file, text] of edits) {
          if (text === undefined) files.remove(`/p/${file}`);
          else files.write(`/p/${file}`, text);
          expect(compiler.compile()).toEqual(open(files).compile());
        }
      }),
      { numRuns: 25 },
    );
  });
});
