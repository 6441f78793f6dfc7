import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import type { AiwConfig } from "../config/aiw-config.ts";
import type { Finding } from "../register/discovery-report.ts";
import type { ToolRegistry } from "../register/tool-registry.ts";
import {
  toolModule,
  makeProject,
  manifestOf,
  specOf,
  toolPackage,
  type FixturePackage,
  type FixtureProject,
  type MadeProject,
} from "./__fixtures__/make-project.ts";
import { nodePorts } from "./discovery-ports.ts";
import { discoverTools, type DiscoverToolsOptions, type DiscoveryWorld } from "./discover-tools.ts";

type Options = DiscoverToolsOptions & { readonly world?: Partial<DiscoveryWorld> };

async function discover(dir: string, { world = {}, ...options }: Options = {}): Promise<ToolRegistry> {
  return await discoverTools({ projectDir: dir, ...options }, { environment: {}, ...world });
}

function ids(registry: ToolRegistry): string[] {
  return registry.entries().map(({ id }) => id);
}

function codes(findings: readonly Finding[]): string[] {
  return findings.map(({ code, package: packageKey, tool }) => [packageKey, tool, code].filter(Boolean).join(" "));
}

async function only(
  one: FixturePackage,
  options: Partial<FixtureProject> = {},
): Promise<{ project: MadeProject; registry: ToolRegistry; rejected: readonly Finding[] }> {
  const project = await makeProject({
    layout: "npm",
    packages: [one, toolPackage("fx-neighbour", ["neighbour"])],
    ...options,
  });
  const registry = await discover(project.dir);
  expect(registry.has("neighbour")).toBe(true);
  return { project, registry, rejected: registry.report.rejected };
}

const MATRIX: FixturePackage[] = [
  toolPackage("fx-plain", ["plain"]),
  toolPackage("fx-exports-only", ["hidden"], {
    packageJson: { type: "module", exports: { import: "./index.js" }, aiwhisperer: { tools: "./aiw-tools.json" } },
  }),
  toolPackage("fx-subpath-only", ["sub"], {
    packageJson: { type: "module", exports: { "./sub": "./index.js" }, aiwhisperer: { tools: "./aiw-tools.json" } },
  }),
  toolPackage("@fx/scoped", ["scoped"]),
  toolPackage("fx-nested-dist", ["nested"], { files: { "dist/package.json": '{"type":"commonjs"}' } }),
  toolPackage("fx-aliased", ["aliased"], { key: "events", range: "npm:fx-aliased@1" }),
  toolPackage("fx-transitive", ["transitive"], { undeclared: true }),
  { name: "fx-ordinary" },
];

describe.each(["npm", "pnpm"] as const)("discoverTools under %s", (layout) => {
  it("finds what the project depends on, calls every tool, and leaves transitive packages alone", async () => {
    await using project = await makeProject({ layout, packages: MATRIX });
    const registry = await discover(project.dir);
    expect(ids(registry)).toEqual([
      "events/aliased",
      "fx-exports-only/hidden",
      "fx-nested-dist/nested",
      "fx-plain/plain",
      "@fx/scoped/scoped",
      "fx-subpath-only/sub",
    ]);
    for (const tool of registry.getAllTools()) {
      expect(await tool.execute({}, {} as never)).toMatchObject({ from: expect.stringMatching(/^file:/) });
    }
    expect(registry.report.rejected).toEqual([]);
    expect(registry.report.project).toMatchObject({
      dir: project.dir,
      name: "shop",
      mode: "node_modules",
      dependencies: 7,
    });
  });

  it("gives the byte-same report again", async () => {
    await using project = await makeProject({ layout, packages: MATRIX });
    const clock = { now: () => 0, wait: async () => undefined };
    const reports = [
      await discover(project.dir, { world: { clock } }),
      await discover(project.dir, { world: { clock } }),
    ].map(({ report }) => JSON.stringify({ ...report, ms: 0 }));
    expect(reports[0]).toBe(reports[1]);
    expect(JSON.parse(reports[0] ?? "")).toMatchObject({
      found: [{ id: "@fx/scoped" }, { id: "events", tools: ["aliased"] }, {}, {}, {}, {}],
    });
  });
});

it("gives the byte-same ids under npm and pnpm", async () => {
  const lists: string[] = [];
  for (const layout of ["npm", "pnpm"] as const) {
    await using project = await makeProject({ layout, packages: MATRIX });
    lists.push(JSON.stringify(ids(await discover(project.dir))));
  }
  expect(lists[0]).toBe(lists[1]);
});

describe("an option nobody knows", () => {
  it("is refused: what it was meant to protect would not hold", async () => {
    await using project = await makeProject({ layout: "npm", packages: [] });
    const options = { projectDir: project.dir, freeze: true };
    await expect(discoverTools(options)).rejects.toMatchObject({
      code: "config_invalid",
      message: 'Discovery has no option "freeze".',
    });
  });
});

