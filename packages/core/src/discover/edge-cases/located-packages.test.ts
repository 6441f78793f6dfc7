import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { chmod, chown, mkdir, readdir, rename, stat, symlink } from "node:fs/promises";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../register/discovery-report.ts";
import type { ToolRegistry } from "../../register/tool-registry.ts";
import { makeProject, manifestOf, toolModule, toolPackage, type MadeProject } from "../__fixtures__/make-project.ts";
import { discoverTools, type DiscoverToolsOptions, type DiscoveryWorld } from "../discover-tools.ts";
import { nodePorts, type DiscoveryFileSystem } from "../discovery-ports.ts";
import type { PnpApi, PnpPort } from "../locate/pnp-project.ts";

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

async function call(registry: ToolRegistry, name: string): Promise<string> {
  const { from } = (await registry.getTool(name).execute({}, {} as never)) as { from: string };
  return fileURLToPath(from);
}

/** Writes a whole tool package somewhere, beside what `makeProject` installed. */
async function writeTools(project: MadeProject, folder: string, name: string, version = "1.0.0"): Promise<void> {
  const tool = name.replaceAll(/\W+/gu, "_");
  const content = { name, version, type: "module", aiwhisperer: { tools: "./aiw-tools.json" } };
  await project.write(`${folder}/package.json`, JSON.stringify(content));
  await project.write(`${folder}/aiw-tools.json`, manifestOf(name, [tool], { version }));
  await project.write(`${folder}/index.js`, toolModule([tool]));
}

/** Records every path that discovery asks about. */
function recordPaths(): { readonly fs: DiscoveryFileSystem; readonly asked: Set<string> } {
  const asked = new Set<string>();
  const recorded = new Proxy(nodePorts.fs, {
    get(target, name: keyof DiscoveryFileSystem) {
      return (...args: unknown[]) => {
        if (typeof args[0] === "string") asked.add(args[0]);
        return (target[name] as (...given: unknown[]) => unknown)(...args);
      };
    },
  });
  return { fs: recorded, asked };
}

/** A resolver as Yarn's, over folders of the test. */
function pnpOver(dir: string, folders: Readonly<Record<string, string | null>>): PnpPort {
  const api: PnpApi = {
    resolveToUnqualified: (request, issuer, { considerBuiltins }) => {
      if (issuer !== path.join(dir, path.sep)) throw new Error(`unexpected issuer ${issuer}`);
      if (considerBuiltins && request === "events") return null;
      const folder = folders[request];
      if (folder === undefined) throw new Error("Your application tried to access it, but it is not declared.");
      return folder === null ? null : path.join(dir, folder, path.sep);
    },
    findPackageLocator: () => ({ name: "shop", reference: "workspace:." }),
    getPackageInformation: () => null,
  };
  return { find: (projectDir) => (projectDir === dir ? { api, issuer: path.join(dir, path.sep) } : undefined) };
}

describe.each(["npm", "pnpm"] as const)("discoverTools, edge cases of location under %s", (layout) => {
  it("row 1: a transitive tool package, hoisted, is never active; the inventory lists it", async () => {
    await using project = await makeProject({
      layout,
      packages: [
        toolPackage("fx-with-dep", ["with_dep"], {
          packageJson: {
            type: "module",
            dependencies: { "fx-transitive": "^1.0.0" },
            aiwhisperer: { tools: "./aiw-tools.json" },
          },
        }),
        toolPackage("fx-transitive", ["transitive"], { undeclared: true }),
      ],
    });
    expect(ids(await discover(project.dir))).toEqual(["fx-with-dep/with_dep"]);
    expect((await discover(project.dir)).report.notEnabled).toEqual([]);
    const registry = await discover(project.dir, { inventory: true });
    expect(ids(registry)).toEqual(["fx-with-dep/with_dep"]);
    expect(registry.report.notEnabled).toMatchObject([
      {
        code: "transitive_dependency",
        severity: "info",
        package: "fx-transitive",
        reason: expect.stringContaining("fx-with-dep 1.0.0 depends on it"),
        fix: expect.stringContaining("npm install fx-transitive"),
      },
    ]);
  });

  it("row 9: an alias is located by its key and shows both names", async () => {
    await using project = await makeProject({
      layout,
      packages: [toolPackage("fx-aliased", ["aliased"], { key: "events", range: "npm:fx-aliased@1" })],
    });
    const registry = await discover(project.dir);
    expect(ids(registry)).toEqual(["events/aliased"]);
    expect(registry.report.found[0]?.notes).toMatchObject([
      { code: "alias", package: "events", reason: expect.stringContaining('"fx-aliased"') },
    ]);
  });
});

