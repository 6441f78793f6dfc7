import { readFile, symlink } from "node:fs/promises";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import type { Finding } from "../../register/discovery-report.ts";
import type { ToolRegistry } from "../../register/tool-registry.ts";
import {
  makeProject,
  manifestOf,
  toolModule,
  toolPackage,
  type FixturePackage,
  type MadeProject,
} from "../__fixtures__/make-project.ts";
import type { ModuleExports } from "../load/module-load.ts";
import { ModuleLoader } from "../load/module-loader.ts";
import { discoverTools, type DiscoverToolsOptions, type DiscoveryWorld } from "../discover-tools.ts";

async function discover(
  dir: string,
  options: DiscoverToolsOptions = {},
  world: Partial<DiscoveryWorld> = {},
): Promise<ToolRegistry> {
  return await discoverTools({ projectDir: dir, ...options }, { environment: {}, ...world });
}

function ids(registry: ToolRegistry): string[] {
  return registry.entries().map(({ id }) => id);
}

function codes(findings: readonly Finding[]): string[] {
  return findings.map(({ code, package: packageKey }) => `${packageKey} ${code}`);
}

async function call(registry: ToolRegistry, name: string): Promise<unknown> {
  return await registry.getTool(name).execute({}, {} as never);
}

/** Writes a whole version of a package over what is there, as npm does. */
async function install(project: MadeProject, name: string, tools: readonly string[], version: string): Promise<void> {
  const content = { name, version, type: "module", aiwhisperer: { tools: "./aiw-tools.json" } };
  await project.write(`node_modules/${name}/index.js`, toolModule(tools));
  await project.write(`node_modules/${name}/aiw-tools.json`, manifestOf(name, tools, { version }));
  await project.write(`node_modules/${name}/package.json`, JSON.stringify(content));
}

async function declare(project: MadeProject, ...names: readonly string[]): Promise<void> {
  const dependencies = Object.fromEntries(names.map((name) => [name, "*"]));
  await project.write("package.json", JSON.stringify({ name: "shop", dependencies }));
}