describe("the project", () => {
  it("is the nearest one above a subdirectory", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-plain", ["plain"])] });
    await project.write("src/deep/package.json", '{"type":"module"}');
    const registry = await discover(path.join(project.dir, "src/deep"));
    expect(registry.report.project.dir).toBe(project.dir);
    expect(ids(registry)).toEqual(["fx-plain/plain"]);
  });

  it("is a workspace member: files are found above, the root's own dependencies are not inherited", async () => {
    await using root = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-plain", ["plain"]), toolPackage("fx-root", ["rooted"])],
      packageJson: { workspaces: ["packages/*"] },
    });
    await root.write("packages/a/package.json", JSON.stringify({ name: "a", dependencies: { "fx-plain": "1" } }));
    expect(ids(await discover(path.join(root.dir, "packages/a")))).toEqual(["fx-plain/plain"]);
  });

  it("is the same through a link, hoisted dependencies too", async () => {
    await using root = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-plain", ["plain"])],
      packageJson: { workspaces: ["packages/*"] },
    });
    await using elsewhere = await makeProject({ layout: "npm" });
    await root.write("packages/a/package.json", JSON.stringify({ name: "a", dependencies: { "fx-plain": "1" } }));
    await root.write("packages/a/src/x", "");
    await symlink(path.join(root.dir, "packages/a"), path.join(elsewhere.dir, "link"));
    expect(ids(await discover(path.join(elsewhere.dir, "link")))).toEqual(["fx-plain/plain"]);
  });

  it("need not exist: that is said, with a fix", async () => {
    const registry = await discover("/");
    expect(registry.report.project).toMatchObject({ dir: "/", mode: "none" });
    expect(registry.report.missing).toMatchObject([
      { code: "project_not_found", fix: expect.stringContaining("npm init") },
    ]);
  });

  it("is never the one above a folder that does not exist", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-plain", ["plain"])] });
    const registry = await discover(path.join(project.dir, "typo"));
    expect(registry.report.missing).toMatchObject([{ code: "project_not_found" }]);
  });

  it.each([
    ["no JSON", '{\n  "name": "x",,\n}', "line 2, column 15"],
    ["a list", '["name"]', "must be a JSON object"],
    ["dependencies that are a list", '{"name":"x","dependencies":["a"]}', "/dependencies must be an object"],
    ["too large", `{"name":"${"x".repeat(1024 * 1024)}"}`, "larger than"],
  ])("is refused when its package.json is %s", async (_what, text, message) => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("package.json", text);
    const error = expect.objectContaining({
      code: "project_manifest_invalid",
      message: expect.stringContaining(message),
    });
    await expect(discover(project.dir)).rejects.toThrow(error);
  });

  it("may begin with a byte order mark", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-plain", ["plain"])] });
    await project.write("package.json", '\uFEFF{"name":"x","dependencies":{"fx-plain":"1"}}');
    expect(ids(await discover(project.dir))).toEqual(["fx-plain/plain"]);
  });

  it("offers its own tools from a static manifest", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { type: "module", aiwhisperer: { tools: "./aiw-tools.json" } },
    });
    await project.write("aiw-tools.json", manifestOf("shop", ["own"]));
    await project.write("index.js", "export const own = () => 'mine';");
    const registry = await discover(project.dir);
    expect(ids(registry)).toEqual(["shop/own"]);
    expect(await registry.getTool("own").execute({}, {} as never)).toBe("mine");
  });

  it("never runs its own code to list its tools before somebody has trusted it", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { aiwhisperer: { tools: { own: "./index.js#own" } } },
    });
    await project.write("index.js", "throw new Error('ran')");
    const registry = await discover(project.dir);
    await registry.load();
    expect(ids(registry)).toEqual([]);
    expect(registry.report.notEnabled).toMatchObject([
      { code: "trust_required", package: "shop", fix: expect.stringContaining("aiw trust") },
    ]);
  });

  it("uses Plug'n'Play: that is said when its loader is not active", async () => {
    await using project = await makeProject({ layout: "npm", packageJson: { dependencies: { "fx-plain": "1" } } });
    await project.write(".pnp.cjs", "");
    await expect(discover(project.dir)).rejects.toThrow(
      expect.objectContaining({ code: "pnp_not_active", fix: "Run with: yarn node" }),
    );
  });

  it("leaves development dependencies out in production", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-plain", ["plain"])],
      packageJson: { dependencies: {}, devDependencies: { "fx-plain": "1" } },
    });
    expect(ids(await discover(project.dir))).toEqual(["fx-plain/plain"]);
    expect(ids(await discover(project.dir, { production: true }))).toEqual([]);
    expect(ids(await discover(project.dir, { world: { environment: { NODE_ENV: "production" } } }))).toEqual([]);
  });

  it("cannot steer a path by a dependency's name", async () => {
    const dependencies = { "../evil": "1", "fx-plain": "1", "a/b/c": "1", ".bin": "1" };
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-plain", ["plain"])],
      packageJson: { dependencies },
    });
    await project.write("evil/package.json", '{"name":"evil","aiwhisperer":{}}');
    const { report } = await discover(project.dir);
    expect(codes(report.rejected)).toEqual([
      '"../evil" dependency_name_invalid',
      '".bin" dependency_name_invalid',
      '"a/b/c" dependency_name_invalid',
    ]);
  });
});

