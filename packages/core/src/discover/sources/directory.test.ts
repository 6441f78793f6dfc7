import { execFileSync, spawnSync } from "node:child_process";
import { chmod, mkdir, rename, symlink } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import type { Finding } from "../../register/discovery-report.ts";
import type { ToolRegistry } from "../../register/tool-registry.ts";
import {
  makeProject,
  manifestOf,
  specOf,
  toolModule,
  toolPackage,
  type MadeProject,
} from "../__fixtures__/make-project.ts";
import { discoverTools, type DiscoverToolsOptions } from "../discover-tools.ts";
import { nodePorts } from "../discovery-ports.ts";

interface Opening extends DiscoverToolsOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTrusted?: (dir: string, hash: string) => boolean;
}

async function open(
  project: MadeProject,
  { environment = {}, isTrusted = () => false, ...options }: Opening = {},
): Promise<ToolRegistry> {
  const registry = await discoverTools(
    { projectDir: project.dir, directories: ["tools"], ...options },
    { environment, trust: { isTrusted } },
  );
  await registry.load();
  return registry;
}

function ids(registry: ToolRegistry): string[] {
  return registry.entries().map(({ id }) => id);
}

function problems({ report }: ToolRegistry): string[] {
  return [...report.rejected, ...report.missing, ...report.notEnabled].map(
    ({ code, package: key }) => `${key} ${code}`,
  );
}

/** The source of a TypeScript module with one tool, whose types can be erased. */
function typescript(name: string): string {
  return `const spec: object = ${JSON.stringify(specOf(name))};
    export const tool = { [Symbol.for("@aiw/core/tool")]: true as const, contractVersion: 1, spec, execute: (): string => "typed" };`;
}

const DECLARED = JSON.stringify({
  name: "anything",
  version: "3.0.0",
  type: "module",
  aiwhisperer: { tools: "./aiw-tools.json" },
});

