import { describe, expect, it } from "vitest";
import type { Finding } from "../../register/discovery-report.ts";
import type { ToolRegistry } from "../../register/tool-registry.ts";
import { runTool } from "../../run/run-tool.ts";
import { decoratedClass } from "../__fixtures__/decorated-class.ts";
import {
  makeProject,
  manifestOf,
  specOf,
  type FixturePackage,
  type MadeProject,
} from "../__fixtures__/make-project.ts";
import { discoverTools } from "../discover-tools.ts";
import { ModuleLoader } from "./module-loader.ts";

const TITLE = {
  type: "object",
  properties: { title: { type: "string" } },
  required: ["title"],
  additionalProperties: false,
};

const OPEN = { method: "open", facts: { description: "Opens." } };
const CLOSE = { method: "close", facts: { name: "close_ticket", description: "Closes.", input: TITLE } };
const BODY = `#opened = 0; async open() { return ++this.#opened; } async close({ title }) { return "closed " + title; }`;
const CLASS = decoratedClass(BODY, [OPEN, CLOSE]);
const TICKETS = `export ${CLASS}`;

interface Listed {
  readonly export: string;
  readonly spec: Record<string, unknown>;
}

function withManifest(module: string, tools: readonly Listed[]): FixturePackage {
  const entries = tools.map((tool) => ({ module: "./index.js", definitionHash: "sha256-", ...tool }));
  return {
    name: "fx",
    packageJson: { type: "module", aiwhisperer: { tools: "./aiw-tools.json" } },
    files: { "index.js": module, "aiw-tools.json": manifestOf("fx", [], { tools: entries }) },
  };
}

function compiled(name: string, implementation: object = {}, changes: object = {}): Record<string, unknown> {
  return specOf(name, { inputSchema: TITLE, implementation: { compiled: true, ...implementation }, ...changes });
}

async function open(one: FixturePackage): Promise<{ project: MadeProject; registry: ToolRegistry }> {
  const project = await makeProject({ layout: "npm", packages: [one] });
  const registry = await discoverTools({ projectDir: project.dir }, { environment: {}, modules: new ModuleLoader() });
  return { project, registry };
}

async function call(registry: ToolRegistry, name: string, input: unknown = { title: "Rain" }): Promise<unknown> {
  const result = await runTool(registry.getTool(name), input);
  return result.success ? result.value : result;
}

async function failureOf(registry: ToolRegistry, name: string): Promise<Finding> {
  const running = Promise.resolve(registry.getTool(name).execute({ title: "a" }, {} as never));
  const failure: unknown = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(failure).toMatchObject({ name: "AiwError", code: "load_failed", fix: expect.any(String) });
  return (failure as { details: { finding: Finding } }).details.finding;
}

