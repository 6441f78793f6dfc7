import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ToolResult } from "@aiw/core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { dataTool, failureOf, runDataTool } from "../__fixtures__/run-data-tool.ts";

let folder = "";
let spec = "";

const FILES = {
  "outside.mjs": "export default () => 'outside';",
  "spec/add.mjs": `
    globalThis.aiwLoads = (globalThis.aiwLoads ?? 0) + 1;
    export const add = ({ a, b }) => a + b;
    export async function later({ a }) { return a; }
    export async function* count({ n }) { for (let i = 1; i <= n; i += 1) yield String(i); return n; }
    export default (input, context) => [input, typeof context.callId];
    export const word = "none";
    export const fails = () => { throw new Error("no luck"); };`,
  "spec/broken.mjs": "throw new Error('broken at the start');",
  "spec/dir/deep.mjs": "export default () => 'deep';",
  "spec/node_modules/dep/package.json": '{"name":"dep","exports":"./main.js"}',
  "spec/node_modules/dep/main.js": "module.exports = { run: () => 'dep' };",
};

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "aiw-module-")));
  spec = path.join(folder, "spec");
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  symlinkSync("../outside.mjs", path.join(spec, "link.mjs"));
  symlinkSync(folder, path.join(spec, "up"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function call(
  implementation: unknown,
  input: object = {},
  options: { baseDirectory?: string } = { baseDirectory: spec },
): Promise<ToolResult> {
  const parameters = Object.fromEntries(Object.keys(input).map((name) => [name, {}]));
  return await runDataTool(dataTool("module", implementation, { ...options, parameters }), input);
}

describe("moduleExecutor", () => {
  it.each([
    [{ module: "./add.mjs", export: "add" }, { a: 1, b: 2 }, 3],
    [{ module: "./add.mjs", export: "later" }, { a: "x" }, "x"],
    [{ module: "./add.mjs", export: "count" }, { n: 3 }, 3],
    [{ module: "./add.mjs" }, { a: 1 }, [{ a: 1 }, "string"]],
    [{ module: "./dir/../dir/deep.mjs" }, {}, "deep"],
    [{ module: "dep", export: "run" }, {}, "dep"],
    [{ module: "node:path", export: "isAbsolute" }, {}, undefined],
  ])("calls the function of %j", async (implementation, input, value) => {
    const result = await call(implementation, input);
    if (value !== undefined) expect(result).toMatchObject({ success: true, value });
    // A module of Node is found; that it refuses an object for a path is its own answer.
    else expect(result).toMatchObject({ code: "internal_error", error: expect.stringContaining("path") });
  });

  it("loads code at the first call and once", async () => {
    onTestFinished(() => void Reflect.deleteProperty(globalThis, "aiwOnce"));
    const file = path.join(spec, "once.mjs");
    writeFileSync(file, "globalThis.aiwOnce = (globalThis.aiwOnce ?? 0) + 1; export default () => globalThis.aiwOnce;");
    const tool = dataTool("module", { module: "./once.mjs" }, { baseDirectory: spec });
    expect(globalThis).not.toHaveProperty("aiwOnce");
    expect(await runDataTool(tool, {})).toMatchObject({ value: 1 });
    expect(await runDataTool(tool, {})).toMatchObject({ value: 1 });
    expect(globalThis).toHaveProperty("aiwOnce", 1);
  });

  it("takes an absolute path of a host", async () => {
    expect(await call({ module: path.join(folder, "outside.mjs") }, {}, {})).toMatchObject({ value: "outside" });
  });

  it.each([
    { module: "../outside.mjs" },
    { module: "./link.mjs" },
    { module: "./up/outside.mjs" },
    { module: "./dir/../../outside.mjs" },
    { module: "." },
    { module: "file://host/outside.mjs" },
    { module: "..\\outside.mjs" },
    { module: "" },
    { module: 1 },
    { export: "add" },
    { module: "./add.mjs", function: "add" },
    "./add.mjs",
  ])("refuses the implementation %j (SEC-CFG-3)", async (implementation) => {
    expect(await failureOf(call(implementation))).toMatchObject({ code: "implementation_invalid" });
  });

  it("never starts at the working directory", async () => {
    const failure = await failureOf(call({ module: "./package.json" }, {}, {}));
    expect(failure).toMatchObject({
      code: "implementation_invalid",
      suggestion: expect.stringContaining("baseDirectory"),
    });
  });

  it.each([
    [{ module: "./add.mjs", export: "sub" }, "add, "],
    [{ module: "./add.mjs", export: "word" }, "add, "],
    [{ module: "./add.mjs", export: "toString" }, "add, "],
    [{ module: "./gone.mjs" }, "build"],
    [{ module: "./broken.mjs" }, "start the process again"],
    [{ module: "no-such-package" }, "install"],
  ])("says what is missing of %j", async (implementation, advice) => {
    expect(await failureOf(call(implementation))).toMatchObject({
      code: "load_failed",
      suggestion: expect.stringContaining(advice),
    });
  });

  it("blames the function for what it throws", async () => {
    expect(await failureOf(call({ module: "./add.mjs", export: "fails" }))).toMatchObject({
      code: "internal_error",
      error: expect.stringContaining("no luck"),
    });
  });
});
