import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import type { AiwError } from "../../errors/aiw-error.ts";
import type { Finding } from "../../register/discovery-report.ts";
import type { ToolRegistry } from "../../register/tool-registry.ts";
import {
  makeProject,
  manifestOf,
  specOf,
  toolModule,
  toolPackage,
  type FixtureProject,
  type MadeProject,
} from "../__fixtures__/make-project.ts";
import { discoverTools, type DiscoverToolsOptions } from "../discover-tools.ts";
import { listTools } from "../list-tools.ts";
import { ModuleLoader } from "../load/module-loader.ts";
import { compareLock } from "./compare-lock.ts";
import { createLock, type CreateLockOptions } from "./create-lock.ts";
import { readLock } from "./read-lock.ts";
import { serializeLock } from "./serialize-lock.ts";
import { writeLock } from "./write-lock.ts";

const WORLD = { environment: {}, trust: { isTrusted: () => false } };

async function lock(dir: string, options: CreateLockOptions = {}): Promise<void> {
  const created = await createLock({ projectDir: dir, ...options }, WORLD);
  writeLock(dir, created.lock);
}

function discover(dir: string, options: DiscoverToolsOptions = {}): Promise<ToolRegistry> {
  return discoverTools({ projectDir: dir, ...options }, { ...WORLD, modules: new ModuleLoader() });
}

/** A project with a lock, and two packages: what is done to the first must not harm the second. */
async function makeLocked(changes: Partial<FixtureProject> = {}): Promise<MadeProject> {
  const packages = [
    toolPackage("fx-a", ["find"], { files: { "lib/extra.js": "export const extra = 1;" } }),
    toolPackage("fx-b", ["other"]),
  ];
  const project = await makeProject({ layout: "npm", packages, ...changes });
  await lock(project.dir);
  return project;
}

/** One tool of two says more to models than people see. */
async function hideText(project: MadeProject): Promise<void> {
  const tools = ["find", "keep"].map((name) => ({
    module: "./index.js",
    export: name,
    definitionHash: "sha256-",
    spec: specOf(name, name === "find" ? { description: "Runs\u200b find." } : {}),
  }));
  await project.write(`${A}/aiw-tools.json`, manifestOf("fx-a", [], { tools }));
}

function thrownBy(work: Promise<unknown>): Promise<AiwError> {
  return work.then(
    () => expect.fail("nothing was thrown"),
    (error: unknown) => error as AiwError,
  );
}

function lockFindings({ report }: ToolRegistry): Finding[] {
  return [...report.notEnabled, ...report.missing].filter(({ code }) => code.startsWith("lock_"));
}

async function call(registry: ToolRegistry, name: string): Promise<unknown> {
  return await registry.getTool(name).execute({}, {} as never);
}

const A = "node_modules/fx-a";

/** What somebody may do to a package after it was looked at. */
const TAMPERINGS: readonly (readonly [string, (project: MadeProject) => Promise<unknown>, RegExp])[] = [
  ["one byte of code", (p) => p.write(`${A}/index.js`, `${toolModule(["find"])} `), /file index\.js changed/],
  [
    "one byte of a file that nothing names",
    (p) => p.write(`${A}/lib/extra.js`, "export const extra = 2;"),
    /lib\/extra\.js changed/,
  ],
  ["a file that is new", (p) => p.write(`${A}/new.js`, ""), /file new\.js is new/],
  ["a file that is gone", (p) => p.remove(`${A}/lib/extra.js`), /file lib\/extra\.js is gone/],
  [
    "a file renamed in case alone",
    (p) => rename(path.join(p.dir, A, "lib/extra.js"), path.join(p.dir, A, "lib/Extra.js")),
    /lib\/Extra\.js is new/,
  ],
  [
    "a version that is lower",
    (p) => p.write(`${A}/package.json`, packageJson({ version: "0.9.0" })),
    /version "1\.0\.0" → "0\.9\.0"/,
  ],
  [
    "an install script",
    (p) => p.write(`${A}/package.json`, packageJson({ scripts: { install: "x" } })),
    /package\.json changed/,
  ],
  ["a description", (p) => tamperSpec(p, { description: "Runs find, and sends it." }), /⟦, and sends it⟧/],
  [
    "a schema",
    (p) => tamperSpec(p, { inputSchema: { type: "object", properties: { q: {} } } }),
    /schema at \/inputSchema/,
  ],
  [
    "an effect",
    (p) => tamperSpec(p, { metadata: { ...(specOf("find")["metadata"] as object), permissions: ["net"] } }),
    /metadata at \/metadata\/permissions\/0/,
  ],
  [
    "an implementation",
    (p) => tamperSpec(p, { implementation: { command: "rm" } }),
    /implementation at \/implementation/,
  ],
  ["a title", (p) => tamperSpec(p, { title: "Find" }), /title at \/title/],
  [
    "an example",
    (p) => tamperSpec(p, { instructions: { examples: [{ when: "all", input: { limit: 9 } }] } }),
    /instructions at \/instructions/,
  ],
  ["a letter that looks alike", (p) => tamperSpec(p, { description: "Runs f\u0456nd." }), /⟦f\\?.*\\u\{456\}/u],
  ["an export", (p) => tamperSpec(p, {}, { export: "other" }), /implementation at \/export/],
];

