import { spawnSync } from "node:child_process";
import { readFile, symlink } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import type { Finding, FoundPackage } from "../../register/discovery-report.ts";
import type { ToolEntry } from "../../contract/tool-source.ts";
import { ToolRegistry } from "../../register/tool-registry.ts";
import {
  makeProject,
  manifestOf,
  specOf,
  toolModule,
  toolPackage,
  type FixturePackage,
  type MadeProject,
} from "../__fixtures__/make-project.ts";
import { discoverTools, type DiscoverToolsOptions } from "../discover-tools.ts";
import { ModuleLoader } from "../load/module-loader.ts";

const NEIGHBOUR = toolPackage("fx-neighbour", ["neighbour"]);
const DOOR = JSON.stringify(new URL("../../node.ts", import.meta.url).href);

interface Opened extends AsyncDisposable {
  readonly project: MadeProject;
  readonly registry: ToolRegistry;
}

/** Opens a project that has a package and a harmless neighbour. */
async function open(
  one: FixturePackage,
  { modules = new ModuleLoader(), ...options }: DiscoverToolsOptions & { modules?: ModuleLoader } = {},
): Promise<Opened> {
  const project = await makeProject({ layout: "npm", packages: [one, NEIGHBOUR] });
  const registry = await discoverTools({ projectDir: project.dir, ...options }, { environment: {}, modules });
  return { project, registry, [Symbol.asyncDispose]: () => project[Symbol.asyncDispose]() };
}

async function run(registry: ToolRegistry, name: string): Promise<unknown> {
  return await registry.getTool(name).execute({}, {} as never);
}

/** Why a call of a listed tool does not reach its code. */
async function failureOf(registry: ToolRegistry, name: string): Promise<Finding> {
  const error: unknown = await run(registry, name).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: "AiwError", code: "load_failed", fix: expect.any(String) });
  return (error as { details: { finding: Finding } }).details.finding;
}

/** One tool called `plain`, listed by a static manifest, whose module is the given text. */
function listed(text: string, file = "index.mjs"): FixturePackage {
  const tools = [{ module: `./${file}`, export: "plain", definitionHash: "sha256-", spec: specOf("plain") }];
  return toolPackage("fx", [], {
    packageJson: { aiwhisperer: { tools: "./aiw-tools.json" } },
    files: { [file]: text, "aiw-tools.json": manifestOf("fx", [], { tools }) },
  });
}

/** A package that declares a module alone. */
function moduleForm(text: string, { version = "1.0.0", file = "index.js" } = {}): FixturePackage {
  const packageJson = { type: "module", aiwhisperer: { tools: `./${file}` } };
  return { name: "fx", version, packageJson, files: { [file]: text } };
}

/** A package that declares names, and the module's text. */
function mapForm(names: readonly string[], text: string): FixturePackage {
  const tools = Object.fromEntries(names.map((name) => [name, `./index.js#${name}`]));
  return { name: "fx", packageJson: { type: "module", aiwhisperer: { tools } }, files: { "index.js": text } };
}

function found({ report }: ToolRegistry, id = "fx"): FoundPackage | undefined {
  return report.found.find((one) => one.id === id);
}

/** The source of one tool, as any copy of the contract makes it. */
function toolOf(name: string, changes: Readonly<Record<string, unknown>> = {}): string {
  return `{ [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(specOf(name, changes))}, execute: () => ${JSON.stringify(name)} }`;
}

/** Runs a script in a process of its own, in the project. */
async function inProcess(
  project: MadeProject,
  script: string,
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const file = await project.write("host.mjs", `import { discoverTools } from ${DOOR};\n${script}`);
  const env = { ...process.env, AIW_CONFIG_HOME: path.join(project.dir, "..", "nobody") };
  const done = spawnSync(process.execPath, ["--conditions=aiw-source", "--no-warnings", file], {
    encoding: "utf8",
    cwd: project.dir,
    env,
  });
  return { status: done.status, stdout: done.stdout, stderr: done.stderr };
}

/** A process that has ended and that nobody has collected yet does not run. */
function isRunning(pid: number): boolean {
  return /^[^Z\s]/.test(spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).stdout.trim());
}