describe("discoverTools, edge cases of location", () => {
  it("row 2: a run in a subdirectory climbs, and the chosen root is in the report", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-plain", ["plain"])] });
    await project.write("src/deep/down/x", "");
    await project.write("src/package.json", '{"type":"commonjs"}');
    const registry = await discover(path.join(project.dir, "src/deep/down"));
    expect(registry.report.project).toMatchObject({ dir: project.dir, name: "shop" });
    expect(ids(registry)).toEqual(["fx-plain/plain"]);
  });

  it("row 3: a workspace member climbs for files, not for the root's dependencies", async () => {
    await using root = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-plain", ["plain"]), toolPackage("fx-of-root", ["of_root"])],
      packageJson: { workspaces: ["packages/*"] },
    });
    await root.write("package-lock.json", "{}");
    await root.write("packages/a/package.json", JSON.stringify({ name: "a", dependencies: { "fx-plain": "1" } }));
    const member = path.join(root.dir, "packages/a");
    expect(ids(await discover(member))).toEqual(["fx-plain/plain"]);
    const { notEnabled } = (await discover(member, { inventory: true })).report;
    expect(notEnabled).toMatchObject([
      {
        code: "undeclared_dependency",
        package: "fx-of-root",
        reason: expect.stringContaining("shop 1.0.0 depends on it"),
      },
    ]);
  });

  it("row 4: under strict pnpm the search starts at the project, never at our own file", async () => {
    await using project = await makeProject({
      layout: "pnpm",
      packages: [toolPackage("fx-plain", ["plain"])],
      // What our own file could reach, and the project cannot.
      packageJson: { dependencies: { "fx-plain": "1", ajv: "8", semver: "7" } },
    });
    const registry = await discover(project.dir);
    expect(ids(registry)).toEqual(["fx-plain/plain"]);
    expect(codes(registry.report.missing)).toEqual(["ajv not_installed", "semver not_installed"]);
  });

  it("row 6: a package.json hidden by exports is read by path", async () => {
    const hidden = { type: "module", exports: { import: "./index.js" }, aiwhisperer: { tools: "./aiw-tools.json" } };
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-exports-only", ["hidden"], { packageJson: hidden })],
    });
    const registry = await discover(project.dir);
    expect(await call(registry, "hidden")).toBe(path.join(project.dir, "node_modules/fx-exports-only/index.js"));
  });

  it.each([
    ["no main", {}],
    ["sub-paths only", { exports: { "./sub": "./other.js" } }],
  ])("row 7: a package with %s is loaded by file URL", async (_what, entries) => {
    const packageJson = { type: "module", ...entries, aiwhisperer: { tools: "./aiw-tools.json" } };
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx", ["sub"], { packageJson })] });
    expect(await call(await discover(project.dir), "sub")).toBe(path.join(project.dir, "node_modules/fx/index.js"));
  });

  it("row 8: with a package.json nested in dist, the root is the located folder", async () => {
    const nested = '{"name":"impostor","type":"module","aiwhisperer":{"tools":"./nothing.json"}}';
    await using project = await makeProject({
      layout: "npm",
      packages: [
        toolPackage("fx-nested-dist", ["nested"], {
          files: {
            "dist/package.json": nested,
            "dist/index.js": toolModule(["nested"]),
            "aiw-tools.json": manifestOf("fx-nested-dist", ["nested"]).replace("./index.js", "./dist/index.js"),
          },
        }),
      ],
    });
    const registry = await discover(project.dir);
    expect(registry.report.rejected).toEqual([]);
    expect(registry.report.found).toMatchObject([{ dir: path.join(project.dir, "node_modules/fx-nested-dist") }]);
    expect(await call(registry, "nested")).toContain("dist/index.js");
  });

  it("row 10: one package under two keys is one record, the first key wins, and that is said", async () => {
    await using project = await makeProject({
      layout: "pnpm",
      packages: [toolPackage("fx-twice", ["twice"])],
      packageJson: { dependencies: { "fx-twice": "1", "a-first": "npm:fx-twice@1" } },
    });
    await symlink(".pnpm/fx-twice@1.0.0/node_modules/fx-twice", path.join(project.dir, "node_modules/a-first"));
    const registry = await discover(project.dir);
    expect(ids(registry)).toEqual(["a-first/twice"]);
    expect(registry.report.found).toHaveLength(1);
    expect(registry.report.found[0]?.notes.map(({ code }) => code)).toEqual(["alias", "alias"]);
  });

  it("row 11: of two versions the project's resolution wins, and the inventory says where the other is", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [
        toolPackage("fx-two", ["fx_two"], { version: "2.0.0" }),
        { name: "fx-user", packageJson: { dependencies: { "fx-two": "1" } } },
      ],
    });
    await writeTools(project, "node_modules/fx-user/node_modules/fx-two", "fx-two", "1.0.0");
    const { found, notEnabled } = (await discover(project.dir, { inventory: true })).report;
    expect(found).toMatchObject([
      { id: "fx-two", version: "2.0.0", notes: [{ code: "duplicate_version", severity: "info" }] },
    ]);
    const other = path.join(project.dir, "node_modules/fx-user/node_modules/fx-two");
    expect(found[0]?.notes[0]?.reason).toContain(`1.0.0 in ${other} (for fx-user)`);
    expect(notEnabled).toEqual([]);
    expect((await discover(project.dir)).report.found[0]?.notes).toEqual([]);
  });

  it("row 12: one version in two peer-hash folders is no finding", async () => {
    await using project = await makeProject({
      layout: "pnpm",
      packages: [
        toolPackage("fx-peer", ["peer"]),
        { name: "fx-user", packageJson: { dependencies: { "fx-peer": "1" } } },
      ],
    });
    const twin = "node_modules/.pnpm/fx-peer@1.0.0_other@2.0.0/node_modules/fx-peer";
    await writeTools(project, twin, "fx-peer");
    await symlink(
      path.join(project.dir, twin),
      path.join(project.dir, "node_modules/.pnpm/fx-user@1.0.0/node_modules/fx-peer"),
    );
    const { found, notEnabled, rejected } = (await discover(project.dir, { inventory: true })).report;
    expect(found).toMatchObject([{ id: "fx-peer", notes: [] }]);
    expect([...notEnabled, ...rejected]).toEqual([]);
  });

  it("row 13: a link or portal has its identity by real path and its messages by located path", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { dependencies: { "fx-linked": "link:./local", "fx-portal": "portal:./bad" } },
    });
    await writeTools(project, "local", "fx-linked");
    await project.write("bad/package.json", '{"name":"fx-portal","aiwhisperer":{"tools":"./absent.json"}}');
    await mkdir(path.join(project.dir, "node_modules"));
    await symlink("../local", path.join(project.dir, "node_modules/fx-linked"));
    await symlink("../bad", path.join(project.dir, "node_modules/fx-portal"));
    const registry = await discover(project.dir);
    const located = path.join(project.dir, "node_modules/fx-linked");
    expect(registry.report.found).toMatchObject([{ dir: located, realDir: path.join(project.dir, "local") }]);
    expect(registry.report.rejected).toMatchObject([
      { code: "manifest_missing", dir: path.join(project.dir, "node_modules/fx-portal") },
    ]);
  });

  it("row 13: a broken link is link_target_missing", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { dependencies: { "fx-broken": "link:../x" } },
    });
    await mkdir(path.join(project.dir, "node_modules"));
    await symlink("../nowhere", path.join(project.dir, "node_modules/fx-broken"));
    const { missing, rejected } = (await discover(project.dir)).report;
    expect(codes(missing)).toEqual(["fx-broken link_target_missing"]);
    expect(rejected).toEqual([]);
  });

  it("row 13: a link cycle is package_json_unreadable", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-neighbour", ["neighbour"])],
      packageJson: { dependencies: { "fx-neighbour": "1", "fx-a": "link:x", "fx-b": "link:x" } },
    });
    await symlink("fx-b", path.join(project.dir, "node_modules/fx-a"));
    await symlink("fx-a", path.join(project.dir, "node_modules/fx-b"));
    for (const inventory of [false, true]) {
      const registry = await discover(project.dir, { inventory });
      expect(codes(registry.report.rejected)).toEqual(["fx-a package_json_unreadable", "fx-b package_json_unreadable"]);
      expect(ids(registry)).toEqual(["fx-neighbour/neighbour"]);
    }
  });

  it("row 14: what is declared and not installed is named with the install command of the project's manager", async () => {
    await using project = await makeProject({ layout: "npm", packageJson: { dependencies: { "fx-absent": "1" } } });
    await project.write("pnpm-lock.yaml", "");
    expect((await discover(project.dir)).report.missing).toMatchObject([
      { code: "not_installed", package: "fx-absent", severity: "warning", fix: "pnpm install" },
    ]);
  });

  it("row 15: what is installed and undeclared is in the inventory", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-plain", ["plain"]), toolPackage("@fx/copied-in", ["copied"], { undeclared: true })],
    });
    await project.write("yarn.lock", "");
    const registry = await discover(project.dir, { inventory: true });
    expect(ids(registry)).toEqual(["fx-plain/plain"]);
    expect(registry.report.notEnabled).toMatchObject([
      {
        code: "undeclared_dependency",
        severity: "info",
        package: "@fx/copied-in",
        version: "1.0.0",
        dir: path.join(project.dir, "node_modules/@fx/copied-in"),
        fix: expect.stringMatching(/^yarn add @fx\/copied-in/u),
      },
    ]);
  });

  it("row 16: what is optional and absent on this platform is information", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { optionalDependencies: { "fx-optional": "1" }, dependencies: { "fx-optional": "1" } },
    });
    expect((await discover(project.dir)).report.missing).toMatchObject([
      { code: "optional_absent", package: "fx-optional", severity: "info" },
    ]);
  });

  it("row 17: a global host looks at the local project alone, and never scans global folders", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-local", ["local"])] });
    await using global = await makeProject({ layout: "npm", packages: [toolPackage("fx-global", ["global_one"])] });
    await writeTools(project, "node_modules/fx-local/node_modules/fx-inner", "fx-inner");
    const { fs: recorded, asked } = recordPaths();
    const environment = { NODE_PATH: path.join(global.dir, "node_modules"), PREFIX: global.dir };
    const registry = await discover(project.dir, { inventory: true }, { fs: recorded, environment });
    expect(ids(registry)).toEqual(["fx-local/local"]);
    const elsewhere = [global.dir, path.resolve(process.execPath, "../../lib")];
    expect([...asked].filter((file) => elsewhere.some((place) => file.startsWith(place)))).toEqual([]);
    expect(asked.size).toBeGreaterThan(0);
  });

  it("row 18: a host bundled elsewhere takes its root from the working directory, never from its own file", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-local", ["local"])] });
    await using host = await makeProject({ layout: "npm", packages: [toolPackage("fx-of-host", ["of_host"])] });
    const script = await host.write(
      "bundle.mjs",
      `const { discoverTools } = await import(${JSON.stringify(new URL("../../node.ts", import.meta.url).href)});
      const registry = await discoverTools();
      console.log(JSON.stringify({ dir: registry.report.project.dir, ids: registry.entries().map(({ id }) => id) }));`,
    );
    const run = spawnSync(process.execPath, ["--conditions=aiw-source", "--no-warnings", script], {
      encoding: "utf8",
      cwd: project.dir,
    });
    expect(run.stderr).toBe("");
    expect(JSON.parse(run.stdout)).toEqual({ dir: project.dir, ids: ["fx-local/local"] });
  });

  it("row 20: a read-only project of another user works, and nothing is written into it", async () => {
    await using project = await makeProject({ layout: "pnpm", packages: [toolPackage("fx-plain", ["plain"])] });
    const before = await readdir(project.dir, { recursive: true });
    const real = path.join(project.dir, "node_modules/.pnpm/fx-plain@1.0.0/node_modules/fx-plain");
    const places = [project.dir, path.join(project.dir, "node_modules"), real];
    for (const place of places) {
      if (process.getuid?.() === 0) await chown(place, 12_345, 12_345);
      await chmod(place, 0o555);
    }
    try {
      const registry = await discover(project.dir, { inventory: true });
      expect(ids(registry)).toEqual(["fx-plain/plain"]);
      expect(await call(registry, "plain")).toContain("fx-plain");
      expect(await readdir(project.dir, { recursive: true })).toEqual(before);
    } finally {
      for (const place of places) await chmod(place, 0o755);
    }
  });

  it("row 21: what an install is writing is read once more after 50 ms", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-late", ["late"])] });
    const file = path.join(project.dir, "node_modules/fx-late/package.json");
    await rename(file, `${file}.whole`);
    await project.write(file, '{"name":"fx-late","aiwhisperer":');
    const waits: number[] = [];
    const wait = async (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      await rename(`${file}.whole`, file);
    };
    const registry = await discover(project.dir, {}, { clock: { now: () => 0, wait } });
    expect(waits).toEqual([50]);
    expect(ids(registry)).toEqual(["fx-late/late"]);
  });

  it("row 21: what stays unparsable after one retry is a finding, and its neighbours work", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-half", ["half"]), toolPackage("fx-whole", ["whole"])],
    });
    await project.write("node_modules/fx-half/package.json", '{"name":"fx-half","aiwhisperer":');
    const waits: number[] = [];
    const wait = async (milliseconds: number): Promise<void> => void waits.push(milliseconds);
    const registry = await discover(project.dir, {}, { clock: { now: () => 0, wait } });
    expect(waits).toEqual([50]);
    expect(codes(registry.report.rejected)).toEqual(["fx-half package_json_invalid"]);
    expect(ids(registry)).toEqual(["fx-whole/whole"]);
  });
});