describe("a dependency that is not there", () => {
  it.each([
    ["npm", {}, undefined, "npm install"],
    ["pnpm", {}, "pnpm-lock.yaml", "pnpm install"],
    ["yarn", {}, "yarn.lock", "yarn install"],
    ["bun", {}, "bun.lock", "bun install"],
    ["the declared manager", { packageManager: "pnpm@12.0.0" }, "yarn.lock", "pnpm install"],
  ])("is named with the install command of %s", async (_manager, packageJson, lockFile, fix) => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { dependencies: { absent: "1" }, ...packageJson },
    });
    if (lockFile !== undefined) await project.write(lockFile, "");
    const { report } = await discover(project.dir);
    expect(report.missing).toMatchObject([{ code: "not_installed", package: "absent", severity: "warning", fix }]);
  });

  it("is information when it is optional", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { dependencies: { absent: "1" }, optionalDependencies: { absent: "1" } },
    });
    expect((await discover(project.dir)).report.missing).toMatchObject([{ code: "optional_absent", severity: "info" }]);
  });

  it("is a broken link, a link to itself, or a folder without package.json", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { dependencies: { broken: "link:../x", cycle: "1", empty: "1" } },
    });
    await mkdir(path.join(project.dir, "node_modules/empty"), { recursive: true });
    await symlink("../nowhere", path.join(project.dir, "node_modules/broken"));
    await symlink("cycle", path.join(project.dir, "node_modules/cycle"));
    const { report } = await discover(project.dir);
    expect(codes(report.missing)).toEqual(["broken link_target_missing", "empty not_installed"]);
    expect(codes(report.rejected)).toEqual(["cycle package_json_unreadable"]);
  });
});