describe("loading what a package declares", () => {
  it("row 26: an entry missing from the tarball asks whether it was built and is in files", async () => {
    await using opened = await open(listed(""));
    await opened.project.remove("node_modules/fx/index.mjs");
    expect(await failureOf(opened.registry, "plain")).toMatchObject({
      code: "entry_missing",
      reason: expect.stringContaining("./index.mjs"),
      fix: 'Was it built? Is it in "files" of package.json?',
    });
    await using other = await open(moduleForm(""));
    await other.project.remove("node_modules/fx/index.js");
    await other.registry.load();
    expect(other.registry.report.rejected).toMatchObject([{ code: "entry_missing", package: "fx" }]);
  });

  it.each([
    ["manifest", () => listed("")],
    ["map", () => mapForm(["plain"], "")],
    ["module", () => moduleForm("")],
  ])("row 26: an inventory says of a %s that its entry is missing, once, and runs nothing", async (_form, make) => {
    const one = make();
    const file = one.files?.["index.mjs"] === undefined ? "index.js" : "index.mjs";
    await using opened = await open(one, { inventory: true });
    await opened.registry.load();
    expect(opened.registry.report.rejected.filter(({ code }) => code === "entry_missing")).toEqual([]);
    await opened.project.remove(`node_modules/fx/${file}`);
    const modules = new ModuleLoader({ importModule: () => Promise.reject(new Error("must not run")) });
    const options = { projectDir: opened.project.dir };
    const looked = await discoverTools({ ...options, inventory: true }, { environment: {}, modules });
    expect(looked.report.rejected).toMatchObject([{ code: "entry_missing", package: "fx", version: "1.0.0" }]);
    await looked.loadCode();
    expect(looked.report.rejected.filter(({ package: name }) => name === "fx")).toMatchObject([
      { code: "entry_missing" },
    ]);
    const usual = await discoverTools(options, { environment: {}, modules });
    expect(usual.report.rejected).toEqual([]);
  });

  it("row 26: an inventory names a missing file of several tools once", async () => {
    await using opened = await open(mapForm(["one", "two"], ""));
    await opened.project.remove("node_modules/fx/index.js");
    const registry = await discoverTools({ projectDir: opened.project.dir, inventory: true }, { environment: {} });
    expect(registry.report.rejected.map(({ code, tool }) => [code, tool])).toEqual([["entry_missing", undefined]]);
    expect(found(registry)?.tools).toEqual([]);
  });

  it("row 25: an entry that is an outward link is refused when it would be loaded, in every form", async () => {
    for (const one of [listed(""), moduleForm(""), mapForm(["plain"], "")]) {
      const file = one.files?.["index.mjs"] === undefined ? "index.js" : "index.mjs";
      await using opened = await open(one);
      await opened.project.write(
        "outside.mjs",
        `globalThis.ranOutside = true; export const plain = ${toolOf("plain")};`,
      );
      await opened.project.remove(`node_modules/fx/${file}`);
      await symlink("../../outside.mjs", path.join(opened.project.dir, "node_modules/fx", file));
      await opened.registry.load();
      const listedTool = opened.registry.getToolByName("plain");
      if (listedTool !== undefined) await failureOf(opened.registry, "plain");
      expect(opened.registry.report.rejected).toMatchObject([{ code: "path_escapes_package", package: "fx" }]);
    }
    expect(globalThis).not.toHaveProperty("ranOutside");
  });

  it("row 28: names that a module alone knows are legal, bounded and do not collide", async () => {
    await using illegal = await open(
      moduleForm(`export const a = ${toolOf("no-dash")}; export const b = ${toolOf("fine")};`),
    );
    await illegal.registry.load();
    expect(found(illegal.registry)?.tools).toEqual(["fine"]);
    expect(illegal.registry.report.rejected).toMatchObject([
      { code: "tool_definition_invalid", package: "fx", tool: "a", reason: expect.stringContaining("/name") },
    ]);
    await using colliding = await open(
      moduleForm(`export const a = ${toolOf("Read")}; export const b = ${toolOf("read")};`),
    );
    await colliding.registry.load();
    expect(found(colliding.registry)).not.toHaveProperty("tools");
    expect(colliding.registry.report.rejected).toMatchObject([{ code: "tool_name_collision", package: "fx" }]);
  });

  it("row 28: a loaded tool that answers to another name than its key is left out", async () => {
    await using opened = await open(
      mapForm(["plain", "good"], `export const plain = ${toolOf("other")}; export const good = ${toolOf("good")};`),
    );
    await opened.registry.load();
    expect(found(opened.registry)?.tools).toEqual(["good"]);
    expect(opened.registry.report.rejected).toMatchObject([
      { code: "export_invalid", tool: "plain", reason: 'The tool calls itself "other", its key is "plain".' },
    ]);
  });

  it("row 29: hidden or over-long text in a description that code tells leaves the tool out", async () => {
    const tools = [
      `export const a = ${toolOf("a", { description: "Adds.\u200b" })};`,
      `export const b = ${toolOf("b", { description: "x".repeat(1025) })};`,
      `export const c = ${toolOf("c")};`,
    ];
    await using opened = await open(moduleForm(tools.join("\n")));
    await opened.registry.load();
    expect(found(opened.registry)?.tools).toEqual(["c"]);
    expect(opened.registry.report.rejected.map(({ code, tool }) => `${tool} ${code}`)).toEqual([
      "a tool_definition_invalid",
      "b tool_definition_invalid",
    ]);
    expect(JSON.stringify(opened.registry.report)).not.toContain("\u200b");
  });

  it("row 32: a tool of a newer contract is refused when it is loaded", async () => {
    await using opened = await open(
      moduleForm(`export const a = { ...${toolOf("a")}, contractVersion: 2 }; export const b = ${toolOf("b")};`),
    );
    await opened.registry.load();
    expect(found(opened.registry)?.tools).toEqual(["b"]);
    expect(opened.registry.report.rejected).toMatchObject([{ code: "core_version_unsupported", tool: "a" }]);
  });

  it("row 33: a tool of another copy of core works, by its brand and contract version", async () => {
    const core = `export const defineTool = (spec, execute) => ({ [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec, execute });`;
    const text = `import { defineTool } from "@aiw/core"; export const plain = defineTool(${JSON.stringify(specOf("plain"))}, () => "own core");`;
    await using opened = await open({
      ...listed(text),
      files: {
        ...listed(text).files,
        "node_modules/@aiw/core/package.json": JSON.stringify({
          name: "@aiw/core",
          version: "0.1.0",
          type: "module",
          exports: "./index.js",
        }),
        "node_modules/@aiw/core/index.js": core,
      },
    });
    expect(await run(opened.registry, "plain")).toBe("own core");
    expect(opened.registry.report.rejected).toEqual([]);
  });

  it.each([
    ["throws", "throw new TypeError('boom');", "TypeError: boom"],
    ["throws what is no error", "throw { toString() { throw new Error('twice'); } };", "cannot be shown"],
    ["does not parse", "export const = 1;", "SyntaxError"],
  ])("row 35: a package that %s at import has load_failed, and the others run", async (_what, text, reason) => {
    await using opened = await open(moduleForm(text));
    await opened.registry.load();
    expect(opened.registry.report.rejected).toMatchObject([
      {
        code: "load_failed",
        package: "fx",
        reason: expect.stringContaining(reason),
        fix: expect.stringContaining("start again"),
      },
    ]);
    expect(await run(opened.registry, "neighbour")).toBeDefined();
  });

  it("row 35: a failed evaluation is not tried again in this process", async () => {
    let imports = 0;
    const importModule = (): Promise<never> => {
      imports += 1;
      return Promise.reject(new Error("boom"));
    };
    await using opened = await open(listed(""), { modules: new ModuleLoader({ importModule }) });
    for (let times = 0; times < 3; times += 1) await failureOf(opened.registry, "plain");
    await opened.registry.reloadTools();
    await failureOf(opened.registry, "plain");
    expect(imports).toBe(1);
  });

  it("row 36: a module that never settles meets the configured deadline, and the next package loads", async () => {
    await using opened = await open(listed("await new Promise(() => {});"), {
      config: { limits: { loadTimeoutMs: 50 } },
    });
    expect(await failureOf(opened.registry, "plain")).toMatchObject({
      code: "load_timed_out",
      reason: expect.stringContaining("within 0.05 s"),
    });
    expect(await run(opened.registry, "neighbour")).toBeDefined();
  });

  it("row 36: what came late serves the next call", async () => {
    const late = Promise.withResolvers<Record<string, unknown>>();
    const modules = new ModuleLoader({ importModule: () => late.promise, timeoutMs: 20 });
    await using opened = await open(listed(""), { modules });
    expect(await failureOf(opened.registry, "plain")).toMatchObject({ code: "load_timed_out" });
    late.resolve({
      plain: {
        ...(await import("../../define/define-tool.ts")).defineTool({
          name: "x",
          description: "x",
          execute: () => "late",
        }),
        spec: specOf("plain"),
      },
    });
    await expect.poll(() => run(opened.registry, "plain").catch(() => undefined)).toBe("late");
    expect(opened.registry.report.rejected).toEqual([]);
  });

  it.each([
    ["blocks its process", "for (;;);"],
    ["never settles and keeps its process alive", "setInterval(() => {}, 1000); await new Promise(() => {});"],
  ])("row 36: a module no manifest describes that %s is stopped in another process", async (_what, text) => {
    await using opened = await open(moduleForm(text), { config: { limits: { loadTimeoutMs: 400 } } });
    await opened.registry.load();
    expect(opened.registry.report.rejected).toMatchObject([{ code: "load_timed_out", package: "fx" }]);
    expect(await run(opened.registry, "neighbour")).toBeDefined();
  });

  it.each([
    ["module", moduleForm("process.exit(0);")],
    ["map", mapForm(["plain"], "process.exit(0);")],
  ])("row 37: a %s that ends its process does so elsewhere, and is named", async (_form, one) => {
    await using opened = await open(one);
    await opened.registry.load();
    expect(opened.registry.report.rejected).toMatchObject([{ code: "load_exited", package: "fx" }]);
    expect(await run(opened.registry, "neighbour")).toBeDefined();
  });

  it.each([
    ["exits", "setTimeout(() => process.exit(0), 20);", "load_exited", "exit code 0"],
    ["leaves a rejection", "Promise.reject(new TypeError('rej'));", "load_failed", "TypeError: rej"],
    ["throws", "setTimeout(() => { throw new TypeError('soon'); }, 0);", "load_failed", "TypeError: soon"],
    ["throws a little later", "setTimeout(() => { throw new TypeError('later'); }, 50);", "load_failed", "later"],
  ])(
    "row 37: a module that %s just after it was loaded does not come into the host",
    async (_what, text, code, reason) => {
      for (const make of [moduleForm, (source: string) => mapForm(["plain"], source)]) {
        await using opened = await open(make(`${text}\nexport const plain = ${toolOf("plain")};`));
        const done = await inProcess(
          opened.project,
          `const registry = await discoverTools(); await registry.load();
        await new Promise((done) => setTimeout(done, 100));
        console.log(JSON.stringify({ rejected: registry.report.rejected, names: registry.specs().map(({ name }) => name) }));`,
        );
        expect(done).toMatchObject({ status: 0, stderr: "" });
        const { rejected, names } = JSON.parse(done.stdout) as { rejected: Finding[]; names: string[] };
        expect(rejected).toMatchObject([{ code, package: "fx", reason: expect.stringContaining(reason) }]);
        expect(names).toEqual(["neighbour"]);
      }
    },
  );

  it("row 36: packages that hang are tried at the same time, and hold up no call of a tool that is known", async () => {
    const trials: string[] = [];
    const gate = Promise.withResolvers<void>();
    const tryModule = async (url: string): Promise<{ kind: "survived" }> => {
      trials.push(url);
      await gate.promise;
      return { kind: "survived" };
    };
    const hanging = ["b-one", "b-two", "b-three"].map((name) => ({
      ...moduleForm(`export const ${name.replace("-", "_")} = ${toolOf(name.replace("-", "_"))};`),
      name,
    }));
    const map = mapForm(["mapped"], `export const mapped = ${toolOf("mapped")};`);
    await using project = await makeProject({ layout: "npm", packages: [...hanging, map, NEIGHBOUR] });
    const modules = new ModuleLoader({
      tryModule: (url) => (url.includes("/fx/") ? Promise.resolve({ kind: "survived" }) : tryModule(url)),
    });
    const registry = await discoverTools({ projectDir: project.dir }, { environment: {}, modules });
    const told: string[] = [];
    const stop = registry.onLoading((packages) => told.push(packages.join(" ")));
    const loaded = registry.load();
    await expect.poll(() => trials.length).toBe(3);
    expect(await run(registry, "neighbour")).toBeDefined();
    expect((await registry.getEntry("mapped")?.load())?.spec.name).toBe("mapped");
    expect(told).toContain("b-one b-three b-two");
    gate.resolve();
    await loaded;
    expect(registry.specs().map(({ name }) => name)).toEqual(["b_one", "b_three", "b_two", "mapped", "neighbour"]);
    expect(told.at(-1)).toBe("");
    stop();
    const before = told.length;
    await registry.getEntry("mapped")?.load();
    expect(told).toHaveLength(before);
  });

  it("row 37: a module that was refused and is another one by now is tried again at a reload", async () => {
    await using opened = await open(moduleForm("process.exit(0);"));
    await opened.registry.load();
    expect(opened.registry.report.rejected).toMatchObject([{ code: "load_exited" }]);
    await opened.project.write("node_modules/fx/index.js", `export const plain = ${toolOf("plain")};`);
    await opened.registry.reloadTools();
    expect(opened.registry.report.rejected).toEqual([]);
    expect(await run(opened.registry, "plain")).toBe("plain");
  });

  const SPINNING = "for (;;);";
  const HANGING = "await new Promise(() => {});";

  it.each([
    ["exits", "process.exit(0)", SPINNING],
    ["exits", "process.exit(0)", HANGING],
    ...["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"].flatMap((signal) => [
      [`is ended by ${signal}`, `process.kill(process.pid, "${signal}")`, SPINNING],
      [`is ended by ${signal}`, `process.kill(process.pid, "${signal}")`, HANGING],
    ]),
  ])("row 36: a host that %s (%s) during the trial of %s leaves no process behind", async (_what, end, rest) => {
    const text = `import { writeFileSync } from "node:fs"; writeFileSync(new URL("pid", import.meta.url), process.pid + "\\n"); ${rest}`;
    await using opened = await open(moduleForm(text));
    const done = await inProcess(
      opened.project,
      `import { readFileSync, writeSync } from "node:fs";
      const registry = await discoverTools();
      void registry.load();
      const look = () => { try { return readFileSync("node_modules/fx/pid", "utf8"); } catch { return ""; } };
      setInterval(() => { if (!look().endsWith("\\n")) return; writeSync(1, look()); ${end}; }, 10);`,
    );
    const child = Number(done.stdout);
    expect(child).toBeGreaterThan(0);
    await expect.poll(() => isRunning(child), { timeout: 5000 }).toBe(false);
  });

  it.each([
    [0, 4],
    [3, 3],
  ])(
    "row 37: process.exit(%i) at the import of a listed tool names the culprit, and the exit code is %i",
    async (code, status) => {
      await using opened = await open(listed(`process.exit(${code});`));
      const done = await inProcess(
        opened.project,
        `const registry = await discoverTools(); await registry.getTool("plain").execute({}, {});`,
      );
      expect(done.stderr).toMatch(/^aiw: load_exited: fx ended the process while .*index\.mjs was loading\. Fix: /);
      expect(done.status).toBe(status);
    },
  );

  it("row 37: an end of the process after loading is nobody's fault", async () => {
    await using opened = await open(moduleForm(`export const plain = ${toolOf("plain")};`));
    const done = await inProcess(
      opened.project,
      `const registry = await discoverTools(); await registry.load(); process.exit(0);`,
    );
    expect(done).toMatchObject({ status: 0, stderr: "" });
  });

  it.each([
    ["module", (text: string) => moduleForm(text)],
    ["map", (text: string) => mapForm(["one", "two", "three"], text)],
    ["manifest", (text: string) => toolPackage("fx", ["one", "two", "three"], { files: { "index.js": text } })],
  ])("row 39: of a %s that throws after two of three tools, none is bound", async (_form, make) => {
    const text = `${toolModule(["one", "two"])}\nthrow new Error("late");\n${toolModule(["three"])}`;
    await using opened = await open(make(text));
    await opened.registry.load();
    for (const name of ["one", "two", "three"])
      if (opened.registry.has(name))
        expect(await failureOf(opened.registry, name)).toMatchObject({ code: "load_failed" });
    expect(opened.registry.report.rejected.map(({ code }) => code)).toContain("load_failed");
    expect(await run(opened.registry, "neighbour")).toBeDefined();
  });

  it("row 39: of a module whose third tool throws when it is looked at, none is bound", async () => {
    const text = `module.exports = { one: ${toolOf("one")}, two: ${toolOf("two")}, get three() { throw new Error("late"); } };`;
    await using opened = await open(moduleForm(text, { file: "index.cjs" }));
    await opened.registry.load();
    expect(found(opened.registry)).not.toHaveProperty("tools");
    expect(opened.registry.report.rejected).toMatchObject([
      { code: "load_failed", reason: expect.stringContaining("late") },
    ]);
  });

  it("row 40: timers and sockets made at import do not keep the trial's process", async () => {
    const text = `import { createServer } from "node:net"; import { appendFileSync } from "node:fs";
      appendFileSync(new URL("pids", import.meta.url), process.pid + "\\n");
      createServer().listen(0); setInterval(() => {}, 1000); export const plain = ${toolOf("plain")};`;
    await using opened = await open(moduleForm(text));
    const done = await inProcess(
      opened.project,
      `const registry = await discoverTools(); await registry.load();
      console.log(await registry.getTool("plain").execute({}, {})); process.exit();`,
    );
    expect(done).toEqual({ status: 0, stdout: "plain\n", stderr: "" });
    const pids = (await readFile(path.join(opened.project.dir, "node_modules/fx/pids"), "utf8")).trim().split("\n");
    expect(pids).toHaveLength(2);
    await expect.poll(() => isRunning(Number(pids[0]))).toBe(false);
  });

  it("row 41: a rejection long after import is for the host's own policy, which stays as it was", async () => {
    const text = `process.on("go", () => Promise.reject(new Error("much later"))); export const plain = ${toolOf("plain")};`;
    await using opened = await open(moduleForm(text));
    const load = `const registry = await discoverTools(); await registry.load(); process.emit("go");`;
    const ended = await inProcess(
      opened.project,
      `${load} await new Promise((done) => setTimeout(done, 5000)); console.log("alive");`,
    );
    expect(ended).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining("much later") });
    const told = await inProcess(
      opened.project,
      `const seen = []; process.on("unhandledRejection", (error) => seen.push(error.message));
      ${load} console.log(process.listenerCount("unhandledRejection"), process.listenerCount("uncaughtException"), process.listenerCount("exit"));
      while (seen.length === 0) await new Promise((done) => setTimeout(done, 20)); console.log(seen[0]);`,
    );
    expect(told).toEqual({ status: 0, stdout: "1 0 0\nmuch later\n", stderr: "" });
  });

  it.each<[string, FixturePackage, string, string]>([
    [
      "an addon for another Node",
      moduleForm("throw Object.assign(new Error('NODE_MODULE_VERSION 999'), { code: 'ERR_DLOPEN_FAILED' });"),
      "NODE_MODULE_VERSION 999",
      "npm rebuild",
    ],
    [
      "a broken addon",
      moduleForm("import { createRequire } from 'node:module'; createRequire(import.meta.url)('./broken.node');"),
      "",
      "npm rebuild",
    ],
    [
      "a missing peer",
      moduleForm("import '@acme/peer/sub';"),
      "@acme/peer",
      'Install the missing package "@acme/peer"',
    ],
    [
      "a missing peer of CommonJS",
      moduleForm("require('left-peer');", { file: "index.cjs" }),
      "left-peer",
      'Install the missing package "left-peer"',
    ],
    ["a missing file of its own", moduleForm("import './gone.js';"), "gone.js", "Build the package again"],
    [
      "an ES module it cannot require",
      moduleForm("throw Object.assign(new Error('require() of ES Module'), { code: 'ERR_REQUIRE_ESM' });"),
      "require() of ES Module",
      "requires an ES module from CommonJS",
    ],
    ["TypeScript under node_modules", moduleForm("import './more.ts';"), "", "Publish JavaScript"],
  ])("row 42: %s is load_failed, with its own fix", async (_what, one, reason, fix) => {
    const files = { ...one.files, "more.ts": "export const a: number = 1;", "broken.node": "no library" };
    await using opened = await open({ ...one, files });
    await opened.registry.load();
    expect(opened.registry.report.rejected).toMatchObject([
      {
        code: "load_failed",
        package: "fx",
        reason: expect.stringContaining(reason),
        fix: expect.stringContaining(fix),
      },
    ]);
  });

  it("row 43: a package that is removed while running is package_removed at its next load", async () => {
    for (const one of [listed(""), moduleForm("")]) {
      await using opened = await open(one);
      await opened.project.remove("node_modules/fx");
      await opened.registry.load();
      if (opened.registry.has("plain")) await failureOf(opened.registry, "plain");
      expect(opened.registry.report.rejected).toMatchObject([{ code: "package_removed", package: "fx" }]);
    }
  });

  it("row 43: a package that is upgraded in place while running is restart_required, and its code does not run", async () => {
    await using opened = await open(listed("globalThis.ranUpgraded = true;"));
    await opened.project.write("node_modules/fx/package.json", JSON.stringify({ name: "fx", version: "2.0.0" }));
    expect(await failureOf(opened.registry, "plain")).toMatchObject({
      code: "restart_required",
      reason: expect.stringContaining("listed as version 1.0.0 and is 2.0.0 now"),
    });
    expect(globalThis).not.toHaveProperty("ranUpgraded");
  });
});

