import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import type { CompiledTool } from "../../contract/compiled-function.ts";
import type { ToolSpec } from "../../contract/tool-spec.ts";
import { runTool } from "../../run/run-tool.ts";
import { decoratedClass } from "../__fixtures__/decorated-class.ts";
import { makeProject, specOf, toolModule, type MadeProject } from "../__fixtures__/make-project.ts";
import { discoverTools } from "../discover-tools.ts";
import { ModuleLoader } from "../load/module-loader.ts";
import { renderManifest } from "./render-manifest.ts";
import { writeManifest } from "./write-manifest.ts";

const MODULE = "./dist/index.js";

async function makePackage(module: string): Promise<MadeProject> {
  const project = await makeProject({ layout: "npm" });
  const packageJson = { name: "fx", version: "2.3.0", type: "module", aiwhisperer: { tools: "./aiw-tools.json" } };
  await project.write("package.json", JSON.stringify(packageJson));
  await project.write("dist/index.js", module);
  return project;
}

/** As the compiler gives it. */
function compiled(exported: string, name: string, implementation: object = {}, changes: object = {}): CompiledTool {
  const inputSchema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
  const spec = specOf(name, { inputSchema, implementation: { compiled: true, ...implementation }, ...changes });
  return { export: exported, spec: spec as unknown as ToolSpec };
}

const CLOSE = {
  method: "close",
  facts: {
    description: "Closes.",
    input: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
  },
};

interface Entry {
  readonly module?: string;
  readonly export?: string;
  readonly definitionHash: string;
  readonly spec: ToolSpec;
}

function entriesOf(text: string): readonly Entry[] {
  return (JSON.parse(text) as { tools: Entry[] }).tools;
}