describe("a package.json", () => {
  it.each<[string, string, string, string]>([
    ["bad JSON", '{"name":"fx","aiwhisperer":{"tools":"./a.json",}}', "package_json_invalid", "line 1, column 48"],
    ["empty", "", "package_json_invalid", "is empty"],
    ["an array", '["aiwhisperer"]', "package_json_invalid", "must be an object"],
    ["over 1 MiB", `{"x":"${"y".repeat(1024 * 1024)}","aiwhisperer":{}}`, "package_json_too_large", "1048576 bytes"],
    [
      "null as declaration",
      '{"name":"fx","aiwhisperer":null}',
      "declaration_invalid",
      "/aiwhisperer must be an object, is null",
    ],
    [
      "a text as declaration",
      '{"name":"fx","aiwhisperer":"./x"}',
      "declaration_invalid",
      "/aiwhisperer must be an object",
    ],
    [
      "a declaration without tools",
      '{"name":"fx","aiwhisperer":{}}',
      "declaration_invalid",
      "/aiwhisperer/tools is required",
    ],
    [
      "tools as array",
      '{"name":"fx","aiwhisperer":{"tools":["a"]}}',
      "declaration_invalid",
      "/aiwhisperer/tools must be a path or a map",
    ],
    ["tools as number", '{"name":"fx","aiwhisperer":{"tools":1}}', "declaration_invalid", "is 1"],
    ["an empty map", '{"name":"fx","aiwhisperer":{"tools":{}}}', "no_tools", "empty"],
    [
      "a map of numbers",
      '{"name":"fx","aiwhisperer":{"tools":{"a":1}}}',
      "declaration_invalid",
      "/aiwhisperer/tools/a must be a text",
    ],
    [
      "a map with an illegal name",
      '{"name":"fx","aiwhisperer":{"tools":{"a-b":"./a.js"}}}',
      "tool_name_invalid",
      '"a-b" is no tool name',
    ],
    [
      "a map with a long name",
      `{"name":"fx","aiwhisperer":{"tools":{"${"a".repeat(65)}":"./a.js"}}}`,
      "tool_name_invalid",
      "is no tool name",
    ],
    [
      "a map with names that collide",
      '{"name":"fx","aiwhisperer":{"tools":{"Read":"./a.js","read":"./b.js"}}}',
      "tool_name_collision",
      '"Read" and "read"',
    ],
    [
      "a path that climbs",
      '{"name":"fx","aiwhisperer":{"tools":"../tools.json"}}',
      "path_escapes_package",
      '"../tools.json" leaves the package',
    ],
    [
      "an absolute path",
      '{"name":"fx","aiwhisperer":{"tools":"/etc/passwd.json"}}',
      "path_escapes_package",
      "leaves the package",
    ],
    [
      "a URL",
      '{"name":"fx","aiwhisperer":{"tools":"https://x.test/t.json"}}',
      "path_escapes_package",
      "leaves the package",
    ],
    [
      "an entry that climbs",
      '{"name":"fx","aiwhisperer":{"tools":{"a":"./../../x.js#a"}}}',
      "path_escapes_package",
      "leaves the package",
    ],
    ["an odd file", '{"name":"fx","aiwhisperer":{"tools":"./tools.yaml"}}', "declaration_invalid", "must end in"],
    [
      "a newer apiVersion",
      '{"name":"fx","aiwhisperer":{"apiVersion":2,"tools":"./a.json"}}',
      "api_version_unsupported",
      "apiVersion 2 is newer",
    ],
    [
      "a wrong apiVersion",
      '{"name":"fx","aiwhisperer":{"apiVersion":"1","tools":"./a.json"}}',
      "declaration_invalid",
      "/aiwhisperer/apiVersion",
    ],
    [
      "another name than its key",
      '{"name":"other","aiwhisperer":{"tools":"./a.json"}}',
      "package_name_mismatch",
      'calls itself "other"',
    ],
    [
      "an unmet engines.node",
      '{"name":"fx","engines":{"node":">=99"},"aiwhisperer":{"tools":"./a.json"}}',
      "node_version_unsupported",
      'needs Node ">=99"',
    ],
    [
      "newer majors of core alone",
      '{"name":"fx","dependencies":{"@aiw/core":"^99.0.0-rc.1"},"aiwhisperer":{"tools":"./a.json"}}',
      "core_version_unsupported",
      "^99.0.0-rc.1",
    ],
    [
      "a manifest that is missing",
      '{"name":"fx","aiwhisperer":{"tools":"./a.json"}}',
      "manifest_missing",
      "is not in the package",
    ],
  ])("with %s is rejected with a reason and a fix", async (_what, packageJson, code, reason) => {
    const { project, rejected } = await only({ name: "fx", packageJson });
    await using _project = project;
    expect(rejected).toMatchObject([{ code, package: "fx", reason: expect.stringContaining(reason) }]);
    expect(rejected[0]?.fix.length).toBeGreaterThan(10);
  });

  it("is read whatever else it says: byte order mark, unknown keys, odd ranges", async () => {
    const packageJson =
      '\uFEFF{"name":"fx","version":"1.0.0","type":"module","engines":{"node":"whatever"},"aiwhisperer":{"tools":"./aiw-tools.json","future":1}}';
    const { project, registry, rejected } = await only(toolPackage("fx", ["plain"], { packageJson }));
    await using _project = project;
    expect(rejected).toEqual([]);
    expect(codes(registry.report.found[0]?.notes ?? [])).toEqual(["fx range_unreadable"]);
  });

  it.each(["workspace:^", ">=0.0.0 <1", "^0.0.0 || ^1.0.0"])("may want core as %s", async (range) => {
    const { project, rejected } = await only(
      toolPackage("fx", ["plain"], {
        packageJson: {
          type: "module",
          dependencies: { "@aiw/core": range },
          aiwhisperer: { tools: "./aiw-tools.json" },
        },
      }),
    );
    await using _project = project;
    expect(rejected).toEqual([]);
  });

  it("that only mentions the word declares nothing", async () => {
    const { project, registry } = await only({ name: "fx", packageJson: { keywords: ["aiwhisperer"] } });
    await using _project = project;
    expect(registry.report).toMatchObject({ found: [{ id: "fx-neighbour" }], rejected: [] });
  });

  it("that is a pipe cannot hang anybody", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-neighbour", ["neighbour"])],
      packageJson: { dependencies: { fifo: "1", "fx-neighbour": "1" } },
    });
    await mkdir(path.join(project.dir, "node_modules/fifo"));
    execFileSync("mkfifo", [path.join(project.dir, "node_modules/fifo/package.json")]);
    const registry = await discover(project.dir);
    expect(ids(registry)).toEqual(["fx-neighbour/neighbour"]);
    expect(codes(registry.report.rejected)).toEqual(["fifo package_json_invalid"]);
  });

  it("that is an endless device is read up to the limit", async () => {
    await using project = await makeProject({ layout: "npm", packageJson: { dependencies: { zero: "1" } } });
    await mkdir(path.join(project.dir, "node_modules/zero"), { recursive: true });
    await symlink("/dev/zero", path.join(project.dir, "node_modules/zero/package.json"));
    expect(codes((await discover(project.dir)).report.rejected)).toEqual(["zero package_json_too_large"]);
  });

  it("that may not be read is said so", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx", ["plain"]), toolPackage("fx-neighbour", ["neighbour"])],
    });
    const openSync: typeof fs.openSync = (file, flags) => {
      if (String(file).endsWith(path.join("fx", "package.json")))
        throw Object.assign(new Error("no"), { code: "EACCES" });
      return fs.openSync(file, flags);
    };
    const registry = await discover(project.dir, { world: { fs: { ...nodePorts.fs, openSync } } });
    expect(ids(registry)).toEqual(["fx-neighbour/neighbour"]);
    expect(registry.report.rejected).toMatchObject([
      { code: "package_json_unreadable", package: "fx", reason: expect.stringContaining("EACCES") },
    ]);
  });

  it("that an install is writing is read again after 50 ms", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx", ["plain"])] });
    const whole = JSON.stringify({
      name: "fx",
      version: "1.0.0",
      type: "module",
      aiwhisperer: { tools: "./aiw-tools.json" },
    });
    await project.write("node_modules/fx/package.json", whole.slice(0, -5));
    const waits: number[] = [];
    const wait = async (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      await project.write("node_modules/fx/package.json", whole);
    };
    const registry = await discover(project.dir, { world: { clock: { now: () => 0, wait } } });
    expect(ids(registry)).toEqual(["fx/plain"]);
    expect(waits).toEqual([50]);
  });

  it("may have tools called like members of every object", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
    const map = `{${names.map((name) => `"${name}":"./index.js#${name}"`).join(",")}}`;
    const files = {
      "index.js": names
        .map(
          (name, i) =>
            `const t${i} = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(specOf(name))}, execute: () => "${name}" }; export { t${i} as ${name} };`,
        )
        .join("\n"),
    };
    const { project, registry } = await only({
      name: "fx",
      packageJson: `{"name":"fx","version":"1.0.0","type":"module","aiwhisperer":{"tools":${map}}}`,
      files,
    });
    await using _project = project;
    await registry.load();
    for (const name of names) expect(await registry.getTool(name).execute({}, {} as never)).toBe(name);
  });
});