describe("loading all code on request", () => {
  it("compares every listed definition with the code's, after a trial, and reports each that fails", async () => {
    const entry = (name: string): object => ({
      module: "./index.js",
      export: name,
      definitionHash: "sha256-",
      spec: specOf(name),
    });
    const drifted = `export const same = ${toolOf("same")}; export const other = ${toolOf("other", { description: "Changed." })};`;
    const tools = [entry("same"), entry("other"), entry("gone")];
    const drift = toolPackage("fx-drift", [], {
      files: { "index.js": drifted, "aiw-tools.json": manifestOf("fx-drift", [], { tools }) },
    });
    const exits = toolPackage("fx-exits", ["exiting"], { files: { "index.js": "process.exit(0);" } });
    await using project = await makeProject({
      layout: "npm",
      packages: [drift, exits, moduleForm("throw 1;"), NEIGHBOUR],
    });
    const done = await inProcess(
      project,
      `const registry = await discoverTools(); await registry.loadCode(); await registry.loadCode();
      console.log(JSON.stringify({ rejected: registry.report.rejected, names: registry.specs().map(({ name }) => name) }));`,
    );
    expect(done).toMatchObject({ status: 0, stderr: "" });
    const { rejected, names } = JSON.parse(done.stdout) as { rejected: Finding[]; names: string[] };
    expect(rejected.map(({ code, package: key, tool }) => [key, tool, code])).toEqual([
      ["fx", undefined, "load_failed"],
      ["fx-drift", "other", "definition_mismatch"],
      ["fx-drift", "gone", "export_missing"],
      ["fx-exits", "exiting", "load_exited"],
    ]);
    expect(names).toEqual(["exiting", "gone", "neighbour", "other", "same"]);
  });

  it("runs nothing of a tool that is switched off", async () => {
    await using opened = await open(listed("globalThis.ranSwitchedOff = true;"), {
      config: { tools: { disabled: ["fx/plain"] } },
    });
    await opened.registry.loadCode();
    expect(globalThis).not.toHaveProperty("ranSwitchedOff");
    expect(opened.registry.report.rejected).toEqual([]);
  });

  it("runs nothing of a package that runs in a process of its own", async () => {
    await using opened = await open(listed("globalThis.ranIsolated = true;"), {
      config: { isolation: { packages: { fx: "isolated" } } },
    });
    await opened.registry.loadCode();
    expect(globalThis).not.toHaveProperty("ranIsolated");
    expect(opened.registry.report.rejected).toEqual([]);
  });

  it("reports what a source by hand cannot load", async () => {
    const origin = { source: "hand" };
    const entry = { id: "hand/a", name: "a", origin, spec: specOf("a") as never };
    const list = async (): Promise<ToolEntry[]> => [{ ...entry, load: () => Promise.reject(new Error("no")) }];
    const registry = new ToolRegistry({ sources: [{ name: "hand", list }] });
    await registry.loadCode();
    await registry.loadCode();
    expect(registry.report.rejected).toMatchObject([
      { code: "load_failed", package: "hand/a", tool: "a", reason: "no" },
    ]);
  });
});

