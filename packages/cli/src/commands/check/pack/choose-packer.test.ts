import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { choosePacker, type PackerWish } from "./choose-packer.ts";

type Manager = PackerWish["manager"];

const WORKSPACE = { dependencies: { "@aiw/core": "workspace:^" } };

async function choose(manager: Manager, packageJson: object, there: readonly string[]): Promise<string> {
  await using folder = await temporaryWorkspace(Object.fromEntries(there.map((name) => [name, "#!/bin/sh\n"])));
  for (const name of there) await chmod(join(folder.cwd, name), 0o755);
  const environment = { PATH: `relative:${folder.cwd}` };
  const packer = await choosePacker({ manager, packageJson: { ...packageJson }, target: "/t", environment });
  return "file" in packer ? [packer.manager, ...packer.args].join(" ") : packer.reason;
}

describe("choosePacker", () => {
  it.each<[string, Manager, object, string]>([
    ["npm", "npm", {}, "npm pack --ignore-scripts --pack-destination /t --loglevel=error"],
    ["pnpm", "pnpm", {}, "pnpm pack --pack-destination /t --config.ignore-scripts=true"],
    ["yarn", "yarn", {}, "yarn pack --out /t/package.tgz"],
    ["bun", "bun", {}, "bun pm pack --ignore-scripts --destination /t"],
    [
      "npm for yarn, which would run a script",
      "yarn",
      { scripts: { prepack: "tsc" } },
      "npm pack --ignore-scripts --pack-destination /t --loglevel=error",
    ],
    [
      "pnpm where npm could not read the ranges",
      "npm",
      WORKSPACE,
      "pnpm pack --pack-destination /t --config.ignore-scripts=true",
    ],
    [
      "nothing where yarn must and would run a script",
      "yarn",
      { ...WORKSPACE, scripts: { prepack: "tsc" } },
      "yarn pack always runs prepack and postpack, and npm cannot read the ranges of this workspace.",
    ],
  ])("packs by %s", async (_what, manager, packageJson, command) => {
    expect(await choose(manager, packageJson, ["npm", "pnpm", "yarn", "bun"])).toBe(command);
  });

  it("takes npm where the own manager is not there and not needed", async () => {
    expect(await choose("bun", {}, ["npm"])).toContain("npm pack");
    expect(await choose("bun", WORKSPACE, ["npm"])).toContain("bun was not found");
  });

  it("takes the manager that runs it before one on the PATH", async () => {
    await using folder = await temporaryWorkspace({ "pnpm.cjs": "" });
    const running = join(folder.cwd, "pnpm.cjs");
    const environment = { PATH: "/nowhere", npm_execpath: running };
    const packer = await choosePacker({ manager: "pnpm", packageJson: WORKSPACE, target: "/t", environment });
    expect(packer).toMatchObject({
      file: process.execPath,
      args: [running, "pack", "--pack-destination", "/t", "--config.ignore-scripts=true"],
    });
  });
});
