import { execFile, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, rename, symlink, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
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
import { discoverTools, type DiscoverToolsOptions } from "../discover-tools.ts";
import { ModuleLoader } from "../load/module-loader.ts";
import { createLock, type CreateLockOptions } from "./create-lock.ts";
import { hashValue } from "./hash-bytes.ts";
import { writeLock } from "./write-lock.ts";

const WORLD = { environment: {}, trust: { isTrusted: () => false } };
const DOOR = JSON.stringify(new URL("../../node.ts", import.meta.url).href);

async function lock(dir: string, options: CreateLockOptions = {}): Promise<void> {
  writeLock(dir, (await createLock({ projectDir: dir, ...options }, WORLD)).lock);
}

function discover(dir: string, options: DiscoverToolsOptions = {}): Promise<ToolRegistry> {
  return discoverTools({ projectDir: dir, ...options }, { ...WORLD, modules: new ModuleLoader() });
}

function findingsOf({ report }: ToolRegistry): Finding[] {
  return [...report.notEnabled, ...report.missing].filter(({ code }) => code.startsWith("lock_"));
}

function idsOf(registry: ToolRegistry): string[] {
  return registry.entries().map(({ id }) => id);
}

async function makeLocked(...packages: FixturePackage[]): Promise<MadeProject> {
  const project = await makeProject({ layout: "npm", packages });
  await lock(project.dir);
  return project;
}

/** Runs a script in a process of its own, since hooks and modules stay; what it prints last is what it found. */
function run({ dir }: MadeProject, script: string): unknown {
  const text = `
    import * as fs from "node:fs";
    import { discoverTools } from ${DOOR};
    const dir = ${JSON.stringify(dir)};
    const at = (file) => dir + "/" + file;
    const edit = (file, from, to) => fs.writeFileSync(at(file), fs.readFileSync(at(file), "utf8").replace(from, to));
    const codeOf = (error) => error.details?.finding?.code ?? error.code ?? String(error);
    const attempt = async (work) => { try { return await work(); } catch (error) { return codeOf(error); } };
    ${script}`;
  const done = spawnSync(process.execPath, ["--input-type=module", "-e", text], {
    encoding: "utf8",
    cwd: dir,
    env: { PATH: process.env["PATH"] },
  });
  expect(done.stderr).toBe("");
  return JSON.parse(done.stdout.trim().split("\n").at(-1) ?? "");
}

/** A tool that loads more of its package when it is called. */
function lateModule(name: string, late: string): string {
  return `export const ${name} = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(specOf(name))},
    async execute() { return (await import(${late})).value; } };`;
}

describe("a package that is pinned", () => {
  it("SEC-META-5: is not enabled once its definitions are in code, whoever vouches for its folder", async () => {
    await using project = await makeProject({ layout: "npm" });
    const { files = {}, packageJson } = toolPackage("mine", ["loose"]);
    for (const [file, text] of Object.entries(files)) await project.write(`tools/mine/${file}`, text);
    const declare = (tools: unknown): Promise<string> =>
      project.write(
        "tools/mine/package.json",
        JSON.stringify({ name: "mine", version: "1.0.0", ...(packageJson as object), aiwhisperer: { tools } }),
      );
    await declare("./aiw-tools.json");
    const directories = ["tools"];
    await lock(project.dir, { directories });
    expect(idsOf(await discover(project.dir, { directories }))).toEqual(["dir:mine/loose"]);
    for (const tools of [{ loose: "./index.js#loose" }, "./index.js"]) {
      await declare(tools);
      const registry = await discover(project.dir, { directories });
      await registry.load();
      expect(idsOf(registry)).toEqual([]);
      expect(findingsOf(registry)).toMatchObject([{ code: "lock_drift", package: "dir:mine" }]);
    }
    await declare("./aiw-tools.json");
    await rename(path.join(project.dir, "tools/mine"), path.join(project.dir, "mine"));
    await project.write("tools/mine.mjs", toolModule(["loose"]));
    const registry = await discover(project.dir, { directories });
    await registry.load();
    expect(idsOf(registry)).toEqual([]);
  });

  it("SEC-LOCK-1: has no lock without a module that it names, where somebody works in it", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { dependencies: { fx: "link:packages/fx" } },
    });
    await project.write("packages/fx/package.json", linkedJson({}));
    await project.write("packages/fx/aiw-tools.json", manifestOf("fx", ["find"]));
    await mkdir(path.join(project.dir, "node_modules"));
    await symlink("../packages/fx", path.join(project.dir, "node_modules/fx"));
    await expect(lock(project.dir)).rejects.toMatchObject({
      code: "lock_not_writable",
      message: expect.stringContaining("index.js"),
    });
  });

  it("SEC-LOCK-3: has what it was published with in a node_modules further down pinned too", async () => {
    const files = {
      "index.js": toolModule(["find"], { before: 'import "part";' }),
      "dist/node_modules/part/index.js": "",
    };
    await using project = await makeLocked(toolPackage("fx", ["find"], { files }));
    await project.write("node_modules/fx/dist/node_modules/part/index.js", "evil");
    expect(findingsOf(await discover(project.dir))).toMatchObject([{ code: "lock_drift", package: "fx" }]);
    await project.write("node_modules/fx/dist/node_modules/part/index.js", "");
    await project.write("node_modules/fx/dist/node_modules/more/index.js", "");
    expect(findingsOf(await discover(project.dir))).toMatchObject([
      { code: "lock_drift", reason: expect.stringContaining("more/index.js is new") },
    ]);
  });

  it("SEC-LOCK-4: has hashes of what is there after it was pinned anew, with more, fewer and other files", async () => {
    await using project = await makeLocked(toolPackage("fx", ["find"], { files: { "a.js": "1" } }));
    for (const [file, text] of Object.entries({ "b.js": "1", "a.js": "2" })) {
      await project.write(`node_modules/fx/${file}`, text);
      await lock(project.dir);
      expect(idsOf(await discover(project.dir, { frozen: true }))).toEqual(["fx/find"]);
    }
    await project.remove("node_modules/fx/b.js");
    await lock(project.dir);
    expect(idsOf(await discover(project.dir, { frozen: true }))).toEqual(["fx/find"]);
  });

  it("SEC-LOCK-5: loads nothing from a node_modules further down that is not pinned", async () => {
    const files = {
      "index.js": lateModule("find", '"./dist/late.js"'),
      "dist/late.js": 'export { value } from "part";',
      "dist/node_modules/part/package.json": '{ "type": "module", "exports": "./index.js" }',
      "dist/node_modules/part/index.js": "export const value = 1;",
    };
    await using project = await makeLocked(toolPackage("fx", ["find"], { files }));
    const call = "const call = async () => (await discoverTools({ projectDir: dir })).getTool('find').execute({}, {});";
    expect(run(project, `${call} console.log(await call());`)).toBe(1);
    const race = `${call}
      const { registerHooks } = await import("node:module");
      const found = (await discoverTools({ projectDir: dir })).getTool("find");
      registerHooks({ resolve(specifier, context, next) {
        if (specifier === "./dist/late.js") edit("node_modules/fx/dist/node_modules/part/index.js", "1", "2");
        return next(specifier, context); } });
      console.log(JSON.stringify(await attempt(() => found.execute({}, {}))));`;
    expect(run(project, race)).toBe("lock_drift");
  });

  it.each<readonly [string, string]>([
    ["out of it", "../../evil.js"],
    ["to nothing yet", "../../none.js"],
    ["into its dependencies", "node_modules/dep/index.js"],
  ])("SEC-LOCK-5: is refused for a link that leads %s: its own name may lead there", async (_what, target) => {
    const packageJson = { name: "fx", imports: { "#rules/*": "./rules/*.js" }, exports: { "./*": "./rules/*.js" } };
    const files = { "rules/a.js": "" };
    await using project = await makeLocked(toolPackage("fx", ["find"], { packageJson, files }));
    await writeFile(path.join(project.dir, "node_modules/evil.js"), "");
    await project.write("node_modules/fx/node_modules/dep/index.js", "");
    expect(idsOf(await discover(project.dir, { frozen: true }))).toEqual(["fx/find"]);
    await symlink(
      path.join(project.dir, "node_modules/fx", target),
      path.join(project.dir, "node_modules/fx/rules/b.js"),
    );
    expect(findingsOf(await discover(project.dir))).toMatchObject([
      { code: "lock_drift", reason: expect.stringMatching(/rules\/b\.js.*(?:leads out|cannot be read)/) },
    ]);
    await expect(lock(project.dir)).rejects.toMatchObject({ code: "lock_not_writable" });
  });

  const TAMPER = `edit("node_modules/fx/late.js", "1", "2");`;

  it.each<readonly [string, string, unknown]>([
    ["as it was", "", 1],
    ["after a change", TAMPER, "lock_drift"],
    [
      "when another registry leaves the package out",
      `await discoverTools({ projectDir: dir, config: { tools: { disabled: ["fx"] } } }); ${TAMPER}`,
      "lock_drift",
    ],
    ["when a reload takes it out", `${TAMPER} await registry.reloadTools();`, "lock_drift"],
  ])("SEC-LOCK-5: is compared for code of it that runs and loads more: %s", async (_when, then, expected) => {
    const files = { "index.js": lateModule("find", '"./late.js"'), "late.js": "export const value = 1;" };
    await using project = await makeLocked(toolPackage("fx", ["find"], { files }), toolPackage("fx-b", ["other"]));
    const script = `
      const registry = await discoverTools({ projectDir: dir });
      const { find } = await import(at("node_modules/fx/index.js"));
      ${then}
      console.log(JSON.stringify(await attempt(() => find.execute())));`;
    expect(run(project, script)).toBe(expected);
  });

  it.each<readonly [string, (project: MadeProject) => Promise<unknown>, RegExp]>([
    [
      "a nested package.json that makes a script of a module",
      (p) => p.write("packages/fx/lib/package.json", '{ "type": "commonjs" }'),
      /file lib\/package\.json is new/,
    ],
    [
      "the default of an option",
      (p) => p.write("packages/fx/aiw-tools.json", manifestWith({ type: "object", properties: { x: { default: 2 } } })),
      /manifest \(optionsSchema\) changed/,
    ],
    ["the module of a tool that is data", (p) => p.write("packages/fx/data.js", "evil"), /file data\.js changed/],
    ["the main file", (p) => p.write("packages/fx/package.json", linkedJson({ main: "b.js" })), /main.* changed/],
  ])("SEC-LOCK-3: is not enabled after a change of %s, where somebody works in it", async (_what, tamper, shown) => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { dependencies: { fx: "link:packages/fx" } },
    });
    await project.write("packages/fx/package.json", linkedJson({}));
    await project.write("packages/fx/index.js", toolModule(["find"], { before: 'import "./lib/a.js";' }));
    await project.write("packages/fx/lib/a.js", "");
    await project.write("packages/fx/data.js", "export default () => 1;");
    await project.write(
      "packages/fx/aiw-tools.json",
      manifestWith({ type: "object", properties: { x: { default: 1 } } }),
    );
    await mkdir(path.join(project.dir, "node_modules"));
    await symlink("../packages/fx", path.join(project.dir, "node_modules/fx"));
    await lock(project.dir);
    expect(idsOf(await discover(project.dir, { frozen: true }))).toEqual(["fx/data", "fx/find"]);
    await tamper(project);
    const registry = await discover(project.dir);
    expect(idsOf(registry)).toEqual([]);
    expect(findingsOf(registry)).toMatchObject([{ code: "lock_drift", reason: expect.stringMatching(shown) }]);
  });
});

