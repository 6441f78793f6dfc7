import * as fs from "node:fs";
import { chmod, cp, mkdir, symlink, utimes } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { DiscoveryReport } from "../../register/discovery-report.ts";
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
import { discoverTools, type DiscoverToolsOptions, type DiscoveryWorld } from "../discover-tools.ts";
import { nodePorts, type DiscoveryFileSystem } from "../discovery-ports.ts";

const CACHE = "node_modules/.cache/aiw/discovery.json";
const STATE = "node_modules/.package-lock.json";

const PACKAGES: readonly FixturePackage[] = [
  ...Array.from({ length: 5 }, (_, index) => ({ name: `ordinary-${index}` })),
  toolPackage("fx-a", ["a"]),
  toolPackage("@fx/b", ["b"]),
  toolPackage("fx-stale", ["s"], { packageJson: { version: "9.0.0" } }),
  {
    name: "fx-map",
    packageJson: { type: "module", aiwhisperer: { tools: { m: "./index.js#m" } } },
    files: { "index.js": toolModule(["m"]) },
  },
  { name: "fx-null", packageJson: { aiwhisperer: null } },
  { name: "fx-no-manifest", packageJson: { aiwhisperer: { tools: "./none.json" } } },
  { name: "fx-bad", packageJson: '{"name":"fx-bad","aiwhisperer":' },
];

async function make(layout: "npm" | "pnpm" = "npm"): Promise<MadeProject> {
  const project = await makeProject({ layout, packages: PACKAGES });
  const declared = JSON.parse(fs.readFileSync(path.join(project.dir, "package.json"), "utf8")) as {
    dependencies: object;
  };
  const dependencies = { ...declared.dependencies, "fx-missing": "1" };
  await project.write("package.json", JSON.stringify({ name: "shop", dependencies }));
  await project.write(layout === "npm" ? STATE : "node_modules/.modules.yaml", "{}");
  return project;
}

interface Counted {
  readonly opened: string[];
  readonly port: DiscoveryFileSystem;
}

function count(): Counted {
  const opened: string[] = [];
  const openSync: DiscoveryFileSystem["openSync"] = (file, ...how) => {
    if (!/aiw\.(?:config\.json|lock)$/.test(String(file))) opened.push(String(file));
    return fs.openSync(file, ...how);
  };
  return { opened, port: { ...nodePorts.fs, openSync } };
}

interface Discovered {
  readonly registry: ToolRegistry;
  readonly report: DiscoveryReport;
  /** Relative to the project. */
  readonly opened: readonly string[];
}

async function discover(
  { dir }: { readonly dir: string },
  options: DiscoverToolsOptions = {},
  world: Partial<DiscoveryWorld> = {},
): Promise<Discovered> {
  const { opened, port } = count();
  const clock = { now: () => 0, wait: async () => undefined };
  const registry = await discoverTools(
    { projectDir: dir, cache: true, ...options },
    { environment: {}, fs: port, clock, ...world },
  );
  const { ms: _ms, ...report } = registry.report;
  return { registry, report: report as DiscoveryReport, opened: opened.map((file) => path.relative(dir, file)) };
}

/** Half a file is read again each time, in case an install was at work. */
const HIT = ["package.json", CACHE, "node_modules/fx-bad/package.json", "node_modules/fx-bad/package.json"];

function read(project: MadeProject): Record<string, unknown> {
  return JSON.parse(fs.readFileSync(path.join(project.dir, CACHE), "utf8")) as Record<string, unknown>;
}

describe.each(["npm", "pnpm"] as const)("findCachedPackages under %s", (layout) => {
  it("gives the same report without opening a package", async () => {
    await using project = await make(layout);
    const plain = await discover(project, { cache: false });
    expect(fs.existsSync(path.join(project.dir, CACHE))).toBe(false);
    const miss = await discover(project);
    const hit = await discover(project);
    expect(hit.opened).toEqual(HIT);
    expect(miss.report).toEqual(plain.report);
    expect(hit.report).toEqual(plain.report);
    expect(hit.report.rejected.map(({ code }) => code)).toEqual([
      "package_json_invalid",
      "manifest_missing",
      "declaration_invalid",
    ]);
    expect(hit.registry.specs()).toEqual(plain.registry.specs());
    expect(Object.isFrozen(hit.registry.getTool("a").spec.inputSchema)).toBe(true);
    await hit.registry.load();
    for (const tool of hit.registry.getAllTools())
      expect(await tool.execute({}, {} as never)).toMatchObject({ from: expect.stringMatching(/^file:/) });
  });
});

