import { describe, expect, it } from "vitest";
import { packFiles } from "../../__fixtures__/pack-files.ts";
import { toolPackage, type PackageChange } from "../../__fixtures__/tool-package.ts";
import { checkPackage } from "./check-package.ts";
import type { CheckName } from "./checks.ts";
import { watchImports } from "./probe/watch-imports.ts";
import { NO_CODE } from "./run-code.ts";
import type { Scorecard } from "./scorecard.ts";

/** Milliseconds a module that never ends is waited for. */
const SHORT_MS = 4000;

/** Looks at a package whose module is imported, and nothing more. */
async function importOf(code: string, change: PackageChange = {}): Promise<Scorecard> {
  await using folder = await toolPackage({ code, ...change });
  const signal = new AbortController().signal;
  const options = {
    dir: folder.cwd,
    environment: { PATH: process.env["PATH"] },
    strict: false,
    signal,
    timeoutMs: SHORT_MS,
  };
  return await checkPackage(options, {
    pack: packFiles,
    runCode: async ({ subject, setting }) => ({
      ...NO_CODE,
      imports: await watchImports(subject.packed.dir, ["./index.js"], { ...setting, environment: process.env }),
    }),
  });
}

function listRed({ checks }: Scorecard): CheckName[] {
  return checks.filter(({ result, group }) => group === "code" && result === "fail").map(({ name }) => name);
}

function sayAll({ checks }: Scorecard, name: CheckName): string {
  const check = checks.find((one) => one.name === name);
  return (check?.findings ?? []).map(({ code = "", reason, fix }) => `${code} ${reason} ${fix}`).join("\n");
}