describe("a project's own tools that are pinned", () => {
  const own = { type: "module", aiwhisperer: { tools: "./aiw-tools.json" } };

  async function makeOwn(late: string): Promise<MadeProject> {
    const project = await makeProject({ layout: "npm", packageJson: own, directory: "shop" });
    await project.write("aiw-tools.json", manifestOf("shop", ["find"]));
    await project.write("index.js", lateModule("find", late));
    return project;
  }

  const CALL = `const registry = await discoverTools({ projectDir: dir, frozen: true });
    const { find } = await import(at("index.js"));
    console.log(JSON.stringify(await attempt(() => find.execute())));`;

  it("import workspace members that lie below it, as any other dependency", async () => {
    await using project = await makeOwn('"member"');
    await project.write(
      "packages/member/package.json",
      '{ "name": "member", "type": "module", "exports": "./index.js" }',
    );
    await project.write("packages/member/index.js", 'export { value } from "./part.js";');
    await project.write("packages/member/part.js", "export const value = 1;");
    await mkdir(path.join(project.dir, "node_modules"));
    await symlink("../packages/member", path.join(project.dir, "node_modules/member"));
    await lock(project.dir);
    expect(run(project, CALL)).toBe(1);
  });

  it("SEC-LOCK-5: load nothing by a computed name that leads out through a link", async () => {
    await using project = await makeOwn('"./" + ["rules", "a.js"].join("/")');
    await project.write("../elsewhere/a.js", "export const value = 2;");
    await symlink("../elsewhere", path.join(project.dir, "rules"));
    await lock(project.dir);
    expect(run(project, CALL)).toBe("lock_drift");
  });
});

