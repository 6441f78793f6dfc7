import { spawnSync } from "node:child_process";
import { mkdir, readFile, symlink } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import { makeProject, manifestOf, specOf, toolPackage, type MadeProject } from "../__fixtures__/make-project.ts";
import { createLock } from "./create-lock.ts";
import { writeLock } from "./write-lock.ts";

const DOOR = JSON.stringify(new URL("../../node.ts", import.meta.url).href);

interface Ran {
  readonly value?: unknown;
  readonly code?: string;
  readonly reason?: string;
}

/** A module whose tool says what its parts say. */
const ENTRY = `
  import common, { named } from "./common.cjs";
  import data from "./data.json" with { type: "json" };
  export const find = { [Symbol.for("@aiw/core/tool")]: true, contractVersion: 1, spec: ${JSON.stringify(specOf("find"))},
    async execute() { const late = await import("./late.js"); return [common.part, named, data.value, late.value].join(); } };`;

const FILES = {
  "index.js": ENTRY,
  "common.cjs": `exports.part = require("./part.cjs") + require("./data.json").value; exports.named = "n"; exports.default = exports;`,
  "part.cjs": `module.exports = "p";`,
  "data.json": `{ "value": 1 }`,
  "late.js": `export const value = "l";`,
};

async function makeLocked(
  files: Readonly<Record<string, string>> = FILES,
  layout: "npm" | "pnpm" = "npm",
): Promise<MadeProject> {
  const packageJson = { type: "module", aiwhisperer: { tools: "./aiw-tools.json" } };
  const project = await makeProject({ layout, packages: [toolPackage("fx", ["find"], { packageJson, files })] });
  const { lock } = await createLock({ projectDir: project.dir }, { environment: {} });
  writeLock(project.dir, lock);
  return project;
}

/** Lists, does something, and calls: in a process of its own, since hooks and modules stay. */
function run({ dir }: MadeProject, meanwhile: string): Ran {
  const script = `
    import * as fs from "node:fs";
    import { discoverTools } from ${DOOR};
    const at = (file) => ${JSON.stringify(path.join(dir, "node_modules/fx"))} + "/" + file;
    const registry = await discoverTools({ projectDir: ${JSON.stringify(dir)}, frozen: true });
    const call = () => registry.getTool("find").execute({}, {});
    const print = (told) => console.log(JSON.stringify(told));
    try { ${meanwhile}; print({ value: await call() }); }
    catch (error) { print({ code: error.details?.finding?.code ?? error.code, reason: error.details?.finding?.reason ?? error.message }); }`;
  const done = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"] },
  });
  expect(done.stderr).toBe("");
  return JSON.parse(done.stdout) as Ran;
}

const EDIT = `(file, from, to) => fs.writeFileSync(at(file), fs.readFileSync(at(file), "utf8").replace(from, to))`;

/** Changes a file once what is read of the package has been compared for the last time before its import. */
const RACE = (then: string): string => `
  const { registerHooks } = await import("node:module"); const edit = ${EDIT}; let done = false;
  registerHooks({ resolve(specifier, context, next) { const found = next(specifier, context);
    if (!done && found.url.endsWith("/fx/index.js")) { done = true; ${then} } return found; } })`;