describe("a static manifest", () => {
  it.each<[string, string, string, string]>([
    ["bad JSON", "{", "manifest_invalid", "line 1, column 2"],
    ["empty", "", "manifest_invalid", "line 1, column 1"],
    ["null", "null", "manifest_invalid", "must be an object"],
    ["a list", "[]", "manifest_invalid", "must be an object"],
    ["without a version", "{}", "manifest_invalid", "/manifestVersion"],
    ["of a newer version", '{"manifestVersion":2}', "manifest_version_unsupported", "manifestVersion 2 is newer"],
    ["without a package", '{"manifestVersion":1,"tools":[]}', "manifest_invalid", "/package"],
    [
      "with tools as object",
      '{"manifestVersion":1,"package":{},"tools":{}}',
      "manifest_invalid",
      "/tools must be a list",
    ],
    ["without tools", '{"manifestVersion":1,"package":{},"tools":[]}', "no_tools", "lists no tool"],
    ["with names that collide", manifestOf("fx", ["Read", "read"]), "tool_name_collision", '"Read" and "read"'],
    ["with an illegal name", manifestOf("fx", ["a-b"]), "tool_name_invalid", "/tools/0/spec/name must match"],
    [
      "with a tool that is null",
      manifestOf("fx", [], { tools: [null] }),
      "manifest_invalid",
      "/tools/0 must be an object",
    ],
    [
      "with an entry that climbs",
      manifestOf("fx", [], { tools: [{ module: "./../x.js", export: "a", spec: specOf("a") }] }),
      "path_escapes_package",
      "leaves the package",
    ],
    [
      "with an entry that is no module",
      manifestOf("fx", [], { tools: [{ module: "./x.txt", export: "a", spec: specOf("a") }] }),
      "manifest_invalid",
      "must end in .js",
    ],
    [
      "with no entry",
      manifestOf("fx", [], { tools: [{ spec: specOf("a") }] }),
      "manifest_invalid",
      "/tools/0/module is required",
    ],
    [
      "with an illegal export",
      manifestOf("fx", [], { tools: [{ module: "./x.js", export: "a b", spec: specOf("a") }] }),
      "manifest_invalid",
      "/tools/0/export",
    ],
    [
      "with a long description",
      manifestOf("fx", [], {
        tools: [{ module: "./x.js", export: "a", spec: specOf("a", { description: "x".repeat(1025) }) }],
      }),
      "tool_definition_invalid",
      "at most 1024",
    ],
    [
      "with hidden text",
      manifestOf("fx", [], {
        tools: [{ module: "./x.js", export: "a", spec: specOf("a", { description: "Adds\u{e0041}." }) }],
      }),
      "tool_definition_invalid",
      "U+E0041",
    ],
    ["over 8 MiB", JSON.stringify("x".repeat(8 * 1024 * 1024)), "manifest_too_large", "8388608 bytes"],
  ])("that is %s is rejected with a reason and a fix", async (_what, text, code, reason) => {
    const { project, rejected } = await only(toolPackage("fx", ["plain"], { files: { "aiw-tools.json": text } }));
    await using _project = project;
    expect(rejected).toMatchObject([
      {
        code,
        package: "fx",
        version: "1.0.0",
        reason: expect.stringContaining(reason),
        fix: expect.stringContaining("npm uninstall fx"),
      },
    ]);
  });

  it("that is a link out of the package is rejected", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx", ["plain"])] });
    await project.write("outside.json", manifestOf("fx", ["plain"]));
    await project.remove("node_modules/fx/aiw-tools.json");
    await symlink("../../outside.json", path.join(project.dir, "node_modules/fx/aiw-tools.json"));
    expect(codes((await discover(project.dir)).report.rejected)).toEqual(["fx path_escapes_package"]);
  });

  it("that is a folder is unreadable", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx", ["plain"])] });
    await project.remove("node_modules/fx/aiw-tools.json");
    await mkdir(path.join(project.dir, "node_modules/fx/aiw-tools.json"));
    expect(codes((await discover(project.dir)).report.rejected)).toEqual(["fx manifest_unreadable"]);
  });

  it("that is a pipe cannot hang anybody", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx", ["plain"])] });
    await project.remove("node_modules/fx/aiw-tools.json");
    execFileSync("mkfifo", [path.join(project.dir, "node_modules/fx/aiw-tools.json")]);
    expect(codes((await discover(project.dir)).report.rejected)).toEqual(["fx manifest_invalid"]);
  });

  it("that is stale is noted and still listed", async () => {
    const { project, registry } = await only(
      toolPackage("fx", ["plain"], { files: { "aiw-tools.json": manifestOf("fx", ["plain"], { version: "0.9.0" }) } }),
    );
    await using _project = project;
    expect(registry.has("plain")).toBe(true);
    expect(registry.report.found[0]?.notes).toMatchObject([
      { code: "manifest_stale", severity: "warning", reason: expect.stringContaining('"0.9.0"') },
    ]);
  });

  it("keeps its good tools when one is bad", async () => {
    const tools = [
      { module: "./index.js", export: "a", spec: specOf("plain") },
      { module: "./index.js", export: "b", spec: { name: "b" } },
    ];
    const { project, registry, rejected } = await only(
      toolPackage("fx", ["plain"], { files: { "aiw-tools.json": manifestOf("fx", [], { tools }) } }),
    );
    await using _project = project;
    expect(registry.has("plain")).toBe(true);
    expect(codes(rejected)).toEqual(["fx b tool_definition_invalid"]);
  });

  it("lists tools of other types, which need no module", async () => {
    const tools = [{ spec: specOf("call", { type: "http", implementation: { url: "https://x.test" } }) }];
    const { project, registry } = await only(
      toolPackage("fx", [], { files: { "aiw-tools.json": manifestOf("fx", [], { tools }) } }),
    );
    await using _project = project;
    const loaded = await registry.getTool("call").load?.();
    expect(loaded?.spec.type).toBe("http");
    expect(() => loaded?.execute({}, {} as never)).toThrow(expect.objectContaining({ code: "executor_missing" }));
  });

  it("cannot speak to the terminal through a report", async () => {
    const { project, rejected } = await only({
      name: "fx",
      packageJson: JSON.stringify({
        name: "fx\u001b[31m\u202e",
        aiwhisperer: { tools: `../${"\u001b]0;x".repeat(200)}` },
      }),
    });
    await using _project = project;
    expect(JSON.stringify(rejected)).not.toMatch(/\u202e|\u{e0041}/u);
    expect(rejected.map(({ reason }) => reason).join("")).not.toMatch(/\p{Cc}|\p{Cf}/u);
    expect(rejected[0]?.reason.length).toBeLessThan(400);
  });
});