describe("a folder that code scans later", () => {
  const EDIT = '"./late.js"';

  async function makeScanned(): Promise<MadeProject> {
    const project = await makeProject({ layout: "npm", packages: [toolPackage("fx", ["find"])] });
    const { files = {}, packageJson } = toolPackage("mine", ["own"], {
      files: { "index.js": lateModule("own", EDIT), "late.js": "export const value = 1;" },
    });
    for (const [file, text] of Object.entries(files)) await project.write(`tools/mine/${file}`, text);
    await project.write(
      "tools/mine/package.json",
      JSON.stringify({ name: "mine", version: "1.0.0", ...(packageJson as object) }),
    );
    await lock(project.dir, { directories: ["tools"] });
    return project;
  }

  it("SEC-LOCK-1: throws where the lock must hold, and leaves the registry as it was", async () => {
    await using project = await makeScanned();
    const options = { directories: ["tools"], frozen: true };
    const registry = await discover(project.dir, options);
    expect((await registry.scan("tools")).map(({ id }) => id)).toEqual(["dir:mine/own"]);
    await project.write(
      "more/other/package.json",
      await readFile(path.join(project.dir, "tools/mine/package.json"), "utf8"),
    );
    await project.write("more/other/aiw-tools.json", manifestOf("mine", ["own"]));
    await project.write("more/other/index.js", toolModule(["own"]));
    await expect(registry.scan("more")).rejects.toMatchObject({
      code: "lock_missing",
      message: expect.stringContaining("+ dir:other"),
    });
    await registry.load();
    expect(idsOf(registry)).toEqual(["fx/find", "dir:mine/own"]);
    const loose = await discover(project.dir, { directories: ["tools"] });
    expect(await loose.scan("more")).toEqual([]);
    expect(findingsOf(loose)).toMatchObject([{ code: "lock_missing", package: "dir:other" }]);
  });

  it("SEC-LOCK-5: loads nothing of it that is not pinned", async () => {
    await using project = await makeScanned();
    const script = (then: string): string => `
      const registry = await discoverTools({ projectDir: dir });
      await registry.scan("tools");
      const { own } = await import(at("tools/mine/index.js"));
      ${then}
      console.log(JSON.stringify(await attempt(() => own.execute())));`;
    expect(run(project, script(""))).toBe(1);
    expect(run(project, script(`edit("tools/mine/late.js", "1", "2");`))).toBe("lock_drift");
  });

  it("SEC-LOCK-2: is held by the lock of the last reload", async () => {
    await using project = await makeScanned();
    const registry = await discover(project.dir);
    expect(await registry.scan("tools")).toHaveLength(1);
    const before = await readFile(path.join(project.dir, "tools/mine/late.js"), "utf8");
    await project.write("tools/mine/late.js", "export const value = 2;");
    await lock(project.dir, { directories: ["tools"] });
    await project.write("tools/mine/late.js", before);
    await registry.reloadTools();
    expect(idsOf(registry)).toEqual(["fx/find"]);
  });
});