describe("verifyLoading", () => {
  it.each(["npm", "pnpm"] as const)(
    "SEC-LOCK-5: loads ES modules, CommonJS and JSON that are as they are pinned, under %s",
    async (layout) => {
      await using project = await makeLocked(FILES, layout);
      expect(run(project, "")).toEqual({ value: "p1,n,1,l" });
    },
  );

  it.each(Object.keys(FILES))(
    "SEC-LOCK-5: refuses %s when it changed after the listing, before the first call",
    async (file) => {
      await using project = await makeLocked();
      const ran = run(project, `(${EDIT})(${JSON.stringify(file)}, /$/, " ")`);
      expect(ran).toMatchObject({ code: "lock_drift", reason: expect.stringContaining(`file ${file} changed`) });
    },
  );

  it.each(["index.js", "common.cjs", "part.cjs", "data.json"])(
    "SEC-LOCK-5: refuses %s when it changes between the comparison and its evaluation",
    async (file) => {
      await using project = await makeLocked();
      const ran = run(project, RACE(`edit(${JSON.stringify(file)}, /$/, " ");`));
      expect(ran).toMatchObject({ code: "lock_drift", reason: expect.stringContaining(file) });
    },
  );

  it("SEC-LOCK-5: refuses what is loaded late, in the midst of a call", async () => {
    await using project = await makeLocked();
    const ran = run(project, RACE(`edit("late.js", "l", "m");`));
    expect(ran).toMatchObject({ code: "lock_drift", reason: expect.stringContaining("late.js") });
  });

  it("SEC-LOCK-5: refuses a file that was not there, and one that became a link", async () => {
    await using project = await makeLocked({
      ...FILES,
      "late.js": `export const { value } = await import("./" + "new.js");`,
    });
    expect(run(project, RACE(`fs.writeFileSync(at("new.js"), "export const value = 1;");`))).toMatchObject({
      code: "lock_drift",
      reason: expect.stringMatching(/new\.js.* is no file that aiw\.lock pins/),
    });
    await project.remove("node_modules/fx/new.js");
    await project.write("out.js", `export const value = "out";`);
    const linked = run(
      project,
      RACE(
        `fs.rmSync(at("late.js")); fs.symlinkSync(${JSON.stringify(path.join(project.dir, "out.js"))}, at("late.js"));`,
      ),
    );
    expect(linked).toMatchObject({ code: "lock_drift", reason: expect.stringContaining("late.js") });
  });

  it("SEC-LOCK-5: refuses an addon that changed before it is opened", async () => {
    const common = `let part; try { require("./addon.node"); } catch (error) { part = error.code; }
      exports.part = part; exports.named = 1; exports.default = exports;`;
    await using project = await makeLocked({
      ...FILES,
      "common.cjs": common,
      "addon.node": "none",
    });
    expect(run(project, RACE(`edit("addon.node", "none", "evil");`))).toMatchObject({
      value: expect.stringContaining("lock_drift"),
    });
  });

  it("leaves a package's own dependencies and everything else to whoever installed them", async () => {
    await using project = await makeLocked({ ...FILES, "part.cjs": `module.exports = require("dep");` });
    await project.write("node_modules/fx/node_modules/dep/index.js", `module.exports = "d";`);
    await project.write("host.mjs", "export default 1;");
    const ran = run(project, `await import(${JSON.stringify(path.join(project.dir, "host.mjs"))})`);
    expect(ran).toEqual({ value: "d1,n,1,l" });
  });

  it("SEC-LOCK-5: lets pinned code of the project load no file beside it that is not pinned, and the project what it wants", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { type: "module", aiwhisperer: { tools: "./aiw-tools.json" } },
    });
    await mkdir(path.join(project.dir, "node_modules"));
    await symlink("..", path.join(project.dir, "node_modules/fx"));
    await project.write("aiw-tools.json", manifestOf("shop", ["find"]));
    for (const [file, text] of Object.entries(FILES)) await project.write(file, text);
    const { lock } = await createLock({ projectDir: project.dir }, { environment: {} });
    writeLock(project.dir, lock);
    expect(run(project, "")).toEqual({ value: "p1,n,1,l" });
    await project.write("late.js", `export const { value } = await import("./" + "unnamed.js");`);
    await project.write("unnamed.js", `export const value = "u";`);
    const again = await createLock({ projectDir: project.dir }, { environment: {} });
    writeLock(project.dir, again.lock);
    expect(run(project, `await import(at("unnamed.js"))`)).toMatchObject({
      code: "lock_drift",
      reason: expect.stringContaining("unnamed.js"),
    });
  });

  it("hooks nothing into a process without a lock", async () => {
    await using project = await makeLocked();
    await project.remove("aiw.lock");
    const script = `
      import { createRequire } from "node:module";
      const real = createRequire("/")("node:module"); let hooked = 0; const { registerHooks } = real;
      real.registerHooks = (...args) => { hooked += 1; return registerHooks(...args); };
      real.syncBuiltinESMExports();
      const { discoverTools } = await import(${DOOR});
      const registry = await discoverTools({ projectDir: ${JSON.stringify(project.dir)} });
      console.log(JSON.stringify([await registry.getTool("find").execute({}, {}), hooked]));`;
    const done = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
    expect([done.stdout.trim(), done.stderr]).toEqual(['["p1,n,1,l",0]', ""]);
    expect(await readFile(path.join(project.dir, "package.json"), "utf8")).toContain("shop");
  });
});