describe("identity", () => {
  it("shows both names of an alias and keeps the key in ids", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-aliased", ["aliased"], { key: "events", range: "npm:fx-aliased@1" })],
    });
    const { report } = await discover(project.dir);
    expect(report.found).toMatchObject([
      { id: "events", notes: [{ code: "alias", severity: "info", reason: expect.stringContaining('"fx-aliased"') }] },
    ]);
  });

  it("takes one package under two keys once, by its first key", async () => {
    await using project = await makeProject({
      layout: "pnpm",
      packages: [toolPackage("fx", ["plain"]), toolPackage("fx", ["plain"], { key: "zz", range: "npm:fx@1" })],
    });
    const registry = await discover(project.dir);
    expect(ids(registry)).toEqual(["fx/plain"]);
    expect(registry.report.shadowed).toEqual([]);
    expect(registry.report.found[0]?.notes).toMatchObject([
      { code: "alias", reason: expect.stringContaining("fx and zz are one package") },
    ]);
  });

  it("is the real path, messages show the located one", async () => {
    await using project = await makeProject({ layout: "pnpm", packages: [toolPackage("fx", ["plain"])] });
    const [found] = (await discover(project.dir)).report.found;
    expect(found?.dir).toBe(path.join(project.dir, "node_modules/fx"));
    expect(found?.realDir).toBe(path.join(project.dir, "node_modules/.pnpm/fx@1.0.0/node_modules/fx"));
  });

  it("takes TypeScript entries from a linked package alone", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { dependencies: { linked: "link:./linked" } },
    });
    await project.write(
      "linked/package.json",
      '{"name":"linked","version":"1.0.0","aiwhisperer":{"tools":{"typed":"./tool.ts#typed"}}}',
    );
    await mkdir(path.join(project.dir, "node_modules"), { recursive: true });
    await symlink("../linked", path.join(project.dir, "node_modules/linked"));
    expect(ids(await discover(project.dir))).toEqual(["linked/typed"]);
    await using copied = await makeProject({
      layout: "npm",
      packages: [{ name: "fx", packageJson: { aiwhisperer: { tools: { typed: "./tool.ts#typed" } } } }],
    });
    expect(codes((await discover(copied.dir)).report.rejected)).toEqual(["fx typed declaration_invalid"]);
  });

  it("gives the same name twice to the first package by key and warns about the other", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-b", ["read"], { version: "2.0.0" }), toolPackage("@aiw/plugin-filesystem", ["read"])],
    });
    const registry = await discover(project.dir);
    expect(registry.getEntry("read")?.id).toBe("@aiw/plugin-filesystem/read");
    expect(await registry.getTool("fx-b/read").execute({}, {} as never)).toMatchObject({
      from: expect.stringContaining("fx-b"),
    });
    expect(registry.report.found.find(({ id }) => id === "fx-b")?.notes).toMatchObject([
      { code: "name_shadowed", reason: "read of fx-b 2.0.0 is hidden by @aiw/plugin-filesystem 1.0.0 (order)." },
    ]);
    expect(
      (await discover(project.dir, { config: { tools: { prefer: { read: "fx-b" } } } })).getEntry("read")?.id,
    ).toBe("fx-b/read");
    const refused = discover(project.dir, { onDuplicate: "error" });
    await expect(refused).rejects.toThrow(
      expect.objectContaining({
        code: "tool_ambiguous",
        message: expect.stringContaining("@aiw/plugin-filesystem/read, fx-b/read"),
      }),
    );
  });
});

describe("a preference that waits for trust", () => {
  it("keeps nobody from being asked, and its name from everybody, where duplicates are refused", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-a", ["read", "a"]), toolPackage("fx-b", ["read"])],
    });
    const config = { discovery: { onDuplicate: "error" }, tools: { prefer: { read: "fx-b" } } };
    await project.write("aiw.config.json", JSON.stringify(config));
    const isTrusted = (): boolean => false;
    const waiting = await discover(project.dir, { world: { trust: { isTrusted } } });
    expect(waiting.has("read")).toBe(false);
    expect(["a", "fx-a/read", "fx-b/read"].filter((name) => !waiting.has(name))).toEqual([]);
    expect(waiting.report.waiting).toMatchObject([{ parts: ['/tools/prefer/read: "fx-b"'] }]);
    expect(waiting.report.notEnabled).toMatchObject([
      { code: "trust_required", reason: expect.stringContaining("/tools/prefer/read") },
    ]);
    const trusting = await discover(project.dir, { world: { trust: { isTrusted: () => true } } });
    expect(trusting.getEntry("read")?.id).toBe("fx-b/read");
    const overruled = await discover(project.dir, {
      config: { tools: { prefer: { read: "fx-a" } } },
      world: { trust: { isTrusted } },
    });
    expect(overruled.getEntry("read")?.id).toBe("fx-a/read");
  });
});

