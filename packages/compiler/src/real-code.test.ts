import * as path from "node:path";
import {
  runTool,
  sampleInput,
  ToolRegistry,
  validateSpec,
  type CompiledTool,
  type JsonObject,
  type Tool,
} from "@aiw/core";
import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import * as dateFns from "date-fns";
import * as diff from "diff";
import * as semver from "semver";
import { describe, expect, it } from "vitest";
import type { CompileResult } from "./compile-result.ts";
import { compileTools } from "./create-compiler.ts";
import { diskFiles } from "./program/disk-files.ts";
import type { FilePort } from "./program/file-port.ts";

/** A package that others wrote, with types that nobody wrote for models. */
interface RealPackage {
  readonly name: string;
  readonly module: Readonly<Record<string, unknown>>;
  /** Fewer tools than this mean that the compiler lost what it could do. */
  readonly least: number;
  /** Calls whose answers show that every argument came to its place. */
  readonly calls: readonly (readonly [tool: string, input: JsonObject, value: unknown])[];
  /** How the package refuses a text that is none of its own: it had it, then. */
  readonly refusal?: RegExp;
}

const PACKAGES: readonly RealPackage[] = [
  {
    name: "semver",
    module: semver,
    least: 35,
    calls: [
      ["satisfies", { version: "1.2.3", range: "^1.2.0" }, true],
      ["cmp", { v1: "1.0.0", operator: "<", v2: "2.0.0" }, true],
      ["outside", { version: "3.0.0", range: "1.x", hilo: ">" }, true],
      ["max_satisfying", { versions: ["1.0.0", "1.5.0", "2.0.0"], range: "1.x" }, "1.5.0"],
      ["clean", { version: " =v1.2.3 ", optionsOrLoose: { loose: true } }, "1.2.3"],
    ],
    refusal: /Invalid (?:Version|comparator): text/i,
  },
  {
    name: "date-fns",
    module: dateFns,
    least: 30,
    calls: [
      ["daysToWeeks", { days: 14 }, 2],
      ["isExists", { year: 2023, month: 1, day: 29 }, false],
      ["parseISO", { argument: "2014-02-11T11:30:30Z" }, "2014-02-11T11:30:30.000Z"],
      ["formatISODuration", { years: 1, hours: 2 }, "P1Y0M0DT2H0M0S"],
    ],
  },
  {
    name: "diff",
    module: diff,
    least: 4,
    calls: [
      ["convert_changes_to_xml", { changes: [{ value: "a", added: true, removed: false, count: 1 }] }, "<ins>a</ins>"],
      ["parse_patch", { uniDiff: "--- a\n+++ b\n" }, [{ oldFileName: "a", newFileName: "b", hunks: [] }]],
    ],
  },
];

const ajv = new Ajv2020({ strict: true, ownProperties: true, formats: { ...fullFormats } });

/** Compiles all that a package exports, by a module that does nothing else. */
function compileExportsOf(name: string): CompileResult {
  const packageDir = path.join(import.meta.dirname, "..");
  const entry = path.join(import.meta.dirname, "entry-of-real-code.ts");
  const files: FilePort = {
    ...diskFiles,
    readFile: (file) => (file === entry ? `export * from ${JSON.stringify(name)};\n` : diskFiles.readFile(file)),
    versionOf: (file) => (file === entry ? "1" : diskFiles.versionOf(file)),
  };
  return compileTools({ packageDir, source: "./src/entry-of-real-code.ts", files });
}

function schemasOf({ spec }: CompiledTool): object[] {
  return [spec.inputSchema, ...(spec.outputSchema === undefined ? [] : [spec.outputSchema])];
}

function registerAll(tools: readonly CompiledTool[], module: RealPackage["module"]): Map<string, Tool> {
  const registry = new ToolRegistry();
  return new Map(
    tools.map(({ export: name, spec }) => [spec.name, registry.registerFunction(module[name] as object, { spec })]),
  );
}

describe.each(PACKAGES)("compileTools of all that $name exports", ({ name, module, least, calls, refusal }) => {
  const { tools, diagnostics } = compileExportsOf(name);

  it("makes tools of what it can, and says of the rest where and how to mend it", () => {
    expect(tools.length).toBeGreaterThanOrEqual(least);
    expect(diagnostics.length).toBeGreaterThan(0);
    for (const { file, line, column, message, fix } of diagnostics) {
      expect(path.isAbsolute(file)).toBe(true);
      expect(Math.min(line, column)).toBeGreaterThanOrEqual(1);
      expect(message).toMatch(/\S/);
      expect(fix).toMatch(/\S/);
    }
  });

  it("gives specs and schemas that hold", () => {
    for (const tool of tools) {
      expect(validateSpec(tool.spec)).toEqual([]);
      for (const schema of schemasOf(tool)) expect(() => ajv.compile(schema), tool.spec.name).not.toThrow();
    }
  });

  it("lets the functions themselves have what their schemas ask for", async () => {
    for (const tool of registerAll(tools, module).values()) {
      const input = sampleInput(tool.spec);
      expect(ajv.validate(tool.spec.inputSchema, input), tool.spec.name).toBe(true);
      const outcome = await runTool(tool, input);
      if (!outcome.success) expect(outcome.error).toMatch(refusal ?? /^$/);
    }
  });

  it("puts each argument where the function reads it", async () => {
    const registered = registerAll(tools, module);
    for (const [called, input, value] of calls) {
      const tool = registered.get(called);
      expect(tool, called).toBeDefined();
      if (tool !== undefined) expect(await runTool(tool, input), called).toMatchObject({ success: true, value });
    }
  });
});