describe("DirectorySource", () => {
  it.each([
    ["js", 'import "node:fs";', /1:1/, /Name it loose\.mjs, or set "type": "module" in the package\.json nearest/],
    ["js", "\n\nexport const a = 1;", /3:1/, /Name it loose\.mjs, or set/],
    [
      "ts",
      "const a: number = 1;\nexport { a };",
      /2:1/,
      /^It is an ES module.* Set "type": "module" in the package\.json nearest/,
    ],
  ])(
    "says how an ES module is named one in a CommonJS project (.%s), and where; Node says nothing",
    async (ext, text, at, fix) => {
      await using project = await makeProject({ layout: "npm", packageJson: { type: "commonjs" } });
      await project.write(`tools/loose.${ext}`, text);
      const script = await project.write(
        "host.mjs",
        `import { discoverTools } from ${JSON.stringify(new URL("../../node.ts", import.meta.url).href)};
      const registry = await discoverTools({ directories: ["tools"] }); await registry.load();
      console.log(JSON.stringify(registry.report.rejected));`,
      );
      const env = { ...process.env, AIW_CONFIG_HOME: path.join(project.dir, "..", "nobody") };
      const done = spawnSync(process.execPath, ["--conditions=aiw-source", script], {
        encoding: "utf8",
        cwd: project.dir,
        env,
      });
      expect(done.stderr).toBe("");
      const [finding] = JSON.parse(done.stdout) as Finding[];
      expect(finding).toMatchObject({ code: "load_failed", package: "dir:loose", reason: expect.stringMatching(at) });
      expect(finding?.fix).toMatch(fix);
    },
  );

  it.each(["throw new Error('no');", "process.exit(0);", "Promise.reject(new Error('no'));", "export const = 1;"])(
    "tells nobody to remove a package for a loose module: %s",
    async (text) => {
      await using project = await makeProject({ layout: "npm" });
      await project.write("tools/loose.mjs", text);
      const { rejected } = (await open(project)).report;
      expect(rejected).toMatchObject([{ package: "dir:loose", fix: expect.stringContaining("or remove the file") }]);
      expect(rejected[0]?.fix).not.toMatch(/package|author/);
    },
  );

  it("says that a folder has nothing, and of a module without a package no version", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("tools/README.md", "");
    const registry = await open(project);
    expect(registry.report.missing).toMatchObject([
      { code: "directory_empty", severity: "info", package: "dir:tools" },
    ]);
    await project.write("tools/loose.mjs", toolModule(["one"]));
    await registry.reloadTools();
    expect(registry.report.missing).toEqual([]);
    expect(registry.report.found).toMatchObject([{ id: "dir:loose", version: undefined }]);
    expect(registry.getEntry("one")?.origin.version).toBeUndefined();
  });

  it("says in an inventory what a folder's declaration names and is not there", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("tools/tickets/package.json", DECLARED);
    await project.write("tools/tickets/aiw-tools.json", manifestOf("anything", ["find"], { version: "3.0.0" }));
    expect(problems(await open(project))).toEqual([]);
    expect(problems(await open(project, { inventory: true }))).toEqual(["dir:tickets entry_missing"]);
  });

  it("reads declaring folders, their scopes and loose modules, sorted, under ids of their own", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("tools/tickets/package.json", DECLARED);
    await project.write("tools/tickets/aiw-tools.json", manifestOf("anything", ["find"], { version: "3.0.0" }));
    await project.write("tools/tickets/index.js", toolModule(["find"]));
    await project.write(
      "tools/@acme/maps/package.json",
      JSON.stringify({ type: "module", aiwhisperer: { tools: { route: "./index.js#route" } } }),
    );
    await project.write("tools/@acme/maps/index.js", toolModule(["route"]));
    await project.write("tools/loose.mjs", toolModule(["two", "one"]));
    await project.write(
      "tools/common.cjs",
      `exports.tool = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(specOf("common"))}, execute: () => 1 };`,
    );
    await project.write("tools/typed.ts", typescript("typed"));
    const registry = await open(project);
    expect(problems(registry)).toEqual([]);
    expect(registry.report.found.map(({ id, form, tools }) => `${id} ${form} ${String(tools)}`)).toEqual([
      "dir:@acme/maps map route",
      "dir:common module common",
      "dir:loose module one,two",
      "dir:tickets manifest find",
      "dir:typed module typed",
    ]);
    expect(ids(registry)).toEqual([
      "dir:common/common",
      "dir:tickets/find",
      "dir:loose/one",
      "dir:@acme/maps/route",
      "dir:loose/two",
      "dir:typed/typed",
    ]);
    expect(registry.getEntry("find")?.origin).toMatchObject({
      source: "directory",
      package: "dir:tickets",
      version: "3.0.0",
    });
    expect(await registry.getTool("typed").execute({}, {} as never)).toBe("typed");
  });

  it("runs nothing to list", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("tools/loose.js", "globalThis.ranAtListing = true;");
    const registry = await discoverTools({ projectDir: project.dir, directories: ["tools"] }, { environment: {} });
    expect(registry.report.found).toMatchObject([
      { id: "dir:loose", form: "module", notes: [{ code: "slow_declaration" }] },
    ]);
    expect(globalThis).not.toHaveProperty("ranAtListing");
  });

  it("ignores dot-names, node_modules, tests, declarations of types, and folders that declare nothing", async () => {
    await using project = await makeProject({ layout: "npm" });
    const ran = "globalThis.ranIgnored = true;";
    const files = [
      ".hidden.js",
      "node_modules/a.js",
      "a.test.js",
      "b.spec.mjs",
      "c.d.ts",
      "readme.md",
      "test/a.js",
      "__tests__/a.js",
      "lib/deep/a.js",
      ".git/a.js",
      "data.json",
    ];
    for (const file of files) await project.write(`tools/${file}`, ran);
    await project.write("tools/node_modules/x/package.json", JSON.stringify({ aiwhisperer: { tools: "./a.js" } }));
    await project.write("tools/plain/package.json", JSON.stringify({ name: "plain" }));
    const registry = await open(project);
    expect(registry.report.found).toEqual([]);
    expect(problems(registry)).toEqual(["dir:tools directory_empty"]);
    expect(globalThis).not.toHaveProperty("ranIgnored");
  });

  it("comes after packages, and its tools answer to their ids", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("zz", ["same"])] });
    await project.write("tools/aa.mjs", toolModule(["same"]));
    const registry = await open(project);
    expect(registry.getEntry("same")?.id).toBe("zz/same");
    expect(registry.has("dir:aa/same")).toBe(true);
    expect(registry.report.shadowed).toMatchObject([{ name: "same", rule: "source" }]);
  });

  it("never lets two folders or files be one id in silence", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("one/a.mjs", toolModule(["first"]));
    await project.write("two/a.mjs", toolModule(["second"]));
    await project.write("two/a.ts", typescript("third"));
    const registry = await open(project, { directories: ["one", "two", "one"] });
    expect(ids(registry)).toEqual(["dir:a/first"]);
    expect(problems(registry)).toEqual(["dir:a tool_name_collision", "dir:a tool_name_collision"]);
    const [finding] = registry.report.rejected;
    expect(finding?.reason).toBe(
      `${path.join(project.dir, "two/a.mjs")} would be dir:a, as ${path.join(project.dir, "one/a.mjs")} is.`,
    );
  });

  it.each<[string, string, string]>([
    ["is missing", "nowhere", "dir:nowhere directory_missing"],
    ["is a file", "package.json", "dir:package.json directory_unreadable"],
  ])("says that a directory %s, and the others are read", async (_what, dir, problem) => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("tools/a.mjs", toolModule(["plain"]));
    const registry = await open(project, { directories: [dir, "tools"] });
    expect(problems(registry)).toEqual([problem]);
    expect(ids(registry)).toEqual(["dir:a/plain"]);
    expect(registry.report.missing.every(({ severity }) => severity === "warning")).toBe(true);
  });

  it("is bounded whatever lies in it: links out, links in circles, pipes, names that hide something", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("outside.js", "globalThis.ranOutsideOf = true;");
    await project.write("outside/package.json", JSON.stringify({ aiwhisperer: { tools: "./index.js" } }));
    await project.write("tools/a.mjs", toolModule(["plain"]));
    const at = (name: string): string => path.join(project.dir, "tools", name);
    await symlink("../outside.js", at("out.js"));
    await symlink("../outside", at("outdir"));
    await symlink("circle.js", at("circle.js"));
    await symlink(".", at("self"));
    await symlink("..", at("up"));
    await symlink("a.mjs", at("inside.mjs"));
    execFileSync("mkfifo", [at("pipe.js")]);
    await mkdir(at("folder.js"));
    await project.write("tools/zero\u200bwidth.js", "globalThis.ranOutsideOf = true;");
    await project.write("tools/piped/x", "");
    execFileSync("mkfifo", [at("piped/package.json")]);
    const registry = await open(project);
    expect(globalThis).not.toHaveProperty("ranOutsideOf");
    expect(registry.has("dir:a/plain")).toBe(true);
    expect(registry.has("dir:inside/plain")).toBe(true);
    expect(problems(registry)).toEqual(
      [
        "dir:circle.js link_target_missing",
        "dir:out.js path_escapes_package",
        "dir:outdir path_escapes_package",
        "dir:pipe.js declaration_invalid",
        "dir:piped package_json_invalid",
        "dir:self path_escapes_package",
        "dir:up path_escapes_package",
        "dir:zero\\u{200b}width.js tool_name_invalid",
      ].toSorted(),
    );
  });

  it("stops at more names than anybody keeps in a folder of tools", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("tools/a.mjs", toolModule(["plain"]));
    let asked = 0;
    const opendirSync = (() => ({
      readSync: () => ({
        name: `n${(asked += 1)}.js`,
        isFile: () => true,
        isDirectory: () => false,
        isSymbolicLink: () => false,
      }),
      closeSync: () => undefined,
    })) as unknown as typeof nodePorts.fs.opendirSync;
    const registry = await discoverTools(
      { projectDir: project.dir, directories: ["tools"] },
      { environment: {}, fs: { ...nodePorts.fs, opendirSync } },
    );
    expect(problems(registry)).toEqual(["dir:tools directory_too_large"]);
    expect(asked).toBeLessThan(20_000);
  });

  it("says that a folder may not be read", async () => {
    await using project = await makeProject({ layout: "npm" });
    await mkdir(path.join(project.dir, "tools/@closed"), { recursive: true });
    await project.write("tools/a.mjs", toolModule(["plain"]));
    const refused = (
      dir: Parameters<typeof nodePorts.fs.opendirSync>[0],
    ): ReturnType<typeof nodePorts.fs.opendirSync> => {
      if (String(dir).includes("@closed")) throw Object.assign(new Error("no"), { code: "EACCES" });
      return nodePorts.fs.opendirSync(dir);
    };
    await chmod(path.join(project.dir, "tools/@closed"), 0o700);
    const registry = await discoverTools(
      { projectDir: project.dir, directories: ["tools"] },
      { environment: {}, fs: { ...nodePorts.fs, opendirSync: refused } },
    );
    expect(problems(registry)).toEqual(["dir:@closed directory_unreadable"]);
    expect(registry.report.found).toMatchObject([{ id: "dir:a" }]);
  });

  it("is named by the environment as a list, and a module in it is not run where static manifests are required", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("one/a.mjs", toolModule(["first"]));
    await project.write("two/b.mjs", toolModule(["second"]));
    const list = ["one", "two"].map((dir) => path.join(project.dir, dir)).join(path.delimiter);
    const environment = { AIWHISPERER_PLUGINS_DIR: `${path.delimiter}${list}${path.delimiter}` };
    expect(ids(await open(project, { directories: [], environment }))).toEqual(["dir:a/first", "dir:b/second"]);
    const strict = await open(project, {
      directories: [],
      environment: { ...environment, AIWHISPERER_REQUIRE_STATIC: "true" },
    });
    expect(ids(strict)).toEqual([]);
    expect(problems(strict)).toEqual(["dir:a static_manifest_required", "dir:b static_manifest_required"]);
  });

  it("is added by scan, which gives what it brought", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("extra/a.mjs", toolModule(["second", "first"]));
    const registry = await discoverTools(
      { projectDir: project.dir },
      { environment: {}, trust: { isTrusted: () => false } },
    );
    expect((await registry.scan("extra")).map(({ id }) => id)).toEqual(["dir:a/first", "dir:a/second"]);
    expect(registry.getTool("first").spec.name).toBe("first");
    expect(await registry.scan("nowhere")).toEqual([]);
    expect(problems(registry)).toEqual(["dir:nowhere directory_missing"]);
    await project.write("extra/b.mjs", toolModule(["third"]));
    expect((await registry.scan("./extra")).map(({ id }) => id)).toEqual([
      "dir:a/first",
      "dir:a/second",
      "dir:b/third",
    ]);
    expect(problems(registry)).toEqual(["dir:nowhere directory_missing"]);
    await registry.reloadTools();
    expect(registry.has("dir:b/third")).toBe(true);
  });
});