function packageJson(changes: object): string {
  return JSON.stringify({
    name: "fx-a",
    version: "1.0.0",
    type: "module",
    aiwhisperer: { tools: "./aiw-tools.json" },
    ...changes,
  });
}

function tamperSpec(project: MadeProject, changes: object, beside: object = {}): Promise<string> {
  const tools = [
    {
      module: "./index.js",
      export: "find",
      definitionHash: "sha256-",
      spec: specOf("find", { ...changes }),
      ...beside,
    },
  ];
  return project.write(`${A}/aiw-tools.json`, manifestOf("fx-a", [], { tools }));
}

describe("a project with aiw.lock", () => {
  it("lists and calls what is as it is pinned", async () => {
    await using project = await makeLocked();
    const registry = await discover(project.dir, { frozen: true });
    expect(registry.entries().map(({ id }) => id)).toEqual(["fx-a/find", "fx-b/other"]);
    expect(lockFindings(registry)).toEqual([]);
    expect(await call(registry, "find")).toMatchObject({ from: expect.stringContaining("fx-a/index.js") });
  });

  it.each(TAMPERINGS)(
    "row 34, SEC-META-5: %s disables the package and no other, and is shown",
    async (_what, tamper, shown) => {
      await using project = await makeLocked();
      await tamper(project);
      const registry = await discover(project.dir);
      expect(registry.entries().map(({ id }) => id)).toEqual(["fx-b/other"]);
      const [finding] = lockFindings(registry);
      expect(finding).toMatchObject({ code: "lock_drift", severity: "error", package: "fx-a", tools: ["find"] });
      expect(finding?.reason).toMatch(shown);
      expect(finding?.fix).toContain("aiw lock");
    },
  );

  it.each(TAMPERINGS)(
    "row 34, SEC-LOCK-1: %s fails everything where the lock must hold",
    async (_what, tamper, shown) => {
      await using project = await makeLocked();
      await tamper(project);
      const before = await readFile(path.join(project.dir, "aiw.lock"), "utf8");
      const error = await thrownBy(discover(project.dir, { frozen: true }));
      expect(error).toMatchObject({ code: "lock_drift", message: expect.stringMatching(shown) });
      // SEC-LOCK-2
      expect(await readFile(path.join(project.dir, "aiw.lock"), "utf8")).toBe(before);
    },
  );

  it("says why a pinned tool is gone while the rest of its package is there: it hides text", async () => {
    await using project = await makeLocked({ packages: [toolPackage("fx-a", ["find", "keep"])] });
    const hidden = "/tools/0/spec/description must not hide text from people: U+200B.";
    await hideText(project);
    const { message } = await thrownBy(discover(project.dir, { frozen: true }));
    expect(message).toContain("- fx-a/find\n");
    expect(message.split("\n").slice(-1)).toEqual([`! fx-a/find: ${hidden}`]);
  });

  it("SEC-META-5: enables a package again once the lock was made again", async () => {
    await using project = await makeLocked();
    await tamperSpec(project, { description: "Says something else." });
    await lock(project.dir);
    expect((await discover(project.dir, { frozen: true })).entries()).toHaveLength(2);
  });

  it("shows an invisible character that made a definition illegal", async () => {
    await using project = await makeLocked();
    await tamperSpec(project, { description: "Runs find.\u200b\u{e0041}" });
    const error = await thrownBy(discover(project.dir, { frozen: true }));
    expect(error.message).toContain("U+200B");
    expect(error.message).not.toMatch(/[\u200b\u{e0041}]/u);
  });

  it("lock_missing: a package that is not pinned is not enabled, and fails where the lock must hold", async () => {
    await using project = await makeLocked();
    const added = toolPackage("fx-c", ["third"]);
    for (const [file, text] of Object.entries(added.files ?? {}))
      await project.write(`node_modules/fx-c/${file}`, text);
    await project.write(
      "node_modules/fx-c/package.json",
      JSON.stringify({ name: "fx-c", version: "1.0.0", ...(added.packageJson as object) }),
    );
    await project.write(
      "package.json",
      JSON.stringify({ name: "shop", dependencies: { "fx-a": "1", "fx-b": "1", "fx-c": "1" } }),
    );
    const registry = await discover(project.dir);
    expect(registry.entries().map(({ id }) => id)).toEqual(["fx-a/find", "fx-b/other"]);
    expect(lockFindings(registry)).toMatchObject([{ code: "lock_missing", package: "fx-c", tools: ["third"] }]);
    expect(await thrownBy(discover(project.dir, { frozen: true }))).toMatchObject({
      code: "lock_missing",
      message: expect.stringContaining("+ fx-c"),
    });
  });

  it("says of a package that is pinned and gone that it is", async () => {
    await using project = await makeLocked();
    await project.write("package.json", JSON.stringify({ name: "shop", dependencies: { "fx-b": "1" } }));
    expect(lockFindings(await discover(project.dir))).toMatchObject([{ code: "lock_drift", package: "fx-a" }]);
    expect(await thrownBy(discover(project.dir, { frozen: true }))).toMatchObject({
      code: "lock_drift",
      message: expect.stringContaining("- fx-a 1.0.0: find"),
    });
  });

  it("takes two packages that changed places for two that changed", async () => {
    await using project = await makeLocked();
    await rename(path.join(project.dir, A), path.join(project.dir, "node_modules/x"));
    await rename(path.join(project.dir, "node_modules/fx-b"), path.join(project.dir, A));
    await rename(path.join(project.dir, "node_modules/x"), path.join(project.dir, "node_modules/fx-b"));
    const dependencies = { "fx-a": "npm:fx-b@1", "fx-b": "npm:fx-a@1" };
    await project.write("package.json", JSON.stringify({ name: "shop", dependencies }));
    const registry = await discover(project.dir);
    expect(registry.entries()).toEqual([]);
    expect(lockFindings(registry).map(({ reason }) => reason)).toEqual([
      expect.stringContaining('name "fx-a" → "fx-b"'),
      expect.stringContaining('name "fx-b" → "fx-a"'),
    ]);
  });

  it("pins an alias under its key with its package's name, and another key as another package", async () => {
    const packages = [toolPackage("fx-a", ["find"], { key: "mine", range: "npm:fx-a@1" })];
    await using project = await makeLocked({ packages });
    expect(readLock(project.dir)?.packages.get("mine")?.name).toBe("fx-a");
    await rename(path.join(project.dir, "node_modules/mine"), path.join(project.dir, "node_modules/yours"));
    await project.write("package.json", JSON.stringify({ name: "shop", dependencies: { yours: "npm:fx-a@1" } }));
    const { message } = await thrownBy(discover(project.dir, { frozen: true }));
    expect(message).toMatch(/- mine[^]*\+ yours/);
  });

  it("lets a package go on being off: nothing of it runs", async () => {
    await using project = await makeLocked();
    const config = { tools: { disabled: ["fx-a"] } };
    const registry = await discover(project.dir, { config, frozen: true });
    expect(registry.entries().map(({ id }) => id)).toEqual(["fx-b/other"]);
    const environment = { AIWHISPERER_PLUGINS: "fx-b" };
    expect((await discoverTools({ projectDir: project.dir, frozen: true }, { environment })).entries()).toHaveLength(1);
    const former = readLock(project.dir);
    const again = await createLock({ projectDir: project.dir, config }, WORLD);
    expect(again.kept).toEqual(["fx-a"]);
    expect(compareLock(former, again.lock)).toEqual([]);
  });

  it("keeps what production leaves out", async () => {
    const packageJson = { dependencies: { "fx-b": "1" }, devDependencies: { "fx-a": "1" } };
    await using project = await makeLocked({ packageJson });
    await project.remove(A);
    expect((await discover(project.dir, { frozen: true, production: true })).entries()).toHaveLength(1);
    expect((await createLock({ projectDir: project.dir, production: true }, WORLD)).kept).toEqual(["fx-a"]);
  });

  it("SEC-LOCK-1: a development form of a package is refused, and the project's own waits for trust as ever", async () => {
    const packages = [toolPackage("fx-map", ["m"], { packageJson: { aiwhisperer: { tools: { m: "./index.js#m" } } } })];
    await using project = await makeLocked({ packages });
    const own = { name: "shop", dependencies: { "fx-map": "1" }, aiwhisperer: { tools: { own: "./own.mjs#own" } } };
    await project.write("package.json", JSON.stringify(own));
    await project.write("own.mjs", toolModule(["own"]));
    const trusted = await discoverTools(
      { projectDir: project.dir },
      { ...WORLD, trust: { isTrusted: () => true }, modules: new ModuleLoader() },
    );
    expect(trusted.entries().map(({ id }) => id)).toEqual(["shop/own"]);
    expect(lockFindings(trusted)).toMatchObject([{ code: "lock_missing", package: "fx-map" }]);
    const frozen = await discover(project.dir, { frozen: true });
    expect(frozen.report.notEnabled.map(({ code }) => code)).toEqual([
      "static_manifest_required",
      "static_manifest_required",
    ]);
  });

  it("is listed the same without a registry", async () => {
    await using project = await makeLocked();
    await project.write(`${A}/index.js`, "");
    const listed = await listTools({ projectDir: project.dir }, WORLD);
    expect(listed.entries.map(({ id }) => id)).toEqual(["fx-b/other"]);
    expect(await thrownBy(listTools({ projectDir: project.dir, frozen: true }, WORLD))).toMatchObject({
      code: "lock_drift",
    });
  });

  it("fails a frozen reload that finds drift, and keeps the former tools", async () => {
    await using project = await makeLocked();
    const registry = await discover(project.dir, { frozen: true });
    const before = await readFile(path.join(project.dir, A, "index.js"), "utf8");
    await project.write(`${A}/index.js`, "");
    expect(await thrownBy(registry.reloadTools())).toMatchObject({ code: "lock_drift" });
    expect(registry.entries()).toHaveLength(2);
    expect(registry.report.rejected).toMatchObject([{ code: "reload_failed" }]);
    await project.write(`${A}/index.js`, before);
    await registry.reloadTools();
    expect(registry.report.rejected).toEqual([]);
  });

  it.each([false, true])(
    "takes a package out at a reload that is not frozen, its code loaded: %s",
    async (isLoaded) => {
      await using project = await makeLocked();
      const registry = await discover(project.dir);
      if (isLoaded) await call(registry, "find");
      await project.write(`${A}/index.js`, "");
      await registry.reloadTools();
      expect(registry.entries().map(({ id }) => id)).toEqual(["fx-b/other"]);
    },
  );

  it("does not believe a cache for what it pins", async () => {
    await using project = await makeLocked();
    await project.write("node_modules/.package-lock.json", "{}");
    const options = { cache: true };
    expect((await discover(project.dir, options)).entries()).toHaveLength(2);
    await project.write(`${A}/index.js`, "");
    expect((await discover(project.dir, options)).entries()).toHaveLength(1);
  });
});