describe("reloading in the situations of the table", () => {
  it("row 21: an install runs meanwhile: half a package.json is read once more, then reported, and reloaded when whole", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["a"])] });
    const waits: number[] = [];
    const finish = async (): Promise<void> => {
      if (waits.length === 1) await install(project, "fx-a", ["a"], "2.0.0");
    };
    const clock = {
      now: () => 0,
      wait: async (milliseconds: number): Promise<void> => {
        waits.push(milliseconds);
        await finish();
      },
    };
    const registry = await discover(project.dir, {}, { clock });
    await project.write("node_modules/fx-a/package.json", '{"name":"fx-a","aiwhisperer":{"to');
    expect((await registry.reloadTools()).changed).toEqual(["fx-a/a"]);
    expect(waits).toEqual([50]);
    await project.write("node_modules/fx-a/package.json", '{"name":"fx-a","aiwhisperer":{"to');
    expect((await registry.reloadTools()).removed).toEqual(["fx-a/a"]);
    expect(codes(registry.report.rejected)).toEqual(["fx-a package_json_invalid"]);
    await install(project, "fx-a", ["a"], "3.0.0");
    expect((await registry.reloadTools()).added).toEqual(["fx-a/a"]);
  });

  it("row 21: an install runs meanwhile: a project's own half file leaves every tool as it was", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["a"])] });
    const registry = await discover(project.dir);
    await project.write("package.json", '{"name":"shop","depend');
    await expect(registry.reloadTools()).rejects.toThrow(expect.objectContaining({ code: "project_manifest_invalid" }));
    expect(ids(registry)).toEqual(["fx-a/a"]);
    expect(codes(registry.report.rejected)).toEqual(["shop reload_failed"]);
    await declare(project, "fx-a");
    expect(await registry.reloadTools()).toEqual({ added: [], removed: [], changed: [], restartRequired: [] });
    expect(registry.report.rejected).toEqual([]);
  });

  it("row 30: the same tool name twice: a package that comes later by its key takes no name, one that comes earlier does", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-m", ["read"])] });
    const registry = await discover(project.dir);
    await install(project, "fx-z", ["read"], "1.0.0");
    await install(project, "@aiw/plugin-filesystem", ["read"], "1.0.0");
    await declare(project, "fx-m", "fx-z");
    expect((await registry.reloadTools()).added).toEqual(["fx-z/read"]);
    expect(registry.getEntry("read")?.id).toBe("fx-m/read");
    await declare(project, "fx-m", "fx-z", "@aiw/plugin-filesystem");
    await registry.reloadTools();
    expect(registry.getEntry("read")?.id).toBe("@aiw/plugin-filesystem/read");
    expect(registry.report.shadowed).toMatchObject([
      {
        name: "read",
        winner: { id: "@aiw/plugin-filesystem/read" },
        losers: [{ id: "fx-m/read" }, { id: "fx-z/read" }],
      },
    ]);
  });

  it("row 30: the same tool name twice: a built-in package has no privilege", async () => {
    const packages = [toolPackage("@aiw/plugin-filesystem", ["read"]), toolPackage("@acme/files", ["read"])];
    await using project = await makeProject({ layout: "npm", packages });
    expect(ids(await discover(project.dir))).toEqual(["@acme/files/read"]);
    const prefer = { config: { tools: { prefer: { read: "@aiw/plugin-filesystem" } } } };
    expect(ids(await discover(project.dir, prefer))).toEqual(["@aiw/plugin-filesystem/read"]);
    await expect(discover(project.dir, { onDuplicate: "error" })).rejects.toThrow(
      expect.objectContaining({
        code: "tool_ambiguous",
        message: expect.stringContaining("@acme/files/read, @aiw/plugin-filesystem/read"),
      }),
    );
    const strict = { onDuplicate: "warn" as const, config: { discovery: { onDuplicate: "error" as const } } };
    await expect(discover(project.dir, strict)).rejects.toThrow(expect.objectContaining({ code: "tool_ambiguous" }));
  });

  const three = ["a", "b", "c"].map((tool): FixturePackage => toolPackage(`fx-${tool}`, [tool]));

  it.each([
    ["empty means none", "", []],
    ["blank means none", " , ", []],
    ["names mean only these", "fx-a, fx-c", ["fx-a/a", "fx-c/c"]],
    ["an unknown name is reported", "fx-b,fx-typo", ["fx-b/b"]],
  ])("row 31: off switch: AIWHISPERER_PLUGINS, %s", async (_what, value, expected) => {
    await using project = await makeProject({ layout: "npm", packages: three });
    const registry = await discover(project.dir, {}, { environment: { AIWHISPERER_PLUGINS: value } });
    expect(ids(registry)).toEqual(expected);
    expect(registry.report.missing.map(({ package: key }) => key)).toEqual(value.includes("typo") ? ["fx-typo"] : []);
    expect(registry.report.notEnabled.map(({ code }) => code)).toEqual(["disabled_by_config"]);
  });

  it("row 31: off switch: an environment read at a reload holds at once", async () => {
    await using project = await makeProject({ layout: "npm", packages: three });
    const environment: Record<string, string> = {};
    const registry = await discover(project.dir, {}, { environment });
    environment["AIWHISPERER_PLUGINS"] = "fx-b";
    expect((await registry.reloadTools()).removed).toEqual(["fx-a/a", "fx-c/c"]);
  });

  it.each([
    ["disabled", { disabled: ["fx-a", "fx-b/b"] }, ["fx-c/c"]],
    ["a disabled glob", { disabled: ["fx-*/*"] }, []],
    ["enabled", { enabled: ["b"] }, ["fx-b/b"]],
    ["enabled and disabled, which wins", { enabled: ["fx-a", "fx-b"], disabled: ["b"] }, ["fx-a/a"]],
  ])("row 31: off switch: configuration, %s", async (_what, tools, expected) => {
    await using project = await makeProject({ layout: "npm", packages: three });
    const registry = await discover(project.dir, { config: { tools } });
    expect(ids(registry)).toEqual(expected);
    expect(registry.report.notEnabled.every(({ code }) => code === "disabled_by_config")).toBe(true);
  });

  it("row 43: upgraded while running: loaded code goes on under its own definition, and a restart is asked for", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["a", "b"])] });
    const registry = await discover(project.dir);
    const before = await call(registry, "a");
    await install(project, "fx-a", ["a", "b", "c"], "2.0.0");
    expect(await registry.reloadTools()).toEqual({
      added: [],
      removed: [],
      changed: [],
      restartRequired: ["fx-a/a", "fx-a/b"],
    });
    expect(await call(registry, "a")).toEqual(before);
    expect(registry.report.found).toMatchObject([
      {
        id: "fx-a",
        version: "1.0.0",
        tools: ["a", "b"],
        notes: [
          {
            code: "restart_required",
            reason: expect.stringMatching(/2\.0\.0 is installed.*1\.0\.0/),
            fix: expect.stringContaining("Start again"),
          },
        ],
      },
    ]);
  });

  it("row 43: upgraded while running: what has not run yet switches", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["a"])] });
    const registry = await discover(project.dir);
    await install(project, "fx-a", ["a", "c"], "2.0.0");
    expect(await registry.reloadTools()).toEqual({
      added: ["fx-a/c"],
      removed: [],
      changed: ["fx-a/a"],
      restartRequired: [],
    });
    expect(registry.report.found).toMatchObject([{ version: "2.0.0", notes: [] }]);
    expect(await call(registry, "c")).toMatchObject({ from: expect.stringMatching(/^file:/) });
  });

  it("row 43: upgraded while running, before any reload: the new code never answers for the old definition", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["a"])] });
    const registry = await discover(project.dir);
    await install(project, "fx-a", ["a"], "2.0.0");
    await expect(call(registry, "a")).rejects.toMatchObject({ details: { finding: { code: "restart_required" } } });
    await registry.reloadTools();
    expect(await call(registry, "a")).toMatchObject({ from: expect.stringMatching(/^file:/) });
  });

  it("row 43: upgraded while running, by pnpm, whose folders stay: the same", async () => {
    await using project = await makeProject({
      layout: "pnpm",
      packages: [toolPackage("fx-a", ["a"]), toolPackage("fx-b", ["b"])],
    });
    const registry = await discover(project.dir);
    const before = await call(registry, "a");
    for (const [name, tool] of [
      ["fx-a", "a"],
      ["fx-b", "b"],
    ] as const) {
      await install(project, `.pnpm/${name}@2.0.0/node_modules/${name}`, [tool, `${tool}2`], "2.0.0");
      const content = { name, version: "2.0.0", type: "module", aiwhisperer: { tools: "./aiw-tools.json" } };
      await project.write(
        `node_modules/.pnpm/${name}@2.0.0/node_modules/${name}/package.json`,
        JSON.stringify(content),
      );
      await project.remove(`node_modules/${name}`);
      await symlink(`.pnpm/${name}@2.0.0/node_modules/${name}`, path.join(project.dir, "node_modules", name));
    }
    expect(await registry.reloadTools()).toEqual({
      added: ["fx-b/b2"],
      removed: [],
      changed: ["fx-b/b"],
      restartRequired: ["fx-a/a"],
    });
    expect(await call(registry, "a")).toEqual(before);
    expect(await call(registry, "b")).toMatchObject({ from: expect.stringContaining("fx-b@2.0.0") });
    expect(registry.report.found.map(({ version }) => version)).toEqual(["1.0.0", "2.0.0"]);
  });

  it("row 43: upgraded while running: a registry made later, in the same process, does not offer old code as new", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["a"])] });
    await call(await discover(project.dir), "a");
    await install(project, "fx-a", ["a"], "2.0.0");
    await project.write("node_modules/fx-a/index.js", `${toolModule(["a"])}\n// another file`);
    const later = await discover(project.dir);
    await expect(call(later, "a")).rejects.toMatchObject({ details: { finding: { code: "restart_required" } } });
  });

  it("row 43: removed while running: its tools vanish, and one held from before says package_removed", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-a", ["a"]), toolPackage("fx-b", ["b"])],
    });
    const registry = await discover(project.dir);
    const [used, held] = [registry.getTool("a"), registry.getTool("b")];
    const before = await used.execute({}, {} as never);
    await project.remove("node_modules/fx-a");
    await project.remove("node_modules/fx-b");
    await declare(project);
    expect((await registry.reloadTools()).removed).toEqual(["fx-a/a", "fx-b/b"]);
    expect(await used.execute({}, {} as never)).toEqual(before);
    await expect(held.execute({}, {} as never)).rejects.toMatchObject({
      details: { finding: { code: "package_removed", package: "fx-b" } },
    });
  });

  it("row 43: removed while running and still declared: it is missing, and the others are unharmed", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-a", ["a"]), toolPackage("fx-b", ["b"])],
    });
    const registry = await discover(project.dir);
    await project.remove("node_modules/fx-a");
    expect((await registry.reloadTools()).removed).toEqual(["fx-a/a"]);
    expect(codes(registry.report.missing)).toEqual(["fx-a not_installed"]);
    expect(ids(registry)).toEqual(["fx-b/b"]);
  });
});