describe("a project whose name would move the reader's cursor", () => {
  it("is named in findings as a person can see it", async () => {
    await using project = await makeProject({ layout: "npm", packageJson: { name: "x\u001b[2J\u202e" } });
    await project.write("aiw.config.json", '{"limits":{"depth":11},"tools":{"disabled":["gone/x"]}}');
    const registry = await discover(project.dir, {
      world: { trust: { isTrusted: () => false }, environment: { AIWHISPERER_PLUGINS: "" } },
    });
    await registry.load();
    const { missing, notEnabled } = registry.report;
    expect(codes([...missing, ...notEnabled])).toEqual([
      "x\\u{1b}[2J\\u{202e} pattern_unmatched",
      "x\\u{1b}[2J\\u{202e} trust_required",
    ]);
  });
});

describe("a pattern that is misspelt", () => {
  it("is reported, whatever else waits, and what it may mean elsewhere is not", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-a", ["bash"]), toolPackage("fx-b", ["b"])],
    });
    const rules = [
      { match: { tool: "bahs" }, decision: "deny" },
      { match: { tool: "b" }, decision: "allow" },
    ];
    const config = { tools: { disabled: ["fx-c/x", "fx-a/bsh"] }, policy: { rules } };
    await project.write("aiw.config.json", JSON.stringify(config));
    const world = { trust: { isTrusted: () => false } };
    const registry = await discover(project.dir, { world });
    const told = (): unknown => registry.report.missing.map(({ code, pointer, fix }) => [code, pointer, fix]);
    const expected = [
      ["pattern_unmatched", "/policy/rules/0", "Did you mean bash?"],
      ["pattern_unmatched", "/tools/disabled", "Did you mean fx-a/bash?"],
      ["pattern_unmatched", "/tools/disabled", expect.any(String)],
    ];
    expect(told()).toEqual(expected);
    await registry.load();
    expect(told()).toEqual(expected);
    const disabled = await discover(project.dir, { world, config: { tools: { disabled: ["fx-a"] } } });
    await disabled.load();
    expect(disabled.report.missing.map(({ reason }) => reason)).toEqual([expect.stringContaining('"fx-c/x"')]);
  });
});

describe("a pattern that may mean a tool of a module", () => {
  it("is not called misspelt until the module has run", async () => {
    const packageJson = { type: "module", aiwhisperer: { tools: "./index.js" } };
    const module = { name: "fx-module", packageJson, files: { "index.js": toolModule(["told"]) } };
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["a"]), module] });
    const tools = { disabled: ["tolld", "fx-a/b"] };
    const registry = await discover(project.dir, { config: { tools } });
    const named = (): unknown => registry.report.missing.map(({ reason }) => /"([^"]*)"/.exec(reason)?.[1]);
    expect(named()).toEqual(["fx-a/b"]);
    await registry.load();
    expect(named()).toEqual(["fx-a/b", "tolld"]);
  });
});

describe("the off switch", () => {
  const packages = [toolPackage("fx-a", ["a"]), toolPackage("fx-b", ["b"]), { name: "ordinary" }];

  it.each([
    ["", []],
    ["fx-b", ["fx-b/b"]],
    [" fx-a , fx-b ", ["fx-a/a", "fx-b/b"]],
  ])("AIWHISPERER_PLUGINS=%j", async (value, expected) => {
    await using project = await makeProject({ layout: "npm", packages });
    const registry = await discover(project.dir, { world: { environment: { AIWHISPERER_PLUGINS: value } } });
    expect(ids(registry)).toEqual(expected);
    expect(registry.report.notEnabled).toMatchObject([
      { code: "disabled_by_config", package: "shop", fix: expect.stringContaining("Unset AIWHISPERER_PLUGINS") },
    ]);
  });

  it("AIWHISPERER_PLUGINS names what is no dependency: that is said", async () => {
    await using project = await makeProject({ layout: "npm", packages });
    const { report } = await discover(project.dir, { world: { environment: { AIWHISPERER_PLUGINS: "fx-c" } } });
    expect(codes(report.missing)).toEqual(["fx-c not_installed"]);
  });

  it.each<[string, AiwConfig, string[]]>([
    ["a package", { tools: { disabled: ["fx-a"] } }, ["fx-b/b"]],
    ["an id", { tools: { disabled: ["fx-a/a"] } }, ["fx-b/b"]],
    ["a name", { tools: { disabled: ["b"] } }, ["fx-a/a"]],
  ])("config disables %s", async (_what, config, expected) => {
    await using project = await makeProject({ layout: "npm", packages });
    const registry = await discover(project.dir, { config });
    expect(ids(registry)).toEqual(expected);
    expect(registry.report.notEnabled).toMatchObject([{ code: "disabled_by_config" }]);
  });

  it("a wrong configuration is refused before anything is read", async () => {
    const wrong = { tools: { disable: [] } } as AiwConfig;
    await expect(discover("/", { config: wrong })).rejects.toThrow(expect.objectContaining({ code: "config_invalid" }));
  });
});