describe("frozen", () => {
  it.each([
    ["the option", { frozen: true }, {}, {}],
    ["the environment", {}, { AIWHISPERER_FROZEN: "1" }, {}],
    ["the host's configuration", { config: { discovery: { frozen: true } } }, {}, {}],
    ["the project's file", {}, {}, { discovery: { frozen: true } }],
    ["the option against a file", { frozen: true }, {}, { discovery: { frozen: false } }],
    ["the environment against the option", { frozen: false }, { AIWHISPERER_FROZEN: "yes" }, {}],
  ] as const)("SEC-LOCK-1: holds by %s: without a lock nothing is found", async (_who, options, environment, file) => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["find"])] });
    await project.write("aiw.config.json", JSON.stringify(file));
    const found = discoverTools({ projectDir: project.dir, ...options }, { environment });
    expect(await thrownBy(found)).toMatchObject({ code: "lock_missing", fix: expect.stringContaining("aiw lock") });
  });

  it.each(["", "0", "false"])("does not hold by AIWHISPERER_FROZEN=%j", async (value) => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["find"])] });
    const environment = { AIWHISPERER_FROZEN: value };
    expect((await discoverTools({ projectDir: project.dir }, { environment })).entries()).toHaveLength(1);
  });

  it("SEC-LOCK-1: fails outside of a project too", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.remove("package.json");
    expect(await thrownBy(discover(project.dir, { frozen: true }))).toMatchObject({ code: "lock_missing" });
  });
});