describe("compiled tools of a manifest", () => {
  it.each<[string, string, string, object]>([
    ["a function", 'export function work({ title }) { return "did " + title; }', "work", {}],
    ["an arrow function", 'export const work = async ({ title }) => "did " + title;', "work", {}],
    [
      "arguments one by one",
      'export function work(title) { return "did " + title; }',
      "work",
      { parameters: ["title"] },
    ],
    [
      "a default function",
      'export default function (title) { return "did " + title; }',
      "default",
      { parameters: ["title"] },
    ],
    ["a class", 'export class Work { async go({ title }) { return "did " + title; } }', "Work", { method: "go" }],
    [
      "a static method",
      'export class Work { static go(title) { return "did " + title; } }',
      "Work",
      { method: "go", static: true, parameters: ["title"] },
    ],
    [
      "an instance",
      'class Work { done = "did "; go({ title }) { return this.done + title; } } export const work = new Work();',
      "work",
      { method: "go" },
    ],
    [
      "an object",
      'export const work = { done: "did ", go({ title }) { return this.done + title; } };',
      "work",
      { method: "go" },
    ],
  ])("run %s by what is listed", async (_what, module, exported, implementation) => {
    const { project, registry } = await open(
      withManifest(module, [{ export: exported, spec: compiled("work", implementation) }]),
    );
    await using _project = project;
    expect(registry.report.rejected).toEqual([]);
    expect(await call(registry, "work")).toBe("did Rain");
    expect(await call(registry, "work", { name: "Rain" })).toMatchObject({ code: "invalid_input" });
    expect(registry.getAllToolDefinitions({ format: "mcp" })).toMatchObject([
      { name: "work", description: "Runs work." },
    ]);
    expect(JSON.stringify(registry.getAllToolDefinitions({ format: "mcp" }))).not.toContain("compiled");
  });

  it("share one instance of a class, made when the first is called", async () => {
    const module =
      "globalThis.made = 0; export class Work { constructor() { globalThis.made += 1; } a() { return globalThis.made; } b() { return globalThis.made; } }";
    const tools = ["a", "b"].map((method) => ({ export: "Work", spec: compiled(method, { method }) }));
    const { project, registry } = await open(withManifest(module, tools));
    await using _project = project;
    expect([await call(registry, "a"), await call(registry, "b"), await call(registry, "a")]).toEqual([1, 1, 1]);
  });

  it("give a constructor nothing, as the compiler has found it can do without", async () => {
    const module = "export class Work { constructor(db) { this.db = String(db); } go() { return this.db; } }";
    const tool = { export: "Work", spec: compiled("work", { method: "go" }) };
    const { project, registry } = await open(withManifest(module, [tool]));
    await using _project = project;
    expect(await call(registry, "work")).toBe("undefined");
  });

  it("give dates", async () => {
    const inputSchema = {
      type: "object",
      properties: { at: { type: "string", format: "date-time" } },
      required: ["at"],
    };
    const spec = compiled("work", { parameters: ["at"], dates: ["/at"], outputDates: ["/at"] }, { inputSchema });
    const module = "export const work = (at) => ({ at, isDate: at instanceof Date });";
    const { project, registry } = await open(withManifest(module, [{ export: "work", spec }]));
    await using _project = project;
    expect(await call(registry, "work", { at: "2030-01-01T00:00:00Z" })).toEqual({
      at: "2030-01-01T00:00:00.000Z",
      isDate: true,
    });
    expect(await call(registry, "work", { at: "2030-06-30T23:59:60Z" })).toMatchObject({ code: "invalid_input" });
  });

  it.each<[string, string, Listed, object]>([
    [
      "a missing export",
      "export const other = 1;",
      { export: "work", spec: compiled("work") },
      { code: "export_missing" },
    ],
    [
      "what is no function",
      "export const work = 1;",
      { export: "work", spec: compiled("work") },
      { code: "export_invalid", reason: expect.stringContaining("it is no function") },
    ],
    [
      "a class where a function is listed",
      "export class Work {}",
      { export: "Work", spec: compiled("work") },
      { code: "export_invalid", reason: expect.stringContaining("it is a class") },
    ],
    [
      "a missing method",
      "export const work = {};",
      { export: "work", spec: compiled("work", { method: "go" }) },
      { code: "export_invalid", reason: expect.stringContaining('no method "go"') },
    ],
    [
      "a constructor that throws",
      "export class Work { constructor() { throw new Error('no database'); } go() {} }",
      { export: "Work", spec: compiled("work", { method: "go" }) },
      {
        code: "load_failed",
        reason: expect.stringContaining("no database"),
        fix: expect.stringContaining("constructor"),
      },
    ],
    [
      "a real tool whose definition the manifest would replace",
      `export const work = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(specOf("work"))}, execute: () => 1, go: () => 2 };`,
      { export: "work", spec: compiled("work", { method: "go" }) },
      { code: "definition_mismatch" },
    ],
    [
      "a tool method with a schema whose definition the manifest would replace",
      TICKETS,
      { export: "Tickets", spec: compiled("close_ticket", { method: "close" }, { description: "Nicer." }) },
      { code: "definition_mismatch", reason: expect.stringContaining("/description") },
    ],
    [
      "a tool method of a newer contract, by whatever name its definition goes",
      `export ${decoratedClass("async open(input) {}", [{ method: "open", facts: {}, contractVersion: 2 }])}`,
      { export: "Tickets", spec: compiled("renamed", { method: "open" }) },
      { code: "core_version_unsupported" },
    ],
    [
      "a tool method whose own words are others",
      `export ${decoratedClass("async open(input) {}", [OPEN])}`,
      { export: "Tickets", spec: compiled("open", { method: "open" }, { description: "Nicer." }) },
      { code: "definition_mismatch", reason: expect.stringContaining("Opens.") },
    ],
  ])("refuse %s", async (_what, module, tool, expected) => {
    const { project, registry } = await open(withManifest(module, [tool]));
    await using _project = project;
    expect(await failureOf(registry, tool.spec["name"] as string)).toMatchObject(expected);
  });

  it("run a tool method without a schema by what is listed", async () => {
    const module = `export ${decoratedClass('async open(title) { return "opened " + title; }', [OPEN])}`;
    const spec = compiled("open", { method: "open", parameters: ["title"] }, { description: "Opens." });
    const { project, registry } = await open(withManifest(module, [{ export: "Tickets", spec }]));
    await using _project = project;
    expect(await call(registry, "open")).toBe("opened Rain");
  });

  it("are refused one by one when the manifest says nonsense of how they are called", async () => {
    const good = { export: "good", spec: compiled("good") };
    const bad = { export: "bad", spec: compiled("bad", { parameters: ["titel"] }) };
    const { project, registry } = await open(withManifest("export const good = () => 1;", [good, bad]));
    await using _project = project;
    expect(registry.report.rejected).toMatchObject([
      { code: "tool_definition_invalid", tool: "bad", pointer: "/tools/1/spec/implementation/parameters/0" },
    ]);
    expect(await call(registry, "good")).toBe(1);
  });
});

