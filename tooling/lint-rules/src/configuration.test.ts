import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const RULE_FILE = "packages/core/src/run";

/** Wrong on purpose, each for the rule it names; the path matters where a rule depends on the room. */
const wrong: Readonly<Record<string, readonly [file: string, text: string]>> = {
  "eslint(max-lines)": [`${RULE_FILE}/long.ts`, "// x\n".repeat(301)],
  "eslint(max-lines-per-function)": [`${RULE_FILE}/f.ts`, `export function f(): void {\n${"// x\n".repeat(80)}}\n`],
  "eslint(max-params)": [
    `${RULE_FILE}/params.ts`,
    "export const f = (a: 1, b: 1, c: 1, d: 1): number => a + b + c + d;\n",
  ],
  "eslint(max-depth)": [
    `${RULE_FILE}/depth.ts`,
    "export function f(a: boolean): void {\nif (a) { if (!a) { if (a) { if (!a) { if (a) { f(a); } } } } }\n}\n",
  ],
  "eslint(complexity)": [
    `${RULE_FILE}/many.ts`,
    `export const f = (a: number): number => ${"a > 1 ? 1 : ".repeat(15)}2;\n`,
  ],
  "eslint(max-classes-per-file)": [`${RULE_FILE}/classes.ts`, "export class A {}\nexport class B {}\n"],
  "import(no-cycle)": [`${RULE_FILE}/circle.ts`, 'import type { B } from "./other.ts";\nexport type A = B;\n'],
  "oxc(no-barrel-file)": [`${RULE_FILE}/barrel.ts`, 'export * from "./other.ts";\n'],
  "import(no-default-export)": [`${RULE_FILE}/default.ts`, "const a = 1;\nexport default a;\n"],
  "unicorn(filename-case)": [`${RULE_FILE}/camelCase.ts`, "export const a = 1;\n"],
  "typescript(no-explicit-any)": [`${RULE_FILE}/any.ts`, "export const a: any = 1;\n"],
  "typescript(ban-ts-comment)": [
    `${RULE_FILE}/ignore.ts`,
    "// @ts-ignore: the reason has words enough\nexport const a = 1;\n",
  ],
  "typescript(consistent-type-imports)": [
    `${RULE_FILE}/imports.ts`,
    'import { A } from "./circle.ts";\nexport const a = (b: A): A => b;\n',
  ],
  "typescript(consistent-type-definitions)": [`${RULE_FILE}/shape.ts`, "export type A = { a: 1 };\n"],
  "typescript(no-non-null-assertion)": [`${RULE_FILE}/sure.ts`, "export const f = (a?: number): number => a!;\n"],
  "unicorn(no-process-exit)": ["packages/cli/src/end.ts", "process.exit(1);\n"],
  "eslint(no-console)": ["packages/executor/src/print.ts", "console.log(1);\n"],
  "eslint(no-restricted-globals)": ["packages/core/src/offer/env.ts", "export const a = process.env;\n"],
  "eslint(no-restricted-imports)": [
    "packages/executor/src/limit/read.ts",
    'import { readFileSync } from "node:fs";\nreadFileSync("a");\n',
  ],
  "house(no-bare-error)": ["plugins/web/src/fail.ts", 'throw new Error("a");\n'],
  "house(no-unexplained-suppression)": [
    `${RULE_FILE}/quiet.ts`,
    "// oxlint-disable-next-line eslint/no-console\nconsole.log(1);\n",
  ],
};

/** The same in places where it is right. */
const right: Readonly<Record<string, string>> = {
  "packages/core/src/run/other.ts": 'import type { A } from "./circle.ts";\nexport type B = A;\n',
  "packages/core/src/run/a.test.ts": `throw new Error(process.cwd());\n${"// x\n".repeat(301)}`,
  "packages/core/src/workspace/read.ts": 'import { readFileSync } from "node:fs";\nreadFileSync(process.cwd());\n',
  "packages/core/src/index.ts": 'export { b } from "./run/b.ts";\nexport type { B } from "./run/other.ts";\n',
  "packages/cli/src/print.ts": "console.log(1);\n",
  "plugins/web/src/index.ts": "export default 1;\n",
};

let folder = "";
let found = new Map<string, string[]>();

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "aiw-lint-"));
  const config = JSON.parse(readFileSync(path.join(ROOT, ".oxlintrc.json"), "utf8")) as Record<string, unknown>;
  const specifier = path.join(import.meta.dirname, "index.ts");
  // Types would need a whole program; the rules that read them are the linter's own business.
  const own = { ...config, jsPlugins: [{ name: "house", specifier }], options: { denyWarnings: true } };
  write(".oxlintrc.json", JSON.stringify(own));
  symlinkSync(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  for (const [file, text] of [...Object.values(wrong), ...Object.entries(right)]) write(file, text);
  found = lint();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the lint configuration", () => {
  it.each(Object.keys(wrong))("finds what breaks %s", (rule) => {
    expect(found.get(wrong[rule]?.[0] ?? "")).toContain(rule);
  });

  it.each(Object.keys(right).filter((file) => !file.endsWith("other.ts")))("lets %s be", (file) => {
    expect(found.get(file) ?? []).toEqual([]);
  });
});

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

/** Rule names by file. */
function lint(): Map<string, string[]> {
  const oxlint = path.join(ROOT, "node_modules/oxlint/bin/oxlint");
  const run = spawnSync(process.execPath, [oxlint, "--format=json"], { cwd: folder, encoding: "utf8" });
  const { diagnostics } = JSON.parse(run.stdout) as { diagnostics: readonly { filename: string; code: string }[] };
  const rules = new Map<string, string[]>();
  for (const { filename, code } of diagnostics) rules.set(filename, [...(rules.get(filename) ?? []), code]);
  return rules;
}