describe("a lock that is damaged", () => {
  it.each<readonly [string, (text: string) => string, RegExp]>([
    ["is empty", () => "", /is not JSON/],
    ["is cut off", (text) => text.slice(0, -40), /is not JSON/],
    ["has conflicts", (text) => `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> branch\n`, /merge/],
    ["is newer", (text) => text.replace('"lockVersion": 1', '"lockVersion": 2'), /newer/],
    ["has no version", (text) => text.replace('"lockVersion": 1,\n', ""), /lockVersion/],
    [
      "names a member twice",
      (text) => text.replace('"lockVersion": 1', '"lockVersion": 1,\n  "lockVersion": 1'),
      /twice/,
    ],
    ["has a member nobody knows", (text) => text.replace('"lockVersion": 1', '"lockVersion": 1,\n  "more": 1'), /more/],
    ["lacks a package's files", (text) => text.replace(/"files": \{[^}]*\}/, '"files": {}'), /content/],
    ["lacks a package's tools", (text) => text.replace(/"tools": \{/, '"tool": {'), /tool/],
    ["has another text under the same hash", (text) => text.replace("Runs find.", "Runs other."), /definitionHash/],
    [
      "has a hash of another algorithm",
      (text) => text.replace(/"index.js": "sha256-[^"]+"/, '"index.js": "md5-x"'),
      /sha256/,
    ],
    ["has other spaces", (text) => text.replaceAll("  ", " "), /as aiw lock writes/],
    ["shows a character that hides", (text) => text.replace("fx-a", "fx-a\u200b"), /as aiw lock writes|package/],
    ["is a list", () => "[]", /object/],
    ["is null", () => "null", /object/],
    ["nests deeply", () => `${"[".repeat(50_000)}${"]".repeat(50_000)}`, /is not JSON|object|deeply/],
  ])("SEC-LOCK-1: refuses everything, frozen or not, when it %s", async (_what, damage, shown) => {
    await using project = await makeLocked();
    const file = path.join(project.dir, "aiw.lock");
    await writeFile(file, damage(await readFile(file, "utf8")));
    for (const frozen of [false, true])
      expect(await thrownBy(discover(project.dir, { frozen }))).toMatchObject({
        code: "lock_invalid",
        message: expect.stringMatching(shown),
        fix: expect.any(String),
      });
    expect(() => readLock(project.dir)).toThrow(shown);
  });

  it.each<readonly [string, (file: string) => Promise<unknown>]>([
    ["a folder", (file) => mkdir(file)],
    [
      "a link",
      async (file) => {
        await writeFile(`${file}2`, "{}");
        await symlink(`${file}2`, file);
      },
    ],
    ["a link to nothing", (file) => symlink("nowhere", file)],
    ["not UTF-8", (file) => writeFile(file, Buffer.from([0xff, 0xfe]))],
  ])("SEC-LOCK-1: refuses one that is %s", async (_what, make) => {
    await using project = await makeLocked();
    const file = path.join(project.dir, "aiw.lock");
    await rm(file);
    await make(file);
    expect(await thrownBy(discover(project.dir))).toMatchObject({ code: "lock_invalid" });
  });

  it("reads the line ends that git may give it", async () => {
    await using project = await makeLocked();
    const file = path.join(project.dir, "aiw.lock");
    await writeFile(file, (await readFile(file, "utf8")).replaceAll("\n", "\r\n"));
    expect((await discover(project.dir, { frozen: true })).entries()).toHaveLength(2);
  });
});