describe("the project's own configuration", () => {
  const two = ["a", "b"].map((tool): FixturePackage => toolPackage(`fx-${tool}`, [tool]));
  const trust = { isTrusted: () => false };

  it("row 31: off switch: a file that disables holds at the next reload, and its end gives back", async () => {
    await using project = await makeProject({ layout: "npm", packages: two });
    const registry = await discover(project.dir, {}, { trust });
    await call(registry, "a");
    await project.write("aiw.config.json", JSON.stringify({ tools: { disabled: ["fx-a"] } }));
    expect(await registry.reloadTools()).toEqual({ added: [], removed: ["fx-a/a"], changed: [], restartRequired: [] });
    expect(registry.config.tools?.disabled).toEqual(["fx-a"]);
    await project.write("aiw.config.json", "{");
    await expect(registry.reloadTools()).rejects.toThrow(expect.objectContaining({ code: "config_invalid" }));
    expect(registry.config.tools?.disabled).toEqual(["fx-a"]);
    await project.remove("aiw.config.json");
    expect((await registry.reloadTools()).added).toEqual(["fx-a/a"]);
    expect(registry.config).toEqual({});
  });

  it("holds for what is kept of a changed package: options are those of now", async () => {
    await using project = await makeProject({ layout: "npm", packages: two });
    const config = (limit: number): string => JSON.stringify({ plugins: { "fx-a": { limit } } });
    await project.write("aiw.config.json", config(9));
    const registry = await discover(project.dir, {}, { trust: { isTrusted: () => true } });
    await call(registry, "a");
    await project.write("aiw.config.json", config(1));
    expect((await registry.reloadTools()).changed).toEqual(["fx-a/a"]);
    await install(project, "fx-a", ["a"], "2.0.0");
    await project.write("aiw.config.json", config(0));
    expect((await registry.reloadTools()).changed).toEqual(["fx-a/a"]);
    expect(registry.getEntry("a")).toMatchObject({ origin: { version: "1.0.0" } });
    expect(registry.getEntry("a")?.options).toEqual({ limit: 0 });
  });

  it("is watched", async () => {
    await using project = await makeProject({ layout: "npm", packages: two });
    const registry = await discover(project.dir, {}, { trust });
    using _watch = registry.watch();
    await project.write("aiw.config.json", JSON.stringify({ tools: { disabled: ["fx-b"] } }));
    await vi.waitFor(() => expect(ids(registry)).toEqual(["fx-a/a"]), { timeout: 20_000, interval: 20 });
  });
});

