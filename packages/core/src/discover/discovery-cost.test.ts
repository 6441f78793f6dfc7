import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { makeProject, toolPackage, type FixturePackage } from "./__fixtures__/make-project.ts";
import type { DiscoveryFileSystem } from "./discovery-ports.ts";
import { discoverTools } from "./discover-tools.ts";
import type { PnpApi } from "./locate/pnp-project.ts";

interface Counted {
  readonly fs: DiscoveryFileSystem;
  readonly calls: Map<string, number>;
}

/** The project's configuration and lock are counted apart: one open that fails for each that is not there, and nothing else. */
const CONFIG = "aiw.config.json";
const LOCK = "aiw.lock";

function countCalls(): Counted {
  const calls = new Map<string, number>();
  const counted = new Proxy(fs as DiscoveryFileSystem, {
    get(target, name: keyof DiscoveryFileSystem) {
      calls.set(name, calls.get(name) ?? 0);
      return (...args: unknown[]) => {
        const [file] = args;
        const base = typeof file === "string" ? path.basename(file) : "";
        const counted = base === CONFIG || base === LOCK ? base : name;
        calls.set(counted, (calls.get(counted) ?? 0) + 1);
        return (target[name] as (...given: unknown[]) => unknown)(...args);
      };
    },
  });
  return { fs: counted, calls };
}

const ordinary = (count: number): FixturePackage[] =>
  Array.from({ length: count }, (_, index) => ({ name: `ordinary-${index}` }));

describe("discoverTools", () => {
  it("opens one file per dependency and manifest, and asks for two real paths per tool package", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [...ordinary(20), toolPackage("fx-a", ["a"]), toolPackage("@fx/b", ["b"])],
    });
    const { fs: port, calls } = countCalls();
    const registry = await discoverTools({ projectDir: project.dir }, { fs: port, environment: {} });
    expect(registry.entries()).toHaveLength(2);
    expect(calls.get(CONFIG) ?? 0).toBeLessThanOrEqual(1);
    expect(calls.get(LOCK)).toBe(1);
    calls.delete(CONFIG);
    calls.delete(LOCK);
    expect(Object.fromEntries(calls)).toEqual({
      openSync: 1 + 22 + 2,
      readSync: expect.any(Number),
      closeSync: 1 + 22 + 2,
      realpathSync: 2 * 2,
    });
  });

  it("opens once more per failed climb and asks each ancestor once whether it has packages", async () => {
    const packages = [...ordinary(5), toolPackage("fx-a", ["a"])];
    await using root = await makeProject({ layout: "npm", packages, packageJson: { workspaces: ["packages/*"] } });
    const dependencies = Object.fromEntries(packages.map(({ name }) => [name, "1"]));
    await root.write("packages/a/package.json", JSON.stringify({ name: "a", dependencies }));
    const { fs: port, calls } = countCalls();
    await discoverTools({ projectDir: path.join(root.dir, "packages/a") }, { fs: port, environment: {} });
    expect(calls.get("openSync")).toBe(1 + 6 + 1 + 6);
    expect(calls.get(LOCK)).toBe(1);
    expect(calls.get("statSync")).toBe(2);
    expect(calls.get("realpathSync")).toBe(2 + 1);
  });

  it("asks Plug'n'Play's resolver once per dependency, and the disk no more than otherwise", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [...ordinary(5), toolPackage("fx-a", ["a"])],
    });
    const asked: string[] = [];
    const api: PnpApi = {
      resolveToUnqualified: (key) => {
        asked.push(key);
        return path.join(project.dir, "node_modules", key, "/");
      },
      findPackageLocator: () => null,
      getPackageInformation: () => null,
    };
    const pnp = { find: () => ({ api, issuer: project.dir + path.sep }) };
    const { fs: port, calls } = countCalls();
    await discoverTools({ projectDir: project.dir }, { fs: port, environment: {}, pnp });
    expect(calls.get(LOCK)).toBe(1);
    calls.delete(LOCK);
    calls.delete(CONFIG);
    expect(Object.fromEntries(calls)).toEqual({
      openSync: 1 + 6 + 1,
      readSync: expect.any(Number),
      closeSync: 1 + 6 + 1,
      realpathSync: 2,
    });
    expect(asked).toHaveLength(6);
  });

  it("imports no tool module and no validator", async () => {
    const hostile = "throw new Error('ran')";
    const packages = [
      toolPackage("fx-a", ["a"], { files: { "index.js": hostile } }),
      {
        name: "fx-map",
        packageJson: { type: "module", aiwhisperer: { tools: { mapped: "./index.js#mapped" } } },
        files: { "index.js": hostile },
      },
      {
        name: "fx-module",
        packageJson: { type: "module", aiwhisperer: { tools: "./index.js" } },
        files: { "index.js": hostile },
      },
    ];
    await using project = await makeProject({ layout: "npm", packages });
    const script = await project.write(
      "list.mjs",
      `import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      const { discoverTools } = await import(${JSON.stringify(new URL("../node.ts", import.meta.url).href)});
      const registry = await discoverTools({ projectDir: ${JSON.stringify(project.dir)} });
      registry.getAllTools();
      console.log(JSON.stringify({ ids: registry.entries().map(({ id }) => id), loaded }));`,
    );
    const run = spawnSync(process.execPath, ["--conditions=aiw-source", "--no-warnings", script], {
      encoding: "utf8",
      cwd: fileURLToPath(new URL(".", import.meta.url)),
    });
    expect(run.stderr).toBe("");
    const { ids, loaded } = JSON.parse(run.stdout) as { ids: string[]; loaded: string[] };
    expect(ids).toEqual(["fx-a/a", "fx-map/mapped"]);
    expect(loaded.filter((url) => /fx-|ajv|re2js/.test(url))).toEqual([]);
    expect(loaded.some((url) => url.includes("discover-tools"))).toBe(true);
  });
});