describe("tool methods of a package", () => {
  it.each<[string, string]>([
    ["a class", TICKETS],
    ["an instance", `${CLASS} export const tickets = new Tickets();`],
    ["a default instance", `${CLASS} export default new Tickets();`],
    ["a class and its instance", `${TICKETS} export const tickets = new Tickets(); export default tickets;`],
    ["a default list with an instance", `${CLASS} export default [new Tickets()];`],
  ])("are known by the module that exports %s", async (_what, text) => {
    const { project, registry } = await open({
      name: "fx",
      packageJson: { type: "module", aiwhisperer: { tools: "./index.js" } },
      files: { "index.js": text },
    });
    await using _project = project;
    await registry.load();
    expect(registry.report.rejected).toEqual([]);
    expect(registry.getAllTools().map(({ spec }) => spec.name)).toEqual(["close_ticket", "open"]);
    expect(await call(registry, "open", {})).toBe(1);
    expect(await call(registry, "close_ticket")).toBe("closed Rain");
  });

  it("are found by name in an entry map, in classes, lists and packages", async () => {
    const tool = (name: string): string =>
      `{ [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(specOf(name))}, execute: () => ${JSON.stringify(name)} }`;
    const module = `${TICKETS} export const tools = [${tool("alpha")}, ${tool("beta")}]; export const both = [new Tickets()];`;
    const tools = {
      close_ticket: "./index.js#Tickets",
      open: "./index.js#both",
      beta: "./index.js#tools",
      gamma: "./index.js#tools",
    };
    const { project, registry } = await open({
      name: "fx",
      packageJson: { type: "module", aiwhisperer: { tools } },
      files: { "index.js": module },
    });
    await using _project = project;
    await registry.load();
    expect(registry.report.rejected).toMatchObject([{ code: "export_invalid", tool: "gamma" }]);
    expect(await call(registry, "beta", {})).toBe("beta");
    expect(await call(registry, "open", {})).toBe(1);
    expect(await call(registry, "close_ticket")).toBe("closed Rain");
  });

  it("leave out the one that is wrong, and say why", async () => {
    const broken = { method: "broken", facts: { description: "B." } };
    const module = `export ${decoratedClass(`${BODY} async broken(what) {}`, [OPEN, CLOSE, broken])}`;
    const { project, registry } = await open({
      name: "fx",
      packageJson: { type: "module", aiwhisperer: { tools: "./index.js" } },
      files: { "index.js": module },
    });
    await using _project = project;
    await registry.load();
    expect(registry.getAllTools().map(({ spec }) => spec.name)).toEqual(["close_ticket", "open"]);
    expect(registry.report.rejected).toMatchObject([
      {
        tool: "Tickets.broken",
        reason: expect.stringContaining("neither a schema"),
        fix: expect.stringContaining("@tool({ input"),
      },
    ]);
  });
});