describe("a linked folder in a directory", () => {
  it("is another package once it leads elsewhere: its own definitions and code serve though the former's code runs", async () => {
    await using project = await makeProject({ layout: "npm" });
    for (const [place, tools] of [
      ["one", ["first"]],
      ["two", ["first", "second"]],
    ] as const) {
      await project.write(`tools/.made/${place}/package.json`, DECLARED);
      await project.write(`tools/.made/${place}/aiw-tools.json`, manifestOf("anything", tools, { version: "3.0.0" }));
      await project.write(`tools/.made/${place}/index.js`, toolModule(tools));
    }
    const at = (name: string): string => path.join(project.dir, "tools", name);
    await symlink(".made/one", at("kit"));
    const registry = await open(project);
    const run = async (name: string): Promise<unknown> => registry.getTool(name).execute({}, {} as never);
    expect(await run("first")).toEqual({ from: expect.stringContaining("/.made/one/") as string });
    await symlink(".made/two", at(".next"));
    await rename(at(".next"), at("kit"));
    await registry.reloadTools();
    expect(ids(registry)).toEqual(["dir:kit/first", "dir:kit/second"]);
    expect(await run("first")).toEqual({ from: expect.stringContaining("/.made/two/") as string });
    expect(registry.report.found.flatMap(({ notes }) => notes)).toEqual([]);
  });
});

