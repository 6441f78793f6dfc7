import { execFileSync } from "node:child_process";
import { mkdir, rename, symlink } from "node:fs/promises";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import type { RegistryChange } from "../../register/change-listeners.ts";
import type { ToolRegistry } from "../../register/tool-registry.ts";
import { makeProject, manifestOf, toolModule, toolPackage, type MadeProject } from "../__fixtures__/make-project.ts";
import { discoverTools, type DiscoverToolsOptions } from "../discover-tools.ts";
import { nodeWatchPort } from "./watch-port.ts";

/** Long enough for a machine under load; nobody waits so long on a quiet one. */
const DEADLINE = { timeout: 20_000, interval: 20 };

async function discover(dir: string, options: DiscoverToolsOptions = {}): Promise<ToolRegistry> {
  return await discoverTools({ projectDir: dir, ...options }, { environment: {} });
}

/** Writes beside the file and renames, as editors and package managers do. */
async function replace(project: MadeProject, file: string, text: string): Promise<void> {
  const target = path.join(project.dir, file);
  await rename(await project.write(`${file}.tmp`, text), target);
}

function names(registry: ToolRegistry): string[] {
  return registry.specs().map(({ name }) => name);
}

async function until(registry: ToolRegistry, expected: readonly string[]): Promise<void> {
  await vi.waitFor(() => expect(names(registry)).toEqual(expected), DEADLINE);
}

function toManifest(...keys: readonly string[]): string {
  return JSON.stringify({ name: "shop", dependencies: Object.fromEntries(keys.map((key) => [key, "*"])) });
}

describe("ToolRegistry.watch", () => {
  it("reloads after package.json, the state file and a deleted node_modules", async () => {
    const packages = [toolPackage("fx-a", ["a"]), toolPackage("fx-b", ["b"], { undeclared: true })];
    await using project = await makeProject({ layout: "npm", packages });
    const registry = await discover(project.dir);
    const told: RegistryChange[] = [];
    registry.onChange((change) => void told.push(change));
    using _watch = registry.watch();
    await replace(project, "package.json", toManifest("fx-a", "fx-b"));
    await until(registry, ["a", "b"]);
    await project.write("node_modules/fx-b/aiw-tools.json", manifestOf("fx-b", ["b", "c"]));
    await project.write("node_modules/fx-b/index.js", toolModule(["b", "c"]));
    await replace(project, "node_modules/.package-lock.json", "{}");
    await until(registry, ["a", "b", "c"]);
    await project.remove("node_modules");
    await until(registry, []);
    await project.write(
      "node_modules/fx-a/package.json",
      JSON.stringify({ name: "fx-a", version: "3.0.0", type: "module", aiwhisperer: { tools: "./aiw-tools.json" } }),
    );
    await project.write("node_modules/fx-a/aiw-tools.json", manifestOf("fx-a", ["a"], { version: "3.0.0" }));
    await replace(project, "node_modules/.package-lock.json", "{ }");
    await until(registry, ["a"]);
    expect(told.map(({ error }) => error)).toEqual(told.map(() => undefined));
  });

  it("tells listeners of a package.json that is wrong, keeps the tools, and goes on when it is right", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["a"])] });
    const registry = await discover(project.dir);
    const errors: unknown[] = [];
    registry.onChange(({ error }) => {
      if (error !== undefined) errors.push(error);
    });
    using _watch = registry.watch();
    await project.write("package.json", "{");
    await vi.waitFor(() => expect(errors).toMatchObject([{ code: "project_manifest_invalid" }]), DEADLINE);
    expect(names(registry)).toEqual(["a"]);
    expect(registry.report.rejected).toMatchObject([{ code: "reload_failed" }]);
    await replace(project, "package.json", toManifest());
    await until(registry, []);
    expect(registry.report.rejected).toEqual([]);
  });

  it("sees the manifest of a linked package, and a linked package that a reload brought", async () => {
    await using elsewhere = await makeProject({ layout: "npm", packages: [] });
    await using project = await makeProject({ layout: "npm", packages: [] });
    const content = { name: "fx-link", version: "1.0.0", type: "module", aiwhisperer: { tools: "./out/tools.json" } };
    await elsewhere.write("lib/package.json", JSON.stringify(content));
    await elsewhere.write("lib/out/tools.json", manifestOf("fx-link", ["one"]));
    await mkdir(path.join(project.dir, "node_modules"));
    await symlink(path.join(elsewhere.dir, "lib"), path.join(project.dir, "node_modules/fx-link"));
    const registry = await discover(project.dir);
    using _watch = registry.watch();
    await replace(project, "package.json", toManifest("fx-link"));
    await until(registry, ["one"]);
    // The watch of what the reload brought begins a moment after it.
    await vi.waitFor(
      async () => {
        await replace(elsewhere, "lib/out/tools.json", manifestOf("fx-link", ["one", "two"]));
        expect(names(registry)).toEqual(["one", "two"]);
      },
      { timeout: 20_000, interval: 300 },
    );
  });

  it("sees a folder of tools that comes later, and what comes into it", async () => {
    await using project = await makeProject({ layout: "npm", packages: [] });
    const registry = await discover(project.dir, { directories: ["tools"] });
    using _watch = registry.watch();
    for (const [index, tool] of ["a", "b"].entries()) {
      await project.write(`tools/${tool}/aiw-tools.json`, manifestOf(tool, [tool]));
      const content = { name: tool, version: "1.0.0", aiwhisperer: { tools: "./aiw-tools.json" } };
      await replace(project, `tools/${tool}/package.json`, JSON.stringify(content));
      await until(registry, ["a", "b"].slice(0, index + 1));
    }
  });

  it("is one watch for all who ask, ended by the last", async () => {
    await using project = await makeProject({ layout: "npm", packages: [] });
    const watchFolder = vi.fn(nodeWatchPort.watchFolder);
    const watches = { ...nodeWatchPort, watchFolder };
    const registry = await discoverTools({ projectDir: project.dir }, { environment: {}, watches });
    const first = registry.watch();
    const opened = watchFolder.mock.calls.length;
    expect(opened).toBeGreaterThan(0);
    const second = registry.watch();
    expect(watchFolder).toHaveBeenCalledTimes(opened);
    first();
    first();
    await replace(project, "package.json", '{"name":"shop","aiwhisperer":{"tools":"./t.json"}}');
    await project.write("t.json", manifestOf("shop", ["own"]));
    await replace(project, "package.json", '{"name":"shop", "aiwhisperer":{"tools":"./t.json"}}');
    await until(registry, ["own"]);
    second[Symbol.dispose]();
    second();
    const before = watchFolder.mock.calls.length;
    registry.watch()();
    expect(watchFolder.mock.calls.length).toBeGreaterThan(before);
  });

  it("keeps no process alive", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["a"])] });
    const door = new URL("../discover-tools.ts", import.meta.url).href;
    const code = `const { discoverTools } = await import(${JSON.stringify(door)});
      const registry = await discoverTools({ projectDir: process.argv[1] });
      registry.watch(); registry.watch(); console.log(registry.specs().length);`;
    const output = execFileSync(
      process.execPath,
      ["--conditions=source", "--input-type=module", "-e", code, project.dir],
      {
        encoding: "utf8",
        timeout: 60_000,
        cwd: path.dirname(fileURLToPath(import.meta.url)),
      },
    );
    expect(output.trim()).toBe("1");
  });
});
