import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { isToolSpec } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileSource, createPackage, placesOf } from "./__fixtures__/compile-source.ts";
import { compileTools, createCompiler } from "./create-compiler.ts";

const ENTRY = "./src/index.ts";
const FUNCTION = "/** A. @effects pure */\nexport function a(city: string): void {}\n";

function compilePackage(
  files: Record<string, string>,
  options: { source?: string; tsconfig?: string } = {},
): ReturnType<typeof compileTools> {
  return compileTools({ packageDir: "/p", source: ENTRY, files: createPackage(files), ...options });
}

describe("createCompiler", () => {
  it("reads nothing again while nothing changes, and gives the same answer", () => {
    const files = createPackage({ "src/index.ts": 'export * from "./a.ts";', "src/a.ts": FUNCTION });
    const compiler = createCompiler({ packageDir: "/p", source: ENTRY, files });
    const first = compiler.compile();
    expect(files.takeReads()).toEqual(expect.arrayContaining(["/p/src/a.ts", "/p/src/index.ts"]));
    expect(compiler.compile()).toBe(first);
    expect(files.takeReads().filter((file) => file.startsWith("/p/src/"))).toEqual([]);
  });

  it("reads after an edit only what was edited", () => {
    const files = createPackage({
      "src/index.ts": 'export * from "./a.ts";\nexport * from "./b.ts";',
      "src/a.ts": FUNCTION,
      "src/b.ts": 'import type { B } from "./types.ts";\n/** B. @effects pure */\nexport function b(b: B): void {}',
      "src/types.ts": "export type B = 1;",
    });
    const compiler = createCompiler({ packageDir: "/p", source: ENTRY, files });
    compiler.compile();
    files.takeReads();
    files.write("/p/src/types.ts", "export type B = 2;");
    const { tools } = compiler.compile();
    expect(files.takeReads().filter((file) => file.endsWith(".ts"))).toEqual(["/p/src/types.ts"]);
    expect(tools[1]?.spec.inputSchema.properties).toMatchObject({ b: { const: 2 } });
    expect(tools).toEqual(createCompiler({ packageDir: "/p", source: ENTRY, files }).compile().tools);
  });

  it("sees files that come and go, and a tsconfig that changes", () => {
    const files = createPackage({ "src/index.ts": 'export * from "./a.ts";' });
    const compiler = createCompiler({ packageDir: "/p", source: ENTRY, files });
    expect(placesOf(compiler.compile())).toEqual(["src/index.ts:1:15 error export_unresolved"]);
    files.write("/p/src/a.ts", FUNCTION);
    expect(compiler.compile().tools).toHaveLength(1);
    files.write("/p/tsconfig.json", "{ broken");
    expect(() => compiler.compile()).toThrow(/tsconfig\.json:1/);
    files.write("/p/tsconfig.json", "{}");
    expect(compiler.compile().files).toEqual(["/p/src/a.ts", "/p/src/index.ts", "/p/tsconfig.json"]);
    files.remove("/p/src/a.ts");
    expect(compiler.compile().tools).toEqual([]);
  });

  it("names the files to watch, and none of libraries", () => {
    const files = {
      "src/index.ts": `import type { ToolContext } from "@aiw/core";\nexport * from "./a.ts";\nexport type C = ToolContext;`,
      "src/a.ts": FUNCTION,
      "tsconfig.json": '{ "extends": "./base.json" }',
      "base.json": "{}",
    };
    expect(compilePackage(files).files).toEqual(["/p/base.json", "/p/src/a.ts", "/p/src/index.ts", "/p/tsconfig.json"]);
  });

  it("takes the package's tsconfig, unknown options included", () => {
    const mapped = `{ "compilerOptions": {
      "paths": { "#here": ["./src/here.ts"] }, "fromTheFuture": true, "lib": ["es2024", "es2099"] } }`;
    const files = {
      "src/index.ts":
        'import type { City } from "#here";\n/** A. @effects pure */\nexport function a(city: City): void {}',
      "src/here.ts": "export type City = string;",
      "tsconfig.json": mapped,
    };
    expect(compilePackage(files).tools[0]?.spec.inputSchema.properties).toEqual({ city: { type: "string" } });
    const named = compilePackage({ ...files, "other.json": "{}" }, { tsconfig: "./other.json" });
    expect(named.diagnostics.map(({ code }) => code)).toEqual(["type_unresolved"]);
  });

  it("knows declarations that a tsconfig includes and nobody imports", () => {
    const { tools, diagnostics } = compilePackage({
      "src/index.ts": "/** A. @effects pure */\nexport function a(value: Global): void {}",
      "types/global.d.ts": "interface Global { /** A. */ a: string }",
      "tsconfig.json": '{ "include": ["src", "types"] }',
    });
    expect(diagnostics).toEqual([]);
    expect(tools).toHaveLength(1);
  });

  it("knows installed globals whatever the author's version of TypeScript reads unasked", () => {
    const { tools, diagnostics } = compilePackage({
      "tsconfig.json": "{}",
      "node_modules/@types/host/package.json": '{ "name": "@types/host", "types": "index.d.ts" }',
      "node_modules/@types/host/index.d.ts": "declare const host: { readonly pid: number };",
      "src/index.ts": "/** A. @effects pure */\nexport function pid() { return host.pid; }",
    });
    expect(diagnostics).toEqual([]);
    expect(tools[0]?.spec.outputSchema).toEqual({ type: "number" });
  });

  it("says what is wrong with a tsconfig that cannot be used", () => {
    const broken = {
      "{ nonsense": /tsconfig\.json:1:/,
      '{ "extends": "./gone.json" }': /gone\.json/,
      '{ "compilerOptions": { "strict": "yes" } }': /strict/,
    };
    for (const [text, message] of Object.entries(broken)) {
      const attempt = (): unknown => compilePackage({ "src/index.ts": FUNCTION, "tsconfig.json": text });
      expect(attempt).toThrow(
        expect.objectContaining({ code: "package_not_buildable", message: expect.stringMatching(message) }),
      );
    }
    expect(() => compilePackage({ "src/index.ts": FUNCTION }, { tsconfig: "gone.json" })).toThrow(
      /gone\.json is not there/,
    );
  });

  it("says that the entry is missing, or of no kind that is compiled", () => {
    expect(() => compilePackage({})).toThrow(expect.objectContaining({ code: "package_not_buildable" }));
    expect(() => compilePackage({ "src/data.json": "{}" }, { source: "./src/data.json" })).toThrow(
      expect.objectContaining({ code: "package_not_buildable" }),
    );
  });

  it("compiles JavaScript and module variants without a tsconfig", () => {
    for (const source of ["./src/index.mts", "./src/index.js", "./src/index.mjs"]) {
      const text = "/** A.\n * @param {string} city\n * @effects pure */\nexport function a(city) {}";
      const file = source.slice(2);
      const typed = text.replace("(city)", "(city: string)");
      expect(
        compilePackage({ [file]: source.endsWith("ts") ? typed : text }, { source }).tools[0]?.spec.inputSchema,
      ).toMatchObject({
        properties: { city: { type: "string" } },
      });
    }
  });

  it("makes the same bytes of the same sources in any order of reading", () => {
    const source = 'export * from "./b.ts";\nexport * from "./a.ts";';
    const others = {
      "src/a.ts": FUNCTION,
      "src/b.ts": "/** B. @effects pure */\nexport function b(u: 'x' | 'a' | 1): 'a' | 'x' { return 'a'; }",
    };
    const text = JSON.stringify(compileSource(source, others));
    expect(JSON.stringify(compileSource(source, others))).toBe(text);
    const swapped = compileSource('export * from "./a.ts";\nexport * from "./b.ts";', others);
    expect(JSON.stringify(swapped)).toBe(text);
  });

  it("reads the disk of this machine unless it is given one", () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "aiw-compiler-")));
    try {
      mkdirSync(path.join(folder, "src"));
      writeFileSync(path.join(folder, "package.json"), '{ "name": "p", "type": "module" }');
      writeFileSync(path.join(folder, "src/index.ts"), FUNCTION);
      const { tools, files } = compileTools({ packageDir: folder, source: ENTRY });
      expect(tools.map(({ spec }) => spec.name)).toEqual(["a"]);
      expect(files).toEqual([path.join(folder, "src/index.ts").replaceAll("\\", "/")]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("compileTools", () => {
  it("gives specs that core takes", () => {
    const { tools } = compileSource(FUNCTION);
    expect(tools.every(({ spec }) => isToolSpec(spec) && Object.isFrozen(spec))).toBe(true);
  });

  it("makes nothing of a file with broken syntax, and the tools of the others", () => {
    const result = compileSource('export * from "./a.ts";\nexport * from "./b.ts";', {
      "src/a.ts": FUNCTION,
      "src/b.ts": "/** B. */\nexport function b( {",
    });
    expect(result.tools.map(({ spec }) => spec.name)).toEqual(["a"]);
    expect(placesOf(result)).toEqual(["src/b.ts:2:21 error syntax_error"]);
  });

  it("refuses names that collide or are illegal, and says so in bounds", () => {
    const long = "x".repeat(10_000);
    const result = compileSource(`/** A. @effects pure */
export function readAll(): void {}
/** B. @effects pure */
export function read_all(): void {}
/** C. @effects pure */
export function ${long}(): void {}
/** D. @effects pure */
export function größe(): void {}
/** E. @effects pure
 * @tool read all */
export function e(): void {}
/** F. @effects pure @name Fine_1 */
export function f(): void {}
`);
    expect(result.tools.map(({ spec }) => spec.name)).toEqual(["Fine_1"]);
    expect(placesOf(result)).toEqual([
      "src/index.ts:2:17 error name_collision",
      "src/index.ts:4:17 error name_collision",
      "src/index.ts:6:17 error name_illegal",
      "src/index.ts:8:17 error name_illegal",
      "src/index.ts:10:4 error name_illegal",
    ]);
    expect(JSON.stringify(result.diagnostics).length).toBeLessThan(5000);
  });

  it("refuses a description that is too long, at the comment", () => {
    const result = compileSource(
      `\n/**\n * ${"word ".repeat(300)}\n * @effects pure\n */\nexport function a(): void {}`,
    );
    expect(placesOf(result)).toEqual(["src/index.ts:2:1 error description_too_long"]);
  });

  it("comes to an answer on any comment, whose specs core takes", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "\n * ",
        "@param a ",
        "@example ",
        "```",
        "{@link x",
        "}",
        "`",
        "@default ",
        "@effects pure",
        "f({",
        "- ",
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const comment = pieces.join("").replaceAll("*/", "");
        const { tools } = compileSource(`/** A ${comment} */\nexport function f(a: string): void {}`);
        expect(tools.every(({ spec }) => isToolSpec(spec))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it("refuses a file of this machine that is too large for code, before it is read", () => {
    const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "aiw-compiler-")));
    try {
      writeFileSync(path.join(directory, "package.json"), "{}");
      writeFileSync(path.join(directory, "index.ts"), 'export * from "./large.ts";');
      writeFileSync(path.join(directory, "large.ts"), "");
      truncateSync(path.join(directory, "large.ts"), 40 * 1024 * 1024);
      expect(() => compileTools({ packageDir: directory, source: "./index.ts" })).toThrow(
        /large\.ts has 41943040 bytes/,
      );
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  });

  it("comes to an end on patterns and comments that make matching run away", () => {
    const lines = " *\n".repeat(60_000);
    const text = `"${"a".repeat(40)}!"`;
    const pattern = " * @effects pure\n * @param a - A.\n * @pattern ^(a+)+$\n";
    const sources: readonly (readonly [source: string, codes: readonly string[]])[] = [
      [`/** A.\n${pattern} * @default ${text}\n */\nexport function f(a: string): void {}`, ["default_invalid"]],
      [`/** A.\n${pattern} * @example f(${text})\n */\nexport function f(a: string): void {}`, ["example_invalid"]],
      [`/** A.\n * @effects pure\n * @remarks\n * \`\`\`\n${lines} * x\n */\nexport function f(): void {}`, []],
      [
        `/** A.\n * @effects pure\n * @example\n${lines} * \`\`\`\n */\nexport function f(): void {}`,
        ["example_unreadable"],
      ],
      [
        `/** A.\n * @effects pure\n * @example x ${": . ".repeat(5000)} x\n */\nexport function f(): void {}`,
        ["example_unreadable"],
      ],
    ];
    for (const [source, codes] of sources) {
      expect(compileSource(source).diagnostics.map(({ code }) => code)).toEqual(codes);
    }
  });

  it("tells what may be null also where the author's own compiler does not ask", () => {
    const { tools } = compilePackage({
      "tsconfig.json": '{ "compilerOptions": { "strict": false } }',
      "src/index.ts":
        "/** A. @effects pure */\nexport function a(b: string | null): string | undefined { return b ?? undefined; }",
    });
    expect(tools[0]?.spec.inputSchema.properties).toEqual({ b: { type: ["string", "null"] } });
    expect(tools[0]?.spec).not.toHaveProperty("outputSchema");
  });

  it("survives comments and code made to hurt", () => {
    const nested = `${"[".repeat(9000)}1${"]".repeat(9000)}`;
    const result = compileSource(`
/** ${"@param ".repeat(2000)} */
export function a(): void {}
/** B. @effects pure @example b(${nested}) */
export function b(value: number[]): void {}
/** C ${"{@link ".repeat(2000)} @effects pure */
export function c(): void {}
`);
    expect(result.tools.map(({ spec }) => spec.name)).toContain("b");
    expect(() => compileSource(`/** A. */\nexport function a(value = ${nested}): void {}`)).toThrow(
      expect.objectContaining({ code: "package_not_buildable" }),
    );
  });
});