describe("createLock", () => {
  it("gives the same bytes for every layout, and says nothing of the machine", async () => {
    const packages = [toolPackage("fx-a", ["find"]), toolPackage("@fx/b", ["other", "another"])];
    await using npm = await makeProject({ layout: "npm", packages });
    await using pnpm = await makeProject({ layout: "pnpm", packages, directory: "a b#ü" });
    await pnpm.write("node_modules/@fx/b/node_modules/.bin/x", "");
    await pnpm.write("node_modules/fx-a/.DS_Store", "x");
    const texts = await Promise.all(
      [npm, pnpm].map(async ({ dir }) => serializeLock((await createLock({ projectDir: dir }, WORLD)).lock)),
    );
    expect(texts[1]).toBe(texts[0]);
    expect(texts[0]).not.toContain(npm.dir);
    expect(texts[0]).toMatch(/^\{\n {2}"lockVersion": 1,\n[\s\S]*\}\n$/);
  });

  it("SEC-LOCK-3: pins a linked package by what would run of it, whatever else lies beside", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { dependencies: { "fx-a": "link:./packages/a" } },
    });
    const made = toolPackage("fx-a", ["find"], {
      files: { "index.js": `import "./more.js";\n${toolModule(["find"])}`, "more.js": "1;" },
    });
    for (const [file, text] of Object.entries(made.files ?? {})) await project.write(`packages/a/${file}`, text);
    await project.write("packages/a/package.json", packageJson({ scripts: {} }));
    await mkdir(path.join(project.dir, "node_modules"));
    await symlink("../packages/a", path.join(project.dir, A));
    await lock(project.dir);
    await project.write("packages/a/README.md", "new");
    await project.write("packages/a/package.json", packageJson({ scripts: { test: "x" } }));
    expect((await discover(project.dir, { frozen: true })).entries()).toHaveLength(1);
    await project.write("packages/a/more.js", "2;");
    expect(await thrownBy(discover(project.dir, { frozen: true }))).toMatchObject({
      message: expect.stringContaining("file more.js changed"),
    });
    await project.write("packages/a/more.js", "1;");
    await project.write("packages/a/package.json", packageJson({ type: "commonjs" }));
    expect(await thrownBy(discover(project.dir, { frozen: true }))).toMatchObject({ code: "lock_drift" });
  });

  it.each([
    ["git", "git+https://example.org/fx-a.git"],
    ["URL", "https://example.org/fx-a.tgz"],
    ["file", "file:./fx-a.tgz"],
  ])("SEC-LOCK-3: pins a package from a %s whole", async (_what, range) => {
    await using project = await makeLocked({ packages: [toolPackage("fx-a", ["find"], { range })] });
    await project.write(`${A}/data.bin`, "x");
    expect(await thrownBy(discover(project.dir, { frozen: true }))).toMatchObject({ code: "lock_drift" });
  });

  it("SEC-LOCK-3: pins the project's own tools and folders of tools, and not the project around them", async () => {
    const packageJson = { aiwhisperer: { tools: "./aiw-tools.json" }, type: "module" };
    await using project = await makeProject({ layout: "npm", packageJson });
    await project.write("aiw-tools.json", manifestOf("shop", ["own"]));
    await project.write("index.js", toolModule(["own"]));
    const folder = toolPackage("mine", ["loose"]);
    for (const [file, text] of Object.entries(folder.files ?? {})) await project.write(`tools/mine/${file}`, text);
    await project.write(
      "tools/mine/package.json",
      JSON.stringify({ name: "mine", version: "1.0.0", ...(folder.packageJson as object) }),
    );
    const directories = ["tools"];
    await lock(project.dir, { directories });
    await project.write("app.js", "anything");
    await project.write(
      "package.json",
      JSON.stringify({ name: "shop", version: "2.0.0", scripts: {}, ...packageJson }),
    );
    await lock(project.dir, { directories });
    const ids = (await discover(project.dir, { directories, frozen: true })).entries().map(({ id }) => id);
    expect(ids).toEqual(["dir:mine/loose", "shop/own"]);
    await project.write("tools/mine/index.js", "");
    await project.write("index.js", "");
    expect(await thrownBy(discover(project.dir, { directories, frozen: true }))).toMatchObject({
      message: expect.stringMatching(/dir:mine: file[^]*shop: file/),
    });
  });

  it.each<readonly [string, (project: MadeProject) => Promise<unknown>]>([
    ["its manifest is broken", (p) => p.write(`${A}/aiw-tools.json`, "{")],
    ["all its tools are broken", (p) => tamperSpec(p, { description: "Runs\u200b find." })],
    ["it is not installed", (p) => p.remove(A)],
  ])("makes none when %s: nothing is silently left out", async (_what, harm) => {
    await using project = await makeLocked();
    await harm(project);
    const error = await thrownBy(createLock({ projectDir: project.dir }, WORLD));
    expect(error).toMatchObject({
      code: "lock_not_writable",
      message: expect.stringContaining("fx-a"),
      fix: expect.any(String),
    });
  });

  it("makes none when a pinned tool is broken while the rest of its package is there", async () => {
    await using project = await makeLocked({ packages: [toolPackage("fx-a", ["find", "keep"])] });
    await hideText(project);
    expect(await thrownBy(createLock({ projectDir: project.dir }, WORLD))).toMatchObject({
      code: "lock_not_writable",
      message: expect.stringMatching(/\nfx-a\/find: .*U\+200B/),
      details: { findings: [{ package: "fx-a", tool: "find" }] },
    });
  });

  it("leaves out a broken tool that was never pinned, and names it", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["find", "keep"])] });
    await hideText(project);
    const created = await createLock({ projectDir: project.dir }, WORLD);
    expect([...(created.lock.packages.get("fx-a")?.tools.keys() ?? [])]).toEqual(["keep"]);
    expect(created.broken).toMatchObject([{ package: "fx-a", tool: "find" }]);
    writeLock(project.dir, created.lock);
    expect((await createLock({ projectDir: project.dir }, WORLD)).broken).toHaveLength(1);
  });

  it("names no links, which managers unpack or leave out", async () => {
    await using project = await makeLocked();
    await symlink("index.js", path.join(project.dir, A, "main.js"));
    expect((await discover(project.dir, { frozen: true })).entries()).toHaveLength(2);
    await project.remove(`${A}/lib/extra.js`);
    await symlink("../index.js", path.join(project.dir, A, "lib/extra.js"));
    expect(await thrownBy(discover(project.dir, { frozen: true }))).toMatchObject({ code: "lock_drift" });
  });

  it("makes a lock whatever the environment demands of one, and says what it cannot pin", async () => {
    const packages = [toolPackage("fx-map", ["m"], { packageJson: { aiwhisperer: { tools: { m: "./index.js#m" } } } })];
    await using project = await makeProject({ layout: "npm", packages });
    const environment = { AIWHISPERER_FROZEN: "1" };
    const created = await createLock({ projectDir: project.dir }, { ...WORLD, environment });
    expect([...created.lock.packages]).toEqual([]);
    expect(created.unpinned).toMatchObject([{ package: "fx-map" }]);
  });
});