describe("aiw.lock", () => {
  it.each<readonly [string, (text: string) => string | Buffer]>([
    ["has a version that is a text", (text) => text.replace('"lockVersion": 1', '"lockVersion": "1"')],
    ["has a version that is written otherwise", (text) => text.replace('"lockVersion": 1', '"lockVersion": 1.0')],
    ["has a version of none", (text) => text.replace('"lockVersion": 1', '"lockVersion": 0')],
    ["has a NUL", (text) => `${text}\0`],
    ["has no line feed at its end", (text) => text.trimEnd()],
    ["has one more", (text) => `${text}\n`],
    ["has one tool under another's name", (text) => text.replace('"find": {', '"fund": {')],
    ["has a package of no name a project can write", (text) => text.replace('"fx": {', '"fx/../fy": {')],
    ["has a member of a prototype", (text) => text.replace('"packages": {', '"__proto__": {}, "packages": {')],
    ["names a package twice", (text) => text.replace('"packages": {', '"packages": {\n    "fx": {},')],
    ["names a file twice", (text) => text.replace(/("index\.js": ".*")/, "$1,\n        $1")],
    [
      "has a weaker hash",
      (text) => text.replace(/("index\.js": ")sha256-[^"]*/, "$1sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk="),
    ],
    ["has a hash cut short", (text) => text.replace(/("index\.js": "sha256-[^"]{40})[^"]*/, "$1")],
    ["has a hash in hexadecimal", (text) => text.replace(/("index\.js": ")[^"]*/, `$1sha256-${"a".repeat(64)}`)],
    ["writes a letter as an escape", (text) => text.replace("Runs find", "\\u0052uns find")],
    ["says another effect under the same hash", (text) => text.replace('"readOnly": true', '"readOnly": false')],
    ["has another hash of the same definition", (text) => text.replace(/("definitionHash": "sha256-)./, "$1_")],
    ["has another package's content", (text) => text.replace(/("content": "sha256-)./, "$1_")],
    ["is not UTF-8", (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xc0, 0x80])])],
  ])("SEC-LOCK-1: lets nothing through when it %s", async (_what, damage) => {
    await using project = await makeLocked(toolPackage("fx", ["find"]));
    const file = path.join(project.dir, "aiw.lock");
    const before = await readFile(file, "utf8");
    const after = damage(before);
    expect(after).not.toEqual(before);
    await writeFile(file, after);
    for (const frozen of [false, true])
      await expect(discover(project.dir, { frozen })).rejects.toMatchObject({ code: "lock_invalid" });
    expect(await readFile(file)).toEqual(Buffer.from(after));
  });

  it.skipIf(process.platform === "win32")("SEC-LOCK-1: waits for no pipe in its place", async () => {
    await using project = await makeLocked(toolPackage("fx", ["find"]));
    await project.remove("aiw.lock");
    spawnSync("mkfifo", [path.join(project.dir, "aiw.lock")]);
    await expect(discover(project.dir)).rejects.toMatchObject({ code: "lock_invalid" });
    await expect(lock(project.dir)).rejects.toMatchObject({ code: "lock_not_writable" });
  });

  it("SEC-LOCK-6: is one whole file after many processes wrote it at once, and no other is left", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx", ["find"])] });
    const script = `import { createLock, readLock, writeLock } from ${DOOR};
      const { lock } = await createLock({ projectDir: ${JSON.stringify(project.dir)} }, { environment: {} });
      for (let round = 0; round < 20; round += 1) {
        writeLock(${JSON.stringify(project.dir)}, { packages: round % 2 === 0 ? new Map() : lock.packages });
        readLock(${JSON.stringify(project.dir)});
      }`;
    const run = promisify(execFile);
    const options = { env: { PATH: process.env["PATH"] } };
    await Promise.all([1, 2, 3].map(() => run(process.execPath, ["--input-type=module", "-e", script], options)));
    expect((await readdir(project.dir)).filter((name) => name.includes("aiw.lock"))).toEqual(["aiw.lock"]);
    expect(idsOf(await discover(project.dir, { frozen: true }))).toEqual(["fx/find"]);
  });
});

function linkedJson(changes: object): string {
  return JSON.stringify({
    name: "fx",
    version: "1.0.0",
    type: "module",
    aiwhisperer: { tools: "./aiw-tools.json" },
    ...changes,
  });
}

function manifestWith(optionsSchema: object): string {
  const data = specOf("data", { type: "module", implementation: { module: "./data.js" } });
  const tools = [
    { module: "./index.js", export: "find", definitionHash: hashValue(specOf("find")), spec: specOf("find") },
    { definitionHash: hashValue(data), spec: data },
  ];
  return manifestOf("fx", [], { optionsSchema, tools });
}