describe("directories nobody vouches for", () => {
  async function untrusted(): Promise<MadeProject> {
    const project = await makeProject({ layout: "npm" });
    await project.write("tools/a.mjs", `import "./lib/more.mjs"; ${toolModule(["plain"])}`);
    await project.write("tools/lib/more.mjs", "export const more = 1;");
    await project.write("tools/known/package.json", DECLARED);
    await project.write("tools/known/aiw-tools.json", manifestOf("anything", ["listed"], { version: "3.0.0" }));
    await project.write("tools/known/index.js", toolModule(["listed"]));
    return project;
  }
  const environment = { AIWHISPERER_PLUGINS_DIR: "tools" };

  it("list static manifests, and wait with everything else until their content is trusted", async () => {
    await using project = await untrusted();
    const waiting = await open(project, { directories: [], environment });
    expect(ids(waiting)).toEqual(["dir:known/listed"]);
    expect(problems(waiting)).toEqual(["dir:a trust_required"]);
    const [request] = waiting.report.waiting;
    expect(request).toMatchObject({ subject: "directory", dir: path.join(project.dir, "tools") });
    const isTrusted = (dir: string, hash: string): boolean => dir === request?.dir && hash === request.hash;
    const trusted = await open(project, { directories: [], environment, isTrusted });
    expect(ids(trusted)).toEqual(["dir:known/listed", "dir:a/plain"]);
    expect(trusted.report.waiting).toEqual([]);
  });

  it("wait again when a file changes that the trusted code names, before it is listed and before it is loaded", async () => {
    await using project = await untrusted();
    const [request] = (await open(project, { directories: [], environment })).report.waiting;
    const isTrusted = (_dir: string, hash: string): boolean => hash === request?.hash;
    const registry = await discoverTools({ projectDir: project.dir }, { environment, trust: { isTrusted } });
    await project.write("tools/lib/more.mjs", "globalThis.ranChanged = true;");
    await registry.load();
    expect(problems(registry)).toEqual(["dir:a trust_required"]);
    expect(problems(await open(project, { directories: [], environment, isTrusted }))).toEqual([
      "dir:a trust_required",
    ]);
    expect(globalThis).not.toHaveProperty("ranChanged");
  });

  it("may be trusted whatever they say", async () => {
    await using project = await untrusted();
    const isTrusted = (dir: string): boolean => dir === path.join(project.dir, "tools");
    expect(ids(await open(project, { directories: [], environment, isTrusted }))).toContain("dir:a/plain");
  });

  it("are vouched for when the host's code names them too", async () => {
    await using project = await untrusted();
    expect(ids(await open(project, { directories: ["./tools"], environment }))).toContain("dir:a/plain");
  });

  it("keeps folders of one name in two directories apart, though code of one has run", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("tools/kit.mjs", toolModule(["first"]));
    await project.write("more/kit.mjs", toolModule(["second"]));
    const registry = await open(project);
    await registry.getTool("first").execute({}, {} as never);
    const scanned = await registry.scan("more");
    expect(scanned.map(({ id }) => id)).toEqual(["dir:kit/second"]);
    expect(ids(registry)).toEqual(["dir:kit/first", "dir:kit/second"]);
    expect(registry.report.found.flatMap(({ notes }) => notes).map(({ code }) => code)).not.toContain(
      "restart_required",
    );
  });

  it("finds nothing wrong with a directory that is configured and scanned too", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write("tools/kit.mjs", toolModule(["first"]));
    const registry = await open(project);
    expect((await registry.scan("tools")).map(({ id }) => id)).toEqual(["dir:kit/first"]);
    expect(problems(registry)).toEqual([]);
    expect(registry.report.found.map(({ id }) => id)).toEqual(["dir:kit"]);
  });

  it.each(["kit.mts", "kit.cts", "kit.tsx", "KIT.JS"])("says that %s is no module that is loaded", async (name) => {
    await using project = await makeProject({ layout: "npm" });
    await project.write(`tools/${name}`, toolModule(["kit"]));
    expect(problems(await open(project))).toEqual([`dir:${name} declaration_invalid`]);
  });
});
