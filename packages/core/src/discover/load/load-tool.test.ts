import { spawnSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import type { Tool } from "../../contract/tool.ts";
import type { Finding } from "../../register/discovery-report.ts";
import type { ToolRegistry } from "../../register/tool-registry.ts";
import {
  makeProject,
  manifestOf,
  specOf,
  toolModule,
  toolPackage,
  type FixturePackage,
  type MadeProject,
} from "../__fixtures__/make-project.ts";
import { discoverTools } from "../discover-tools.ts";
import { ModuleLoader } from "./module-loader.ts";

const NEIGHBOUR = toolPackage("fx-neighbour", ["neighbour"]);

async function open(
  one: FixturePackage,
  modules = new ModuleLoader(),
): Promise<{ project: MadeProject; registry: ToolRegistry }> {
  const project = await makeProject({ layout: "npm", packages: [one, NEIGHBOUR] });
  return { project, registry: await discoverTools({ projectDir: project.dir }, { environment: {}, modules }) };
}

async function run(registry: ToolRegistry, name: string): Promise<unknown> {
  return await registry.getTool(name).execute({ who: "you" }, {} as never);
}

async function failureOf(registry: ToolRegistry, name: string): Promise<Finding | undefined> {
  const error: unknown = await run(registry, name).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: "AiwError", code: "load_failed", fix: expect.any(String) });
  return (error as { details: { finding: Finding } }).details.finding;
}

/** One tool called `plain` whose module is the given text. */
function withModule(
  text: string,
  { file = "index.js", exported = "plain" }: { file?: string; exported?: string } = {},
): FixturePackage {
  const tools = [{ module: `./${file}`, export: exported, definitionHash: "sha256-", spec: specOf("plain") }];
  return toolPackage("fx", [], {
    packageJson: { aiwhisperer: { tools: "./aiw-tools.json" } },
    files: { [file]: text, "aiw-tools.json": manifestOf("fx", [], { tools }) },
  });
}

const TOOL = `{ [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(specOf("plain"))}, execute: ({ who }) => "hello " + who }`;