describe("renderManifest", () => {
  it("gives the bytes that writeManifest writes, and writes nothing", async () => {
    await using project = await makePackage(`${toolModule(["alpha"])} export const work = ({ title }) => title;`);
    const options = {
      packageDir: project.dir,
      module: MODULE,
      compiled: [compiled("work", "work")],
      generatedBy: "aiw build 1",
    };
    const rendered = await renderManifest(options);
    expect(await readdir(project.dir)).toEqual(["dist", "package.json"]);
    expect(await writeManifest(options)).toEqual({ path: rendered.path, tools: rendered.tools });
    expect(await renderManifest(options)).toEqual(rendered);
    expect(JSON.parse(rendered.text)).toMatchObject({ generatedBy: "aiw build 1", package: { name: "fx" } });
  });

  it("lists compiled tools beside those the code tells, and what it lists runs", async () => {
    const module = `${toolModule(["beta"])}
      export function alpha(title) { return "alpha " + title; }
      export class Gamma { constructor() { globalThis.wasMade = true; } go({ title }) { return "gamma " + title; } }`;
    await using project = await makePackage(module);
    const tools = [compiled("Gamma", "gamma", { method: "go" }), compiled("alpha", "alpha", { parameters: ["title"] })];
    await writeManifest({ packageDir: project.dir, module: MODULE, compiled: tools });
    expect("wasMade" in globalThis).toBe(false);
    const registry = await discoverTools({ projectDir: project.dir }, { environment: {}, modules: new ModuleLoader() });
    expect(registry.report).toMatchObject({ rejected: [], found: [{ tools: ["alpha", "beta", "gamma"], notes: [] }] });
    expect(await runTool(registry.getTool("alpha"), { title: "a" })).toMatchObject({ value: "alpha a" });
    expect(await runTool(registry.getTool("gamma"), { title: "a" })).toMatchObject({ value: "gamma a" });
  });

  it("prefers what the code says of a tool to what was compiled", async () => {
    await using project = await makePackage(toolModule(["alpha"]));
    const { text } = await renderManifest({
      packageDir: project.dir,
      module: MODULE,
      compiled: [compiled("alpha", "alpha")],
    });
    expect(entriesOf(text).map(({ spec }) => spec.implementation)).toEqual([undefined]);
  });

  it.each([
    ["a class", (text: string) => `export ${text}`, "Tickets"],
    ["an instance", (text: string) => `${text} export const tickets = new Tickets();`, "tickets"],
    ["a class and its instance", (text: string) => `export ${text} export const tickets = new Tickets();`, "tickets"],
    ["a default class", (text: string) => `export default ${text}`, "default"],
    ["a list", (text: string) => `${text} export const list = [new Tickets()];`, "list"],
    ["a default list", (text: string) => `${text} export default [new Tickets()];`, "default"],
  ])("knows the tool methods of %s", async (_what, toModule, exported) => {
    const ping = { method: "ping", facts: { description: "Pings." } };
    const text = decoratedClass('close({ id }) { return "closed " + id; } async ping() { return "pong"; }', [
      CLOSE,
      ping,
    ]);
    await using project = await makePackage(toModule(text));
    await writeManifest({ packageDir: project.dir, module: MODULE });
    const { text: manifest, tools } = await renderManifest({ packageDir: project.dir, module: MODULE });
    expect(tools).toEqual(["close", "ping"]);
    expect(entriesOf(manifest).map((entry) => [entry.export, entry.module])).toEqual([
      [exported, MODULE],
      [exported, MODULE],
    ]);
    const registry = await discoverTools({ projectDir: project.dir }, { environment: {}, modules: new ModuleLoader() });
    expect(await runTool(registry.getTool("close"), { id: 1 })).toMatchObject({ value: "closed 1" });
    expect(await runTool(registry.getTool("ping"), {})).toMatchObject({ value: "pong" });
  });

  it("lays what a decorator says over the compiled definition of its method", async () => {
    const open = { method: "open", facts: { name: "open_ticket", description: "Opens.", tags: ["t"] } };
    const text = decoratedClass("async open(title) { return title; } async close({ id }) { return id; }", [
      open,
      CLOSE,
    ]);
    await using project = await makePackage(`export ${text}`);
    const tools = [
      compiled("Tickets", "open", { method: "open", parameters: ["title"] }),
      compiled("Tickets", "close", { method: "close" }),
    ];
    const options = { packageDir: project.dir, module: MODULE, compiled: tools };
    await writeManifest(options);
    const [close, opened] = entriesOf((await renderManifest(options)).text);
    expect(close?.spec).toMatchObject({ name: "close", inputSchema: { required: ["id"] } });
    expect(opened?.spec).toMatchObject({
      name: "open_ticket",
      description: "Opens.",
      metadata: { tags: ["t"] },
      inputSchema: { required: ["title"] },
      implementation: { compiled: true, method: "open", parameters: ["title"] },
    });
    const registry = await discoverTools({ projectDir: project.dir }, { environment: {}, modules: new ModuleLoader() });
    expect(registry.specs().map(({ name }) => name)).toEqual(["close", "open_ticket"]);
    expect(await runTool(registry.getTool("open_ticket"), { title: "Rain" })).toMatchObject({ value: "Rain" });
  });

  it("takes what was compiled from a class for its exported instance, which is the tool's then", async () => {
    const open = { method: "open", facts: { description: "Opens." } };
    const text = decoratedClass("constructor(db) { this.db = db; } async open(title) { return this.db + title; }", [
      open,
    ]);
    await using project = await makePackage(`export ${text} export const tickets = new Tickets("db ");`);
    const tools = [compiled("Tickets", "open", { method: "open", parameters: ["title"] })];
    const options = { packageDir: project.dir, module: MODULE, compiled: tools };
    await writeManifest(options);
    expect(entriesOf((await renderManifest(options)).text)).toMatchObject([
      { export: "tickets", spec: { name: "open" } },
    ]);
    const registry = await discoverTools({ projectDir: project.dir }, { environment: {}, modules: new ModuleLoader() });
    expect(await runTool(registry.getTool("open"), { title: "Rain" })).toMatchObject({ value: "db Rain" });
  });

  it("lays it over also beside a default package, which says what else belongs to it", async () => {
    const open = { method: "open", facts: { description: "Opens." } };
    const module = `${toolModule(["alpha", "unlisted"])} export ${decoratedClass("async open(title) { return title; }", [open])}
      export default { [Symbol.for("@aiw/core/tool-package")]: true, contractVersion: 1, tools: [alpha] };`;
    await using project = await makePackage(module);
    const tools = [compiled("Tickets", "open", { method: "open", parameters: ["title"] })];
    const { text } = await renderManifest({ packageDir: project.dir, module: MODULE, compiled: tools });
    expect(entriesOf(text).map(({ spec }) => [spec.name, spec.description])).toEqual([
      ["alpha", "Runs alpha."],
      ["open", "Opens."],
    ]);
  });

  it.each<[string, string, readonly CompiledTool[], string]>([
    [
      "a compiled tool without its export",
      "export const a = 1;",
      [compiled("work", "work")],
      "work of ./dist/index.js: there is no such export",
    ],
    ["one whose export is no function", "export const work = 1;", [compiled("work", "work")], "it is no function"],
    [
      "one without its method",
      "export class Work {}",
      [compiled("Work", "work", { method: "go", static: true })],
      'no static method "go"',
    ],
    [
      "one that was not compiled",
      "export const work = () => 1;",
      [{ export: "work", spec: specOf("work") as unknown as ToolSpec }],
      "was not compiled",
    ],
    [
      "one whose definition is wrong",
      "export const work = () => 1;",
      [compiled("work", "work", { rest: true })],
      "/implementation/rest needs parameters",
    ],
    [
      "one whose export is a tool of another name",
      toolModule(["alpha"]),
      [compiled("alpha", "work", { method: "execute" })],
      "work of ./dist/index.js: its code tells a definition of its own",
    ],
    [
      "one whose export is a tool class",
      `export class Beta { get spec() { return ${JSON.stringify(specOf("beta"))}; } execute() {} }
        Beta.prototype[Symbol.for("@aiw/core/tool")] = true; Beta.prototype.contractVersion = 1;`,
      [compiled("Beta", "work", { method: "execute" })],
      "its code tells a definition of its own",
    ],
    [
      "one whose export is a list",
      "export const list = [() => 1];",
      [compiled("list", "work", { method: "map" })],
      "its code tells a definition of its own",
    ],
    [
      "an export that fails when it is looked at",
      "export const shut = new Proxy({}, { has() { throw new Error('shut'); } });",
      [],
      "shut",
    ],
    [
      "a tool class that cannot be made",
      `export class Beta { constructor() { throw new Error("no database"); } execute() {} }
        Beta.prototype[Symbol.for("@aiw/core/tool")] = true;`,
      [],
      "no database",
    ],
    [
      "one whose module is a promise for good",
      "export function then() {}",
      [compiled("then", "work")],
      "a function called then",
    ],
    [
      "two of one name",
      "export const a = () => 1, b = () => 1;",
      [compiled("a", "work"), compiled("b", "work")],
      "Two tools are called work and work",
    ],
    [
      "a tool method that nobody knows the parameters of",
      `export ${decoratedClass("async open(title) {}", [{ method: "open", facts: { description: "Opens." } }])}`,
      [],
      "neither a schema nor a compiled definition",
    ],
  ])("refuses %s", async (_what, module, tools, message) => {
    await using project = await makePackage(module);
    await expect(renderManifest({ packageDir: project.dir, module: MODULE, compiled: tools })).rejects.toThrow(
      expect.objectContaining({
        code: "manifest_not_writable",
        message: expect.stringContaining(message),
        fix: expect.any(String),
      }),
    );
  });

  it("refuses a class that cannot be made, where its author sees it", async () => {
    const module = `export ${decoratedClass("constructor(db) {} async close(input) {}", [CLOSE])}`;
    await using project = await makePackage(module);
    await expect(renderManifest({ packageDir: project.dir, module: MODULE })).rejects.toThrow(
      expect.objectContaining({ code: "manifest_not_writable", message: expect.stringContaining("needs arguments") }),
    );
  });

  it("passes on what a module that fails says to do", async () => {
    const thrown =
      'Object.assign(new Error("no schema"), { [Symbol.for("@aiw/core/aiw-error")]: true, code: "x", fix: "Say the schema." })';
    await using project = await makePackage(`throw ${thrown};`);
    await expect(renderManifest({ packageDir: project.dir, module: MODULE })).rejects.toThrow(
      expect.objectContaining({
        code: "manifest_not_writable",
        message: expect.stringContaining("no schema"),
        fix: "Say the schema.",
      }),
    );
  });
});