describe("code in development", () => {
  it("row 43: that changes after it ran keeps its former code, and says restart_required", async () => {
    for (const one of [
      moduleForm(`export const plain = ${toolOf("plain")};`),
      mapForm(["plain"], `export const plain = ${toolOf("plain")};`),
    ]) {
      await using opened = await open(one);
      await opened.registry.load();
      expect(found(opened.registry)?.notes.map(({ code }) => code)).toEqual(["slow_declaration"]);
      await opened.project.write(
        "node_modules/fx/index.js",
        "export const nothing = 'but longer than before';".repeat(9),
      );
      await opened.registry.reloadTools();
      expect(await run(opened.registry, "plain")).toBe("plain");
      expect(found(opened.registry)?.notes.map(({ code }) => code)).toContain("restart_required");
    }
  });
});

describe("the module form", () => {
  const PACKAGE = `{ [Symbol.for("@aiw/core/tool-package")]: true, contractVersion: 1, tools: [${toolOf("b")}, ${toolOf("a")}] }`;

  it.each(["evil", "evil/*", "*/*"])("runs nothing of a package that %s switches off", async (pattern) => {
    await using project = await makeProject({
      layout: "npm",
      packages: [
        {
          name: "evil",
          packageJson: { type: "module", aiwhisperer: { tools: "./index.js" } },
          files: { "index.js": `globalThis.__evilRan = true; export default ${toolOf("a")};` },
        },
      ],
    });
    const registry = await discoverTools({ projectDir: project.dir, config: { tools: { disabled: [pattern] } } });
    await registry.load();
    expect(globalThis).not.toHaveProperty("__evilRan");
    expect(registry.report.notEnabled).toMatchObject([
      {
        code: "disabled_by_config",
        package: "evil",
        fix: `Remove ${JSON.stringify(pattern)} from tools.disabled to offer its tools.`,
      },
    ]);
  });

  it.each<[string, string, string, readonly string[]]>([
    [
      "named exports",
      "index.js",
      `export const z = ${toolOf("a")}; export const y = ${toolOf("b")}; export const x = 1;`,
      ["a", "b"],
    ],
    ["a default tool", "index.js", `export default ${toolOf("a")};`, ["a"]],
    ["a default package", "index.js", `export default ${PACKAGE}; export const more = 1;`, ["a", "b"]],
    [
      "a default list of what is exported by name too",
      "index.js",
      `export const b = ${toolOf("b")}; export const a = ${toolOf("a")}; export default [a, b];`,
      ["a", "b"],
    ],
    ["a default array", "index.js", `export default [${toolOf("b")}, ${toolOf("a")}, null];`, ["a", "b"]],
    [
      "a default object",
      "index.js",
      `export default { one: ${toolOf("b")}, two: ${toolOf("a")}, helper() {} };`,
      ["a", "b"],
    ],
    [
      "one tool under two names",
      "index.js",
      `export const a = ${toolOf("a")}; export { a as b, a as default };`,
      ["a"],
    ],
    [
      "a class and its instance",
      "index.js",
      `export class A { get spec() { return (${toolOf("a")}).spec; } execute() { return "a"; } }
      A.prototype[Symbol.for("@aiw/core/tool")] = true; A.prototype.contractVersion = 1; export default new A();`,
      ["a"],
    ],
    ["CommonJS exports", "index.cjs", `exports.a = ${toolOf("a")};`, ["a"]],
    [
      "CommonJS module.exports",
      "index.cjs",
      `module.exports = Object.assign({}, { a: ${toolOf("a")}, b: ${toolOf("b")} });`,
      ["a", "b"],
    ],
    [
      "compiled CommonJS",
      "index.cjs",
      `Object.defineProperty(exports, "__esModule", { value: true }); exports.default = ${PACKAGE};`,
      ["a", "b"],
    ],
  ])("takes %s, in the order of names", async (_what, file, text, names) => {
    await using opened = await open(moduleForm(text, { file }));
    await opened.registry.load();
    expect(opened.registry.report.rejected).toEqual([]);
    expect(found(opened.registry)?.tools).toEqual(names);
    for (const name of names) expect(await run(opened.registry, name)).toBe(name);
    expect(opened.registry.getEntry(`fx/${names[0]}`)?.isLoaded?.()).toBe(true);
  });

  it("names a tool that its default export leaves out", async () => {
    await using opened = await open(moduleForm(`export default ${PACKAGE}; export const more = ${toolOf("c")};`));
    await opened.registry.load();
    expect(found(opened.registry)?.tools).toEqual(["a", "b"]);
    expect(opened.registry.report.rejected).toMatchObject([
      {
        code: "export_unused",
        severity: "warning",
        package: "fx",
        tool: "more",
        reason: expect.stringContaining("more"),
      },
    ]);
  });

  it("leaves out an exported class that cannot be made, and keeps the rest", async () => {
    const text = `export class Base { constructor() { throw new Error("abstract"); } } Base.prototype[Symbol.for("@aiw/core/tool")] = true;
      export const a = ${toolOf("a")};`;
    await using opened = await open(moduleForm(text));
    await opened.registry.load();
    expect(found(opened.registry)?.tools).toEqual(["a"]);
    expect(opened.registry.report.rejected).toMatchObject([{ code: "load_failed", tool: "Base" }]);
  });

  it("without a tool says so", async () => {
    await using opened = await open(moduleForm("export const a = 1;"));
    await opened.registry.load();
    expect(opened.registry.report.rejected).toMatchObject([{ code: "no_tools", package: "fx" }]);
  });

  it("keeps its tools when everything is read again", async () => {
    await using opened = await open(moduleForm(`export const a = ${toolOf("a")};`));
    await opened.registry.load();
    await opened.registry.reloadTools();
    expect(opened.registry.has("fx/a")).toBe(true);
    expect(await run(opened.registry, "a")).toBe("a");
  });

  it("is not run for a package that is switched off", async () => {
    await using opened = await open(moduleForm("globalThis.ranDisabled = true;"), {
      config: { tools: { disabled: ["fx"] } },
    });
    await opened.registry.load();
    expect(globalThis).not.toHaveProperty("ranDisabled");
  });
});