describe("loading a tool", () => {
  it.each<[string, FixturePackage]>([
    ["a named export", withModule(`export const plain = ${TOOL};`, { file: "index.mjs" })],
    ["a default export", withModule(`export default ${TOOL};`, { file: "index.mjs", exported: "default" })],
    [
      "a package's tool, by name",
      withModule(
        `export default { [Symbol.for("@aiw/core/tool-package")]: true, contractVersion: 1, tools: [${TOOL}] };`,
        { file: "index.mjs", exported: "default" },
      ),
    ],
    [
      "a class whose prototype is a tool",
      withModule(
        `export class plain { get spec() { return (${TOOL}).spec; } execute({ who }) { return this.greet(who); } greet(who) { return "hello " + who; } }\nplain.prototype[Symbol.for("@aiw/core/tool")] = true; plain.prototype.contractVersion = 1;`,
        { file: "index.mjs" },
      ),
    ],
    [
      "a plain function, by the manifest's spec",
      withModule(`export function plain({ who }) { return "hello " + who; }`, { file: "index.mjs" }),
    ],
    ["CommonJS exports", withModule(`exports.plain = ${TOOL};`, { file: "index.cjs" })],
    ["CommonJS module.exports", withModule(`module.exports = ${TOOL};`, { file: "index.cjs", exported: "default" })],
    [
      "compiled CommonJS",
      withModule(`Object.defineProperty(exports, "__esModule", { value: true }); exports.default = ${TOOL};`, {
        file: "index.cjs",
        exported: "default",
      }),
    ],
    [
      "exports that no analysis sees",
      withModule(`module.exports = Object.assign({}, { plain: ${TOOL} });`, { file: "index.cjs" }),
    ],
  ])("takes %s", async (_what, one) => {
    const { project, registry } = await open(one);
    await using _project = project;
    expect(await run(registry, "plain")).toBe("hello you");
  });

  it("gives the listed definition for good, whatever the object says later", async () => {
    const { project, registry } = await open(
      withModule(
        `let asked = 0; export const plain = { ...${TOOL}, get spec() { asked += 1; return asked > 1 ? {} : ${JSON.stringify(specOf("plain"))}; } };`,
        { file: "index.mjs" },
      ),
    );
    await using _project = project;
    const loaded = await registry.getTool("plain").load?.();
    expect(loaded?.spec).toBe(registry.getTool("plain").spec);
    expect(Object.isFrozen(loaded)).toBe(true);
  });

  it.each<[string, FixturePackage, string, string, string]>([
    [
      "throws at import",
      withModule("throw new TypeError('boom');", { file: "index.mjs" }),
      "load_failed",
      "TypeError: boom",
      "start again",
    ],
    [
      "has a syntax error",
      withModule("export const = 1;", { file: "index.mjs" }),
      "load_failed",
      "SyntaxError",
      "start again",
    ],
    [
      "misses a peer",
      withModule("import 'not-there-peer';", { file: "index.mjs" }),
      "load_failed",
      "not-there-peer",
      "Install the missing package",
    ],
    [
      "was built for another Node",
      withModule("throw Object.assign(new Error('NODE_MODULE_VERSION'), { code: 'ERR_DLOPEN_FAILED' });", {
        file: "index.mjs",
      }),
      "load_failed",
      "NODE_MODULE_VERSION",
      "npm rebuild",
    ],
    [
      "requires an ES module",
      withModule("throw Object.assign(new Error('require() of ES Module'), { code: 'ERR_REQUIRE_ESM' });", {
        file: "index.cjs",
      }),
      "load_failed",
      "require() of ES Module",
      "update it",
    ],
    [
      "has no such export",
      withModule("export const other = 1;", { file: "index.mjs" }),
      "export_missing",
      'no export "plain"; there are: other',
      "Name an export",
    ],
    [
      "exports no tool",
      withModule("export const plain = {};", { file: "index.mjs" }),
      "export_invalid",
      "is no tool called plain",
      "defineTool",
    ],
    [
      "exports a class that is no tool",
      withModule("export class plain {}", { file: "index.mjs" }),
      "export_invalid",
      "is no tool",
      "BaseTool",
    ],
    [
      "has a constructor that throws",
      withModule(
        `export class plain { constructor() { throw new Error("no"); } }\nplain.prototype[Symbol.for("@aiw/core/tool")] = true;`,
        { file: "index.mjs" },
      ),
      "load_failed",
      "Making the tool failed: no",
      "definition",
    ],
    [
      "speaks a newer contract",
      withModule(`export const plain = { ...${TOOL}, contractVersion: 2 };`, { file: "index.mjs" }),
      "core_version_unsupported",
      "contract version 2",
      "newer @aiw/core",
    ],
    [
      "says another definition",
      withModule(toolModule(["plain"], { changes: { description: "Deletes everything." } }), { file: "index.mjs" }),
      "definition_mismatch",
      '/description is "Deletes everything.", was listed as "Runs plain."',
      "aiw build",
    ],
    [
      "has another name",
      withModule(`export const plain = { ...${TOOL}, spec: ${JSON.stringify(specOf("other"))} };`, {
        file: "index.mjs",
      }),
      "definition_mismatch",
      '/name is "other"',
      "aiw build",
    ],
    [
      "has a spec that is none",
      withModule(`export const plain = { ...${TOOL}, spec: {} };`, { file: "index.mjs" }),
      "tool_definition_invalid",
      "/name must match",
      "definition",
    ],
  ])("fails with a reason and a fix when the package %s, and harms nobody", async (_what, one, code, reason, fix) => {
    const { project, registry } = await open(one);
    await using _project = project;
    expect(await failureOf(registry, "plain")).toMatchObject({
      code,
      package: "fx",
      version: "1.0.0",
      tool: "plain",
      reason: expect.stringContaining(reason),
      fix: expect.stringContaining(fix),
    });
    expect(await failureOf(registry, "plain")).toMatchObject({ code });
    expect(await run(registry, "neighbour")).toBeDefined();
    expect(registry.report.rejected.map((finding) => finding.code)).toEqual([code]);
  });

  it("fails when the entry is not in the package, asking whether it was built", async () => {
    const { project, registry } = await open(withModule("", { file: "index.mjs" }));
    await using _project = project;
    await project.remove("node_modules/fx/index.mjs");
    expect(await failureOf(registry, "plain")).toMatchObject({
      code: "entry_missing",
      fix: expect.stringContaining("built"),
    });
  });

  it("fails when the package was removed meanwhile", async () => {
    const { project, registry } = await open(withModule("", { file: "index.mjs" }));
    await using _project = project;
    await project.remove("node_modules/fx");
    expect(await failureOf(registry, "plain")).toMatchObject({ code: "package_removed" });
  });

  it("asks for a restart when the package was upgraded meanwhile", async () => {
    const packages = [
      toolPackage("fx", ["plain"]),
      toolPackage("fx", ["plain"], { key: "next", range: "npm:fx@2", version: "2.0.0" }),
    ];
    await using project = await makeProject({ layout: "pnpm", packages });
    const registry = await discoverTools({ projectDir: project.dir }, { environment: {}, modules: new ModuleLoader() });
    await project.remove("node_modules/fx");
    await symlink(".pnpm/fx@2.0.0/node_modules/fx", path.join(project.dir, "node_modules/fx"));
    expect(await failureOf(registry, "fx/plain")).toMatchObject({ code: "restart_required" });
  });

  it("never runs an entry that is a link out of the package", async () => {
    const { project, registry } = await open(withModule("", { file: "index.mjs" }));
    await using _project = project;
    await project.write("outside.mjs", `export const plain = ${TOOL};`);
    await project.remove("node_modules/fx/index.mjs");
    await symlink("../../outside.mjs", path.join(project.dir, "node_modules/fx/index.mjs"));
    expect(await failureOf(registry, "plain")).toMatchObject({ code: "path_escapes_package" });
  });

  it("binds none of a module's tools when it throws after two of three", async () => {
    const text = toolModule(["one", "two"]) + "\nthrow new Error('late');\n" + toolModule(["three"]);
    const { project, registry } = await open(
      toolPackage("fx", ["one", "two", "three"], { files: { "index.js": text } }),
    );
    await using _project = project;
    for (const name of ["one", "two", "three"])
      expect(await failureOf(registry, name)).toMatchObject({ code: "load_failed" });
  });

  it("gives up at the deadline, goes on with the next package, and serves a module that came late", async () => {
    const late = Promise.withResolvers<void>();
    const importModule = async (url: string): Promise<Record<string, unknown>> => {
      if (url.includes("/fx/")) await late.promise;
      return (await import(url)) as Record<string, unknown>;
    };
    const { project, registry } = await open(
      withModule(`export const plain = ${TOOL};`, { file: "index.mjs" }),
      new ModuleLoader({ importModule, timeoutMs: 30 }),
    );
    await using _project = project;
    const calls = [failureOf(registry, "plain"), run(registry, "neighbour")] as const;
    expect(await calls[0]).toMatchObject({ code: "load_timed_out", reason: expect.stringContaining("within 0.03 s") });
    expect(await calls[1]).toBeDefined();
    expect(await failureOf(registry, "plain")).toMatchObject({ code: "load_timed_out" });
    late.resolve();
    await expect.poll(() => run(registry, "plain").catch(() => undefined)).toBe("hello you");
    expect(registry.report.rejected).toEqual([]);
  });

  it("evaluates modules one at a time, each once", async () => {
    const trace: string[] = [];
    const importModule = async (url: string): Promise<Record<string, unknown>> => {
      trace.push(`start ${path.basename(path.dirname(url))}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      trace.push(`end ${path.basename(path.dirname(url))}`);
      return (await import(url)) as Record<string, unknown>;
    };
    const { project, registry } = await open(toolPackage("fx", ["one", "two"]), new ModuleLoader({ importModule }));
    await using _project = project;
    const lazy = ["one", "two", "neighbour", "one"].map(
      (name) => registry.getTool(name) as Tool & { load(): Promise<Tool> },
    );
    const [one, , , again] = await Promise.all(lazy.map((tool) => tool.load()));
    expect(one).toBe(again);
    expect(trace).toEqual(["start fx", "end fx", "start fx-neighbour", "end fx-neighbour"]);
  });
});

describe("an entry map", () => {
  function map(text: string): FixturePackage {
    return {
      name: "fx",
      packageJson: { type: "module", aiwhisperer: { tools: { plain: "./index.js#plain" } } },
      files: { "index.js": text },
    };
  }

  it.each([
    ["throws", "throw new Error('boom')", "load_failed"],
    ["answers to another name", toolModule(["other"]).replace("const other", "const plain"), "export_invalid"],
    ["is a plain function, which says nothing", "export const plain = () => 1", "export_invalid"],
    ["has hidden text", toolModule(["plain"], { changes: { description: "Adds.\u200b" } }), "tool_definition_invalid"],
  ])("loses a tool that %s, with a reason, and the list goes on", async (_what, text, code) => {
    const { project, registry } = await open(map(text));
    await using _project = project;
    await registry.load();
    expect(registry.getAllTools().map(({ spec }) => spec.name)).toEqual(["neighbour"]);
    expect(registry.report.rejected).toMatchObject([{ code, package: "fx", tool: "plain" }]);
    expect(registry.report.found.find(({ id }) => id === "fx")?.tools).toEqual([]);
  });

  it("gives a tool whose definition the module tells", async () => {
    const { project, registry } = await open(map(toolModule(["plain"])));
    await using _project = project;
    await registry.load();
    expect(registry.getTool("plain").spec.description).toBe("Runs plain.");
    expect(await run(registry, "plain")).toBeDefined();
  });
});

describe("a process of its own", () => {
  async function call(
    project: MadeProject,
    name: string,
  ): Promise<{ status: number | null; stdout: string; stderr: string }> {
    const script = await project.write(
      "call.mjs",
      `import { discoverTools } from ${JSON.stringify(new URL("../../node.ts", import.meta.url).href)};
      const registry = await discoverTools({ projectDir: ${JSON.stringify(project.dir)} });
      console.log(JSON.stringify(await registry.getTool(${JSON.stringify(name)}).execute({ who: "you" }, {})));`,
    );
    return spawnSync(process.execPath, ["--conditions=aiw-source", "--no-warnings", script], { encoding: "utf8" });
  }

  it.each([0, 3])(
    "names the package that ends it with code %i at import, and never ends with success",
    async (code) => {
      await using project = await makeProject({
        layout: "npm",
        packages: [withModule(`process.exit(${code});`, { file: "index.mjs" })],
      });
      const { status, stdout, stderr } = await call(project, "plain");
      expect(stdout).toBe("");
      expect(stderr).toMatch(/^aiw: load_exited: fx ended the process while .*index\.mjs was loading\. Fix: /);
      expect(status).toBe(code === 0 ? 4 : code);
    },
  );

  it("does not end in silence while a module never settles", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [withModule("await new Promise(() => {});", { file: "index.mjs" })],
    });
    const script = await project.write(
      "hang.mjs",
      `import { ModuleLoader } from ${JSON.stringify(new URL("module-loader.ts", import.meta.url).href)};
      const outcome = await new ModuleLoader({ timeoutMs: 50 }).load(${JSON.stringify(path.join(project.dir, "node_modules/fx/index.mjs"))}, "fx");
      console.log(outcome.kind);`,
    );
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--conditions=aiw-source", "--no-warnings", script],
      { encoding: "utf8" },
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "timed_out\n", stderr: "" });
  });

  it.each(["npm", "pnpm"] as const)("survives a path with space, #, ?, %%, ', ü under %s", async (layout) => {
    await using project = await makeProject({
      layout,
      directory: "a b#c?d%41'ü",
      packages: [withModule(`export const plain = ${TOOL};`, { file: "index.mjs" })],
    });
    expect(await call(project, "plain")).toMatchObject({ status: 0, stdout: '"hello you"\n', stderr: "" });
  });

  it("says that TypeScript under node_modules does not run", async () => {
    const { explainLoadFailure } = await import("./explain-load-failure.ts");
    for (const code of ["ERR_UNKNOWN_FILE_EXTENSION", "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING"]) {
      expect(
        explainLoadFailure(Object.assign(new Error("x"), { code }), {
          module: "./a.ts",
          packageKey: "fx",
          realDir: "/fx",
        }).fix,
      ).toContain("Publish JavaScript");
    }
  });

  it("has one registry, which finds and loads the working directory's tools", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [
        {
          name: "fx",
          packageJson: { type: "module", aiwhisperer: { tools: { plain: "./index.js#plain" } } },
          files: { "index.js": toolModule(["plain"]) },
        },
      ],
    });
    const script = await project.write(
      "shared.mjs",
      `import { getToolRegistry } from ${JSON.stringify(new URL("../../node.ts", import.meta.url).href)};
      const [one, two] = await Promise.all([getToolRegistry(), getToolRegistry()]);
      console.log(one === two, one.getTool("plain").spec.name);`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, ["--conditions=aiw-source", "--no-warnings", script], {
      encoding: "utf8",
      cwd: project.dir,
    });
    expect({ stdout, stderr }).toEqual({ stdout: "true plain\n", stderr: "" });
  });
});