describe("checkPackage, where modules are imported", () => {
  it("passes one that only says what it is, and measures it", async () => {
    const card = await importOf("await new Promise((go) => setTimeout(go, 5));");
    expect(listRed(card)).toEqual([]);
    expect(card.measures.imports).toEqual([{ module: "./index.js", cpuMs: expect.any(Number) as number }]);
  });

  it.each<[string, string, CheckName, string]>([
    [
      "throws",
      'throw new TypeError("no \\u202e luck");',
      "imports",
      "load_failed Importing it throws TypeError: no \\u{202e} luck.",
    ],
    ["imports what it does not declare", 'import "left-pad";', "imports", 'Add "left-pad" to "dependencies"'],
    ["exits", "process.exit(0);", "imports", "load_exited Importing it ends the process with code 0."],
    ["exits past every listener", "process.reallyExit(0);", "imports", "load_exited"],
    ["spins", "for (;;);", "imports", "load_timed_out"],
    ["waits for ever", "setInterval(() => {}, 1000); await new Promise(() => {});", "imports", "load_timed_out"],
    ["waits for nothing", "await new Promise(() => {});", "imports", "awaits what never comes"],
    ["rejects beside its import", 'Promise.reject(new Error("later"));', "imports", "Error: later"],
    [
      "takes all memory",
      "const all = []; for (;;) all.push(new Array(1e7).fill(all.length + 0.5));",
      "imports",
      "load_",
    ],
    ["sets a variable", 'process.env.ACME = "1";', "import_surroundings", "ACME"],
    ["changes the folder", 'process.chdir("/");', "import_surroundings", "working directory"],
    [
      "writes a file",
      'import { writeFileSync } from "node:fs"; writeFileSync("left.txt", "");',
      "import_surroundings",
      "left.txt",
    ],
    [
      "writes into its own package",
      'import { writeFileSync } from "node:fs"; writeFileSync(new URL("README.md", import.meta.url), "");',
      "import_surroundings",
      "README.md of the package",
    ],
    [
      "connects",
      'import { connect } from "node:net"; connect(1, "127.0.0.1").on("error", () => {});',
      "import_network",
      "a connection",
    ],
    [
      "starts a program",
      'import { spawnSync } from "node:child_process"; spawnSync(process.execPath, ["-v"]);',
      "import_network",
      "a program",
    ],
    [
      "leaves a program",
      'import { spawn } from "node:child_process"; spawn("sleep", ["60"], { detached: true, stdio: "ignore" }).unref();',
      "import_handles",
      "sleep",
    ],
  ])("finds a module that %s", async (_what, code, check, says) => {
    const card = await importOf(code);
    expect(listRed(card)).toContain(check);
    expect(sayAll(card, check)).toContain(says);
  });

  it.each<[string, string, string]>([
    ["a prototype", "Array.prototype.last = function () { return this.at(-1); };", "Array.prototype.last"],
    ["a built-in function", "JSON.parse = () => ({});", "JSON.parse"],
    ["a hidden prototype", "Object.getPrototypeOf(async () => {}).extra = 1;", "extra"],
    ["a global of Node", "globalThis.fetch = () => {};", "fetch"],
    [
      "a getter",
      'Object.defineProperty(Object.prototype, "x", { get: () => 1, configurable: true });',
      "Object.prototype.x",
    ],
  ])("row 38: a module that changes %s fails the check", async (_what, code, says) => {
    const card = await importOf(code);
    expect(listRed(card)).toEqual(["import_globals"]);
    expect(sayAll(card, "import_globals")).toContain(
      `intrinsics_modified Importing it changes ${says}`.replace("changes extra", "changes"),
    );
  });

  it.each<[string, string, string]>([
    ["prints", 'console.log("hello");', 'stdout: "hello'],
    ["complains", 'console.error("oh");', 'stderr: "oh'],
    ["prints past every stream", 'import { writeSync } from "node:fs"; writeSync(1, "raw");', 'stdout: "raw'],
    [
      "prints without end",
      'import { writeSync } from "node:fs"; for (;;) writeSync(1, "x".repeat(65536));',
      "without end",
    ],
    ["takes the host's output", "process.stdout.write = () => true;", "process.stdout.write"],
    ["takes the console", "console.log = () => {};", "console.log"],
  ])("row 38: a module that %s fails the check", async (_what, code, says) => {
    const card = await importOf(code);
    expect(listRed(card)).toEqual(["import_silent"]);
    expect(sayAll(card, "import_silent")).toContain("stdout_redirected");
    expect(sayAll(card, "import_silent")).toContain(says);
  });

  it.each<[string, string, string]>([
    ["timer", "setInterval(() => {}, 1000);", "Timeout"],
    ["server", 'import { createServer } from "node:net"; createServer().listen(0, "127.0.0.1");', "TCPServerWrap"],
    [
      "thread",
      'import { Worker } from "node:worker_threads"; new Worker("setInterval(() => {}, 1000)", { eval: true });',
      "",
    ],
  ])("row 40: a %s that is left open fails the check, and does not outlive it", async (_what, code, says) => {
    const card = await importOf(code);
    expect(listRed(card)).toContain("import_handles");
    expect(sayAll(card, "import_handles")).toContain(`alive: ${says}`);
  });

  it.each([
    ["JSON.stringify", "JSON.stringify = () => '{}';"],
    ["Array.prototype.flatMap", "Array.prototype.flatMap = Array.prototype.filter = Array.prototype.map = () => [];"],
    ["Reflect.ownKeys", "Reflect.ownKeys = () => [];"],
    ["Map.prototype.get", "Map.prototype.get = Map.prototype.has = () => true;"],
    ["Object.prototype.toJSON", "Object.prototype.toJSON = Array.prototype.toJSON = () => ({});"],
    ["Array.prototype[Symbol(Symbol.iterator)]", "Array.prototype[Symbol.iterator] = function* () {};"],
    ["Array.prototype.push", "Array.prototype.push = Array.prototype.slice = () => 0;"],
  ])("is told by a process in which %s was replaced", async (what, code) => {
    const card = await importOf(`${code} setInterval(() => {}, 1000);`);
    expect(listRed(card)).toEqual(["import_handles", "import_globals"]);
    expect(sayAll(card, "import_globals")).toContain(what);
    expect(sayAll(card, "import_handles")).toContain("Timeout");
  });

  it("believes no report that the module writes", async () => {
    const nothing = ["uncaught", "handles", "intrinsics", "globals", "redirected", "environment", "opened"];
    const forged = JSON.stringify({ ended: "settled", ...Object.fromEntries(nothing.map((name) => [name, []])) });
    const card = await importOf(`import { readdirSync, writeFileSync } from "node:fs";
for (const name of ["report.json", ...readdirSync("..")]) if (name.endsWith(".json")) writeFileSync("../" + name, ${JSON.stringify(forged)});
process.reallyExit(0);`);
    expect(listRed(card)).toContain("imports");
  });

  it("warns of a global that is not in underscores, and lets what the language lacks be added", async () => {
    const card = await importOf(
      'globalThis.acme = 1; globalThis.__acme = 2; Symbol.metadata ??= Symbol.for("Symbol.metadata");',
    );
    expect(listRed(card)).toEqual([]);
    expect(sayAll(card, "import_globals")).toBe(' Importing it makes a global "acme". Keep it in a module.');
  });

  it.each([
    ["a function of Node", 'import fs from "node:fs"; fs.readFileSync = () => "";', "node:fs readFileSync"],
    ["how modules load", 'import m from "node:module"; m._load = () => {};', "node:module _load"],
    ["how the process ends", 'process.on("SIGINT", () => {});', "listeners of SIGINT"],
    ["what becomes of mistakes", 'process.on("uncaughtException", () => {});', "listeners of uncaughtException"],
    ["the mode of new files", "process.umask(0o77);", "process.umask()"],
  ])("warns of a module that changes %s", async (_what, code, says) => {
    const card = await importOf(code);
    expect(listRed(card)).toEqual([]);
    expect(sayAll(card, "import_globals")).toContain(`shares: ${says}.`);
  });

  it("gives what is declared, from where the author has it, and nothing else", async () => {
    const files = {
      "node_modules/left-pad/package.json": '{ "name": "left-pad", "version": "1.0.0", "exports": "./i.js" }',
      "node_modules/left-pad/i.js": "",
    };
    const dependencies = { "@aiw/core": "^0.4.0", "left-pad": "^1.0.0" };
    expect(listRed(await importOf('import "left-pad";', { files, packageJson: { dependencies } }))).toEqual([]);
    expect(listRed(await importOf('import "left-pad";', { files }))).toEqual(["imports"]);
  });
});