describe("row 19: odd characters: a project in a folder with them", () => {
  it.each([
    "with space",
    "ha#sh",
    "quest?ion",
    "per%20cent",
    "apos'trophe",
    "ünïcode 漢字",
    "(paren)[s]",
    "a&b=c;d",
    "-dash",
  ])("is found, cached, reloaded and watched in %s", async (directory) => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["a"])], directory });
    await project.write("node_modules/.package-lock.json", "{}");
    for (const cache of [false, true, true]) {
      const modules = new ModuleLoader({ importModule: readUrl });
      const registry = await discover(project.dir, { cache }, { modules });
      expect(await call(registry, "a")).toEqual(path.join(project.dir, "node_modules/fx-a/index.js"));
    }
    const registry = await discover(project.dir, { cache: true });
    using _watch = registry.watch();
    await install(project, "fx-b", ["b"], "1.0.0");
    await declare(project, "fx-a", "fx-b");
    await vi.waitFor(() => expect(ids(registry)).toEqual(["fx-a/a", "fx-b/b"]), { timeout: 20_000, interval: 20 });
  });
});

/** Test runners import by rules of their own; this reads the very file that Node would import. */
async function readUrl(url: string): Promise<ModuleExports> {
  const file = fileURLToPath(url);
  expect(await readFile(file, "utf8")).toContain("@aiw/core/tool");
  return { a: () => file };
}

