import { spawnSync } from "node:child_process";
import { symlink } from "node:fs/promises";
import * as path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeProject, type MadeProject } from "../__fixtures__/make-project.ts";
import { findPnpProject, splitNodeOptions } from "./find-pnp-project.ts";

/** A hook that does what discovery relies on, and leaves a line wherever its code runs. */
const HOOK = `
const module_ = require("node:module");
console.log("ran " + __filename);
if (!module_.findPnpApi) {
  Object.defineProperty(process.versions, "pnp", { value: "3", configurable: true });
  module_.findPnpApi = (at) => {
    for (let dir = at; ; dir = require("node:path").dirname(dir)) {
      for (const name of [".pnp.js", ".pnp.cjs"]) {
        const file = require("node:path").join(dir, name);
        if (!require("node:fs").existsSync(file)) continue;
        if (file !== __filename) new module_(file).load(file);
        return { of: file, findPackageLocator: (where) => where.includes("ignored") ? null : { name: "x", reference: "1" } };
      }
      if (dir === "/") return null;
    }
  };
  // As Yarn's does, so that the module cache does not show it.
  delete require.cache[__filename];
}`;

/** Asks for several projects in a process that was started with a hook. */
async function ask(
  host: MadeProject,
  dirs: readonly string[],
  env: NodeJS.ProcessEnv,
  flags: readonly string[],
): Promise<string[]> {
  const script = await host.write(
    "ask.mjs",
    `const { findPnpProject } = await import(${JSON.stringify(new URL("./find-pnp-project.ts", import.meta.url).href)});
    for (const dir of ${JSON.stringify(dirs)}) {
      if (dir.endsWith("elsewhere")) process.chdir(dir);
      const found = findPnpProject(dir);
      console.log(found === undefined ? "none" : found.api.of + " " + found.issuer);
    }`,
  );
  const run = spawnSync(process.execPath, ["--conditions=aiw-source", "--no-warnings", ...flags, script], {
    encoding: "utf8",
    cwd: host.dir,
    env: { PATH: process.env["PATH"], ...env },
  });
  expect(run.stderr).toBe("");
  return run.stdout.trim().split("\n");
}

describe("findPnpProject", () => {
  it("finds nothing in a process without a hook", async () => {
    await using project = await makeProject({ layout: "npm" });
    await project.write(".pnp.cjs", "throw new Error('ran')");
    expect(findPnpProject(project.dir)).toBeUndefined();
  });

  it.each(["NODE_OPTIONS", "arguments"])(
    "asks the hook that %s preloaded, and runs no other project's",
    async (how) => {
      await using host = await makeProject({ layout: "npm", directory: "ho st" });
      await using stranger = await makeProject({ layout: "npm" });
      await using plain = await makeProject({ layout: "npm" });
      const hook = await host.write(".pnp.cjs", HOOK);
      await host.write("member/package.json", "{}");
      await host.write("ignored/package.json", "{}");
      await stranger.write(".pnp.cjs", HOOK);
      await symlink(host.dir, path.join(plain.dir, "link"));
      const dirs = [
        host.dir,
        path.join(host.dir, "member"),
        path.join(plain.dir, "link"),
        path.join(host.dir, "ignored"),
        stranger.dir,
        plain.dir,
        path.join(plain.dir, "absent"),
      ];
      const answers =
        how === "arguments"
          ? await ask(host, dirs, {}, ["--require", "./.pnp.cjs"])
          : await ask(host, dirs, { NODE_OPTIONS: `--require ${JSON.stringify(hook)}` }, []);
      expect(answers).toEqual([
        `ran ${hook}`,
        `${hook} ${host.dir}${path.sep}`,
        `${hook} ${path.join(host.dir, "member")}${path.sep}`,
        `${hook} ${host.dir}${path.sep}`,
        "none",
        "none",
        "none",
        "none",
      ]);
    },
  );

  it.each([".pnp.js", ".pnp.cjs"])(
    "runs no %s of a checkout inside the running project, whatever else lies there",
    async (name) => {
      await using host = await makeProject({ layout: "npm" });
      const hook = await host.write(".pnp.cjs", HOOK);
      await host.write(`checkout/${name}`, HOOK);
      await host.write("both/.pnp.cjs", HOOK);
      await host.write("both/.pnp.js", HOOK);
      const dirs = [path.join(host.dir, "checkout"), path.join(host.dir, "both", "deep"), host.dir];
      await host.write("both/deep/package.json", "{}");
      expect(await ask(host, dirs, {}, ["--require", hook])).toEqual([
        `ran ${hook}`,
        "none",
        "none",
        `${hook} ${host.dir}${path.sep}`,
      ]);
    },
  );

  it("takes no hook of the folder a process went to for the one it was started with", async () => {
    await using host = await makeProject({ layout: "npm" });
    await using stranger = await makeProject({ layout: "npm", directory: "elsewhere" });
    const hook = await host.write(".pnp.cjs", HOOK);
    await stranger.write(".pnp.cjs", HOOK);
    expect(await ask(host, [stranger.dir, host.dir], {}, ["--require", "./.pnp.cjs"])).toEqual([
      `ran ${hook}`,
      "none",
      `${hook} ${host.dir}${path.sep}`,
    ]);
  });
});

describe("splitNodeOptions", () => {
  it.each([
    ["", []],
    ["  --a   b ", ["--a", "b"]],
    ['--require "/a b/.pnp.cjs" --c', ["--require", "/a b/.pnp.cjs", "--c"]],
    ['--require="/a \\"b\\\\/.pnp.cjs"', ['--require=/a "b\\/.pnp.cjs']],
    ['"unclosed', ["unclosed"]],
  ])("splits %j", (text, parts) => {
    expect(splitNodeOptions(text)).toEqual(parts);
  });

  it("gives back whatever was quoted", () => {
    const part = fc.string({ minLength: 1 });
    const quote = (text: string): string => `"${text.replaceAll(/["\\]/gu, "\\$&")}"`;
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(splitNodeOptions(parts.map(quote).join(" "))).toEqual(parts);
      }),
    );
  });
});