describe("options", () => {
  const optionsSchema = {
    type: "object",
    properties: { key: { type: "string" } },
    required: ["key"],
    additionalProperties: false,
  };
  const packages = [
    toolPackage("fx", ["plain"], { files: { "aiw-tools.json": manifestOf("fx", ["plain"], { optionsSchema }) } }),
  ];

  it("are given to the entry with references resolved", async () => {
    await using project = await makeProject({ layout: "npm", packages });
    const registry = await discover(project.dir, {
      config: { plugins: { fx: { key: { $env: "KEY" } } } },
      world: { environment: { KEY: "s3cret" } },
    });
    expect(registry.getEntry("plain")?.options).toEqual({ key: "s3cret" });
    expect(JSON.stringify([registry.report, registry.entries()])).not.toContain("s3cret");
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["of the wrong type", { key: 12345 }, '/key must be of type \\"string\\"'],
    ["with an unknown key", { key: "a", extra: "98765" }, 'must not have \\"extra\\"'],
    ["that are missing", {}, 'must have \\"key\\"'],
    ["whose variable is not set", { key: { $env: "NONE" } }, "environment variable NONE"],
  ])("%s are refused without the package's code, and without showing values", async (_what, options, reason) => {
    await using project = await makeProject({ layout: "npm", packages });
    const { report } = await discover(project.dir, { config: { plugins: { fx: options as never } } });
    expect(report.rejected).toMatchObject([{ code: "options_invalid", package: "fx" }]);
    expect(JSON.stringify(report.rejected)).toContain(reason);
    expect(JSON.stringify(report.rejected)).not.toMatch(/12345|98765/);
  });

  it("that a package needs and nobody gave are a warning, and its tools are listed", async () => {
    await using project = await makeProject({ layout: "npm", packages });
    const registry = await discover(project.dir);
    expect(ids(registry)).toEqual(["fx/plain"]);
    expect(registry.report.found[0]?.notes).toMatchObject([
      {
        code: "options_missing",
        severity: "warning",
        pointer: "/plugins/fx",
        reason: expect.stringContaining('"key"'),
      },
    ]);
  });

  it("bring in the package they are for", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx", ["plain"], { undeclared: true })],
    });
    expect(ids(await discover(project.dir, { config: { plugins: { fx: {} } } }))).toEqual(["fx/plain"]);
    const absent = await discover(project.dir, { config: { plugins: { absent: {} } } });
    expect(absent.report.missing).toMatchObject([
      { code: "not_installed", pointer: "/plugins/absent", reason: expect.stringContaining("under plugins") },
    ]);
  });

  it("of a package that only configuration names never come with a command that would install the misspelt name", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("acme-man", ["plain"])] });
    const given = async (key: string): Promise<unknown> =>
      (await discover(project.dir, { config: { plugins: { [key]: {} } } })).report.missing;
    expect(await given("acme-mna")).toMatchObject([{ package: "acme-mna", fix: "Did you mean acme-man?" }]);
    expect(JSON.stringify([await given("acme-mna"), await given("@else/where")])).not.toMatch(/install(?!ed)|add /);
    const world = { environment: { AIWHISPERER_PLUGINS: "acme-mna" } };
    expect((await discover(project.dir, { world })).report.missing).toMatchObject([{ fix: "Did you mean acme-man?" }]);
  });

  it("that wait in an untrusted file are said to wait, not to be set again", async () => {
    await using project = await makeProject({ layout: "npm", packages });
    await project.write("aiw.config.json", JSON.stringify({ plugins: { fx: { key: "k" } } }));
    const registry = await discover(project.dir, { world: { trust: { isTrusted: () => false } } });
    expect(registry.report.found[0]?.notes).toMatchObject([
      {
        code: "options_missing",
        reason: expect.stringContaining("waits for trust"),
        fix: expect.stringContaining("aiw trust"),
      },
    ]);
  });

  it("that are wrong name the nearest key, and the tools that are missing with the package", async () => {
    await using project = await makeProject({ layout: "npm", packages });
    const { report } = await discover(project.dir, { config: { plugins: { fx: { kee: "a", key: "b" } } } });
    expect(report.rejected).toMatchObject([
      { tools: ["plain"], reason: expect.stringContaining('did you mean "key"?') },
    ]);
    const missing = await discover(project.dir, { config: { plugins: { fx: { kee: "a" } } } });
    expect(missing.report.rejected).toMatchObject([{ reason: expect.stringContaining('is it meant by "kee"?') }]);
  });
});

describe("development forms", () => {
  it("list the names of a map at once and its definitions after load", async () => {
    const { project, registry } = await only({
      name: "fx",
      packageJson: { type: "module", aiwhisperer: { tools: { plain: "./index.js#plain" } } },
      files: toolPackage("fx", ["plain"]).files ?? {},
    });
    await using _project = project;
    expect(registry.report.found[0]).toMatchObject({
      form: "map",
      tools: ["plain"],
      notes: [{ code: "slow_declaration", severity: "info" }],
    });
    expect(registry.getToolByName("plain")).toBeUndefined();
    await registry.load();
    expect(registry.getTool("plain").spec.description).toBe("Runs plain.");
  });

  it("name nothing when only a module is declared, until it has run", async () => {
    const { project, registry } = await only({
      name: "fx",
      packageJson: { type: "module", aiwhisperer: { tools: "./index.js" } },
      files: { "index.js": toolModule(["two", "one"]) },
    });
    await using _project = project;
    const fx = (): unknown => registry.report.found.find(({ id }) => id === "fx");
    expect(fx()).toMatchObject({ form: "module", notes: [{ code: "slow_declaration", severity: "info" }] });
    expect(fx()).not.toHaveProperty("tools");
    expect(registry.isExpandable).toBe(true);
    await registry.load();
    expect(registry.isExpandable).toBe(false);
    expect(fx()).toMatchObject({ tools: ["one", "two"] });
    expect(ids(registry)).toEqual(expect.arrayContaining(["fx/one", "fx/two"]));
  });
});