describe("findCachedPackages", () => {
  it.each<[string, (project: MadeProject) => Promise<unknown>]>([
    [
      "the root package.json is written",
      (one) => one.write("package.json", '{"name":"shop","dependencies":{"fx-a":"1"}}'),
    ],
    [
      "the root package.json is as large as before, at another time",
      (one) => utimes(path.join(one.dir, "package.json"), 1, 1),
    ],
    ["the state file is written", (one) => one.write(STATE, "{ }")],
    [
      "the state file is replaced by its copy",
      async (one) => {
        const state = path.join(one.dir, STATE);
        await cp(state, `${state}.copy`, { preserveTimestamps: true });
        fs.renameSync(`${state}.copy`, state);
      },
    ],
    [
      "the state file is a second younger, which a 32-bit float does not tell",
      async (one) => {
        const state = path.join(one.dir, STATE);
        const { mtimeNs } = fs.statSync(state, { bigint: true });
        await utimes(state, Number(mtimeNs / 1_000_000_000n), Number(mtimeNs / 1_000_000_000n) + 1);
      },
    ],
    ["a second manager leaves its state", (one) => one.write("node_modules/.yarn-state.yml", "")],
  ])("is not used after %s", async (_what, change) => {
    await using project = await make();
    await discover(project);
    await change(project);
    expect((await discover(project)).opened).toContain("node_modules/fx-a/package.json");
    expect((await discover(project)).opened).not.toContain("node_modules/fx-a/package.json");
  });

  it.each<[string, DiscoverToolsOptions, Readonly<Record<string, string>>]>([
    ["another configuration", { config: { tools: { prefer: { a: "fx-a" } } } }, {}],
    ["production", { production: true }, {}],
    ["another setting of the environment", {}, { AIWHISPERER_PLUGINS: "fx-a" }],
  ])("is not used under %s", async (_what, options, environment) => {
    await using project = await make();
    await discover(project);
    expect((await discover(project, options, { environment })).opened).toContain("node_modules/fx-a/package.json");
    expect((await discover(project, options, { environment: { ...environment, HOME: "/x" } })).opened).not.toContain(
      "node_modules/fx-a/package.json",
    );
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["another kind", "[]"],
    ["null", "null"],
  ])("ignores and replaces a file that is %s", async (_what, text) => {
    await using project = await make();
    const { report } = await discover(project);
    await project.write(CACHE, text);
    expect((await discover(project)).report).toEqual(report);
    expect((await discover(project)).opened).toEqual(HIT);
  });

  it.each<[string, (content: Record<string, unknown>) => Record<string, unknown>]>([
    ["another schema", (content) => ({ ...content, schema: 2 })],
    ["another key", (content) => ({ ...content, key: "x" })],
    ["texts that are none", (content) => ({ ...content, texts: [["a", 1]] })],
    ["members missing", ({ schema, key }) => ({ schema, key })],
    ["triples for pairs", (content) => ({ ...content, real: [["a", "b", "c"]] })],
  ])("ignores and replaces a file with %s", async (_what, change) => {
    await using project = await make();
    const { report } = await discover(project);
    await project.write(CACHE, JSON.stringify(change(read(project))));
    const again = await discover(project);
    expect(again.report).toEqual(report);
    expect(again.opened).toContain("node_modules/fx-a/package.json");
    expect((await discover(project)).opened).toEqual(HIT);
  });

  it("ignores every truncation of itself", async () => {
    await using project = await make();
    const { report } = await discover(project);
    const whole = fs.readFileSync(path.join(project.dir, CACHE), "utf8");
    for (const length of [1, 2, whole.length >> 1, whole.length - 1]) {
      await project.write(CACHE, whole.slice(0, length));
      expect((await discover(project)).report).toEqual(report);
    }
  });

  it("is not made where no package manager says when packages changed, nor for an inventory", async () => {
    await using project = await make();
    await discover(project, { inventory: true });
    expect(fs.existsSync(path.join(project.dir, CACHE))).toBe(false);
    await project.remove(STATE);
    await discover(project);
    expect(fs.existsSync(path.join(project.dir, CACHE))).toBe(false);
  });

  it("is asked for by configuration too, and code may decline", async () => {
    await using project = await make();
    const config = { discovery: { cache: true } };
    await discoverTools({ projectDir: project.dir, config, cache: false }, { environment: {} });
    expect(fs.existsSync(path.join(project.dir, CACHE))).toBe(false);
    await discoverTools({ projectDir: project.dir, config }, { environment: {} });
    expect(fs.existsSync(path.join(project.dir, CACHE))).toBe(true);
  });

  it("reads linked packages and the project's own tools each time", async () => {
    await using elsewhere = await makeProject({ layout: "npm", packages: [] });
    await using project = await make();
    const content = { name: "fx-link", version: "1.0.0", type: "module", aiwhisperer: { tools: "./out/tools.json" } };
    await elsewhere.write("lib/package.json", JSON.stringify(content));
    await elsewhere.write("lib/out/tools.json", manifestOf("fx-link", ["one"]));
    await symlink(path.join(elsewhere.dir, "lib"), path.join(project.dir, "node_modules/fx-link"));
    await symlink(path.join(elsewhere.dir, "later"), path.join(project.dir, "node_modules/fx-later"));
    const dependencies = { "fx-a": "1", "fx-later": "1", "fx-link": "1" };
    await project.write(
      "package.json",
      JSON.stringify({ name: "shop", dependencies, aiwhisperer: { tools: "./own.json" } }),
    );
    await project.write("own.json", manifestOf("shop", ["own"]));
    await discover(project);
    await elsewhere.write("lib/out/tools.json", manifestOf("fx-link", ["one", "two"]));
    await project.write("own.json", manifestOf("shop", ["mine", "own"]));
    await elsewhere.write(
      "later/package.json",
      JSON.stringify({ ...content, name: "fx-later", aiwhisperer: { tools: "./t.json" } }),
    );
    await elsewhere.write("later/t.json", manifestOf("fx-later", ["late"]));
    const { registry, opened } = await discover(project);
    expect(registry.specs().map(({ name }) => name)).toEqual(["a", "late", "mine", "one", "own", "two"]);
    expect(opened).not.toContain("node_modules/fx-a/package.json");
  });

  it("serves a workspace member whose packages are above it", async () => {
    await using root = await make();
    await root.write("packages/x/package.json", '{"name":"x","dependencies":{"fx-a":"1","ordinary-0":"1"}}');
    const member = { dir: path.join(root.dir, "packages/x") };
    const miss = await discover(member);
    expect(miss.report.found.map(({ id }) => id)).toEqual(["fx-a"]);
    const hit = await discover(member);
    expect(hit.report).toEqual(miss.report);
    expect(hit.opened).toEqual(["package.json", CACHE]);
    await root.write(STATE, "{ }");
    expect((await discover(member)).opened).toContain(path.join("../..", "node_modules/fx-a/package.json"));
  });

  it("lies beside Yarn's own files under Plug'n'Play", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["a"])] });
    await project.write(".pnp.cjs", "");
    await discover(project);
    expect(fs.readdirSync(path.join(project.dir, ".yarn/aiw"))).toMatchObject([
      expect.stringMatching(/^discovery-\w{16}\.json$/),
    ]);
    expect((await discover(project)).opened).not.toContain("node_modules/fx-a/package.json");
  });

  it("holds neither configuration nor environment", async () => {
    await using project = await make();
    const config = { plugins: { "fx-a": { token: "s3cret-config" } } };
    await discover(project, { config }, { environment: { AIWHISPERER_TOKEN: "s3cret-environment" } });
    expect(fs.readFileSync(path.join(project.dir, CACHE), "utf8")).not.toContain("s3cret");
  });

  it("leaves one whole file when two write at once, and no temporary one", async () => {
    await using project = await make();
    const both = await Promise.all([discover(project), discover(project), discover(project)]);
    expect(new Set(both.map(({ report }) => JSON.stringify(report))).size).toBe(1);
    expect(fs.readdirSync(path.join(project.dir, path.dirname(CACHE)))).toEqual(["discovery.json"]);
    expect((await discover(project)).opened).toEqual(HIT);
  });

  it("is not written after an install changed what was read", async () => {
    await using project = await make();
    const readSync = ((...args: Parameters<typeof fs.readSync>) => {
      fs.writeFileSync(path.join(project.dir, STATE), `{"now":${fs.statSync(path.join(project.dir, STATE)).size}}`);
      return fs.readSync(...args);
    }) as DiscoveryFileSystem["readSync"];
    await discover(project, {}, { fs: { ...nodePorts.fs, readSync } });
    expect(fs.existsSync(path.join(project.dir, CACHE))).toBe(false);
  });

  describe("on a disk that refuses", () => {
    const refuse = (code: string) => (): never => {
      throw Object.assign(new Error(code), { code });
    };

    it.each(["mkdirSync", "writeFileSync", "renameSync"] as const)(
      "row 20: another uid, read-only disk: works, no cache (%s)",
      async (call) => {
        await using project = await make();
        const disk = {
          mkdirSync: fs.mkdirSync,
          writeFileSync: fs.writeFileSync,
          renameSync: fs.renameSync,
          rmSync: fs.rmSync,
        };
        const rmSync = vi.fn(fs.rmSync);
        const { report } = await discover(project, {}, { cacheDisk: { ...disk, rmSync, [call]: refuse("EROFS") } });
        expect(report).toEqual((await discover(project, { cache: false })).report);
        expect(rmSync).toHaveBeenCalledTimes(1);
        expect(fs.readdirSync(path.join(project.dir, "node_modules")).includes(".cache")).toBe(call !== "mkdirSync");
        if (call !== "mkdirSync") expect(fs.readdirSync(path.join(project.dir, path.dirname(CACHE)))).toEqual([]);
      },
    );

    it("works when not even cleaning up does, and when a folder stands in the cache's place", async () => {
      await using project = await make();
      const no = refuse("EROFS");
      const cacheDisk = { mkdirSync: no, writeFileSync: no, renameSync: no, rmSync: no };
      const { report } = await discover(project, {}, { cacheDisk });
      await mkdir(path.join(project.dir, CACHE), { recursive: true });
      expect((await discover(project)).report).toEqual(report);
      await chmod(path.join(project.dir, CACHE), 0);
      expect((await discover(project)).report).toEqual(report);
    });
  });

  describe("that was forged", () => {
    async function forge(
      change: (content: {
        ordinary: string[];
        texts: [string, string][];
        absent: string[];
        real: [string, string][];
      }) => void,
    ): Promise<{
      project: MadeProject;
      discovered: Discovered;
    }> {
      const project = await make();
      await discover(project);
      const content = read(project);
      change(content as never);
      await project.write(CACHE, JSON.stringify(content));
      return { project, discovered: await discover(project) };
    }

    const rewrite = (texts: [string, string][], end: string, text: string): void => {
      for (const pair of texts) if (pair[0].endsWith(end)) pair[1] = text;
    };

    it.each([
      [
        "a manifest outside",
        "fx-a/package.json",
        JSON.stringify({ name: "fx-a", version: "1.0.0", aiwhisperer: { tools: "../../own.json" } }),
        "path_escapes_package",
      ],
      [
        "a module outside",
        "fx-a/aiw-tools.json",
        manifestOf("fx-a", ["a"]).replace("./index.js", "../evil.js"),
        "path_escapes_package",
      ],
      [
        "an illegal name",
        "fx-a/aiw-tools.json",
        manifestOf("fx-a", ["a"]).replace('"name":"a"', '"name":"a b"'),
        "tool_name_invalid",
      ],
      [
        "a wrong schema",
        "fx-a/aiw-tools.json",
        manifestOf("fx-a", ["a"], {
          tools: [{ module: "./index.js", export: "a", spec: specOf("a", { inputSchema: 5 }) }],
        }),
        "tool_definition_invalid",
      ],
    ])("is refused as a forged manifest is: %s", async (_what, end, text, code) => {
      const { project, discovered } = await forge(({ texts }) => rewrite(texts, end, text));
      await using _project = project;
      expect(discovered.registry.has("a")).toBe(false);
      expect(discovered.report.rejected.map((one) => one.code)).toContain(code);
    });

    it("moves no package: a place that is no package's folder is not believed", async () => {
      for (const place of [
        "/",
        "/etc",
        "../..",
        "/x/node_modules",
        "/x/node_modules/.cache",
        "/x/node_modules/y/../../..",
      ]) {
        const { project, discovered } = await forge(({ real }) => {
          for (const pair of real) pair[1] = place;
        });
        await using _project = project;
        const fx = discovered.report.found.find(({ id }) => id === "fx-a");
        expect(fx?.realDir).toBe(path.join(project.dir, "node_modules/fx-a"));
      }
    });

    it("says nothing of the project's own files, nor of paths outside packages", async () => {
      const { project, discovered } = await forge(({ texts, ordinary, absent }) => {
        const [file = ""] = texts.find(([one]) => one.endsWith("fx-a/package.json")) ?? [];
        texts.push([path.resolve(file, "../../../package.json"), "{"]);
        ordinary.push("/etc/passwd");
        absent.push("/");
      });
      await using _project = project;
      expect(discovered.registry.has("a")).toBe(true);
      await project.write("package.json", '{"name":"shop","dependencies":{}}');
      expect((await discover(project)).registry.has("a")).toBe(false);
    });
  });
});