describe("discoverTools under Plug'n'Play", () => {
  it("row 5: packages are where the resolver says, called like built-in modules too, and imported from there", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: {
        dependencies: { "fx-plain": "1", events: "npm:fx-aliased@1", "fx-absent": "1", "fx-null": "1" },
        optionalDependencies: { "fx-optional": "1" },
      },
    });
    await project.write(".pnp.cjs", "throw new Error('ran')");
    await writeTools(project, "cache/fx-plain.zip/node_modules/fx-plain", "fx-plain");
    await writeTools(project, "cache/events.zip/node_modules/events", "fx-aliased");
    const pnp = pnpOver(project.dir, {
      "fx-plain": ".yarn/__virtual__/fx-plain-virtual-1/0/cache/fx-plain.zip/node_modules/fx-plain",
      events: "cache/events.zip/node_modules/events",
      "fx-optional": ".yarn/unplugged/fx-optional/node_modules/fx-optional",
      "fx-null": null,
    });
    const virtual = path.join(project.dir, ".yarn/__virtual__/fx-plain-virtual-1/0/cache/fx-plain.zip/node_modules");
    await mkdir(virtual, { recursive: true });
    await writeTools(project, path.join(virtual, "fx-plain"), "fx-plain");
    const registry = await discover(project.dir, {}, { pnp });
    expect(ids(registry)).toEqual(["events/fx_aliased", "fx-plain/fx_plain"]);
    expect(registry.report.project).toMatchObject({ mode: "pnp", dependencies: 2 });
    expect(await call(registry, "fx_plain")).toBe(path.join(virtual, "fx-plain/index.js"));
    expect(codes(registry.report.missing)).toEqual([
      "fx-absent not_installed",
      "fx-null not_installed",
      "fx-optional optional_absent",
    ]);
  });

  it("row 5: a link that leaves the located folder is refused there too", async () => {
    await using project = await makeProject({ layout: "npm", packageJson: { dependencies: { "fx-escape": "1" } } });
    await writeTools(project, "cache/fx-escape", "fx-escape");
    await project.remove("cache/fx-escape/aiw-tools.json");
    await project.write("outside.json", manifestOf("fx-escape", ["out"]));
    await symlink("../../outside.json", path.join(project.dir, "cache/fx-escape/aiw-tools.json"));
    const pnp = pnpOver(project.dir, { "fx-escape": "cache/fx-escape" });
    expect(codes((await discover(project.dir, {}, { pnp })).report.rejected)).toEqual([
      "fx-escape path_escapes_package",
    ]);
  });

  it.each([
    ["package.json", {}, "Run with: yarn node"],
    ["pnpm-lock.yaml", {}, "Run with: node --require"],
    ["yarn.lock", { packageManager: "yarn@4.18.1" }, "Run with: yarn node"],
  ])("row 5: .pnp.cjs without its hook, beside %s, is pnp_not_active", async (file, packageJson, fix) => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { dependencies: { "fx-plain": "1" }, ...packageJson },
    });
    await project.write(".pnp.cjs", "throw new Error('ran')");
    if (file !== "package.json") await project.write(file, "");
    await expect(discover(project.dir)).rejects.toThrow(
      expect.objectContaining({ code: "pnp_not_active", fix: expect.stringContaining(fix) }),
    );
  });

  it("row 5: a member of a Plug'n'Play workspace is told so, though a folder above happens to have something", async () => {
    await using outer = await makeProject({
      layout: "npm",
      packages: [{ name: "ordinary" }],
      directory: "outer",
    });
    await outer.write("repo/.pnp.cjs", "");
    await outer.write("repo/yarn.lock", "");
    const dependencies = { "fx-plain": "1", ordinary: "1" };
    await outer.write("repo/packages/a/package.json", JSON.stringify({ name: "a", dependencies }));
    await expect(discover(path.join(outer.dir, "repo/packages/a"))).rejects.toThrow(
      expect.objectContaining({ code: "pnp_not_active" }),
    );
  });

  it("row 5: a left-over .pnp.cjs beside installed folders changes nothing", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-plain", ["plain"])],
      packageJson: { dependencies: { "fx-plain": "1", "fx-absent": "1" } },
    });
    await project.write(".pnp.cjs", "throw new Error('ran')");
    const registry = await discover(project.dir);
    expect(ids(registry)).toEqual(["fx-plain/plain"]);
    expect(codes(registry.report.missing)).toEqual(["fx-absent not_installed"]);
    expect(registry.report.project.mode).toBe("node_modules");
  });

  it("row 5: a project with a lock file of its own is not governed by a .pnp.cjs above it", async () => {
    await using outer = await makeProject({ layout: "npm" });
    await outer.write(".pnp.cjs", "");
    await outer.write("inner/package.json", '{"name":"inner","dependencies":{"fx-plain":"1"}}');
    await outer.write("inner/package-lock.json", "{}");
    const { missing } = (await discover(path.join(outer.dir, "inner"))).report;
    expect(missing).toMatchObject([{ code: "not_installed", fix: "npm install" }]);
  });
});

describe("a located file that is no regular file", () => {
  it.runIf(process.platform === "linux")("cannot hang discovery or inventory when it is a pipe", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-plain", ["plain"])] });
    await mkdir(path.join(project.dir, "node_modules/fx-pipe"));
    const pipe = path.join(project.dir, "node_modules/fx-pipe/package.json");
    expect(spawnSync("mkfifo", [pipe]).status).toBe(0);
    expect((await stat(pipe)).isFIFO()).toBe(true);
    await project.write(
      "package.json",
      JSON.stringify({ name: "shop", dependencies: { "fx-plain": "1", "fx-pipe": "1" } }),
    );
    const registry = await discover(project.dir, { inventory: true });
    expect(ids(registry)).toEqual(["fx-plain/plain"]);
    expect(codes(registry.report.rejected)).toEqual(["fx-pipe package_json_invalid"]);
    expect(fs.existsSync(pipe)).toBe(true);
  });
});