describe("development forms that were loaded", () => {
  const mapped: FixturePackage = {
    name: "fx-map",
    packageJson: { type: "module", aiwhisperer: { tools: { mapped: "./index.js#mapped" } } },
    files: { "index.js": toolModule(["mapped"], { before: "globalThis.fxRuns = (globalThis.fxRuns ?? 0) + 1;" }) },
  };
  const modular: FixturePackage = {
    name: "fx-module",
    packageJson: { type: "module", aiwhisperer: { tools: "./index.js" } },
    files: { "index.js": toolModule(["modular"]) },
  };

  it("stay known after a reload, and their code does not run again", async () => {
    await using project = await makeProject({ layout: "npm", packages: [mapped, modular] });
    const registry = await discover(project.dir);
    await registry.load();
    const runs = (globalThis as { fxRuns?: number }).fxRuns;
    expect(await registry.reloadTools()).toEqual({ added: [], removed: [], changed: [], restartRequired: [] });
    expect(registry.specs().map(({ name }) => name)).toEqual(["mapped", "modular"]);
    expect((globalThis as { fxRuns?: number }).fxRuns).toBe(runs);
    await project.write(
      "node_modules/fx-module/package.json",
      JSON.stringify({ name: "fx-module", version: "2.0.0", type: "module", aiwhisperer: { tools: "./index.js" } }),
    );
    await registry.reloadTools();
    expect(registry.getEntry("modular")?.origin.version).toBe("1.0.0");
    expect(registry.report.found.find(({ id }) => id === "fx-module")?.notes.map(({ code }) => code)).toContain(
      "restart_required",
    );
  });
});

describe("folders of tools", () => {
  it("are read where code, configuration and scan name them, and again at a reload", async () => {
    await using project = await makeProject({ layout: "npm", packages: [] });
    const add = async (folder: string, tool: string): Promise<void> => {
      const content = { name: tool, version: "1.0.0", type: "module", aiwhisperer: { tools: "./aiw-tools.json" } };
      await project.write(`${folder}/${tool}/package.json`, JSON.stringify(content));
      await project.write(`${folder}/${tool}/aiw-tools.json`, manifestOf(tool, [tool]));
      await project.write(`${folder}/${tool}/index.js`, toolModule([tool]));
    };
    for (const [folder, tool] of [
      ["one", "a"],
      ["two", "b"],
      ["three", "c"],
    ] as const)
      await add(folder, tool);
    const registry = await discover(project.dir, {
      directories: ["one"],
      config: { sources: { directories: [path.join(project.dir, "two")] } },
    });
    await registry.scan("three");
    expect(registry.specs().map(({ name }) => name)).toEqual(["a", "b", "c"]);
    await add("three", "d");
    await add("one", "e");
    await project.remove("two/b");
    expect(await registry.reloadTools()).toMatchObject({
      added: { length: 2 },
      removed: { length: 1 },
      changed: [],
      restartRequired: [],
    });
    expect(registry.specs().map(({ name }) => name)).toEqual(["a", "c", "d", "e"]);
  });
});
