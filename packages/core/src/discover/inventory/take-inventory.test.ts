import { symlink } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import type { DiscoveryReport } from "../../register/discovery-report.ts";
import { makeProject, toolPackage, type MadeProject } from "../__fixtures__/make-project.ts";
import { readRunningCore } from "../core-version.ts";
import { discoverTools, type DiscoverToolsOptions, type DiscoveryWorld } from "../discover-tools.ts";
import type { PnpApi, PnpLocator } from "../locate/pnp-project.ts";

async function takeInventory(
  { dir }: MadeProject,
  options: DiscoverToolsOptions = {},
  world: Partial<DiscoveryWorld> = {},
): Promise<DiscoveryReport> {
  const all = { projectDir: dir, inventory: true, ...options };
  return (await discoverTools(all, { environment: {}, ...world })).report;
}

function dependingOn(name: string, dependencies: Readonly<Record<string, string>>): Record<string, unknown> {
  return { name, version: "1.0.0", type: "module", dependencies, aiwhisperer: { tools: "./aiw-tools.json" } };
}

describe("an inventory of manifests", () => {
  it("notes a definition that was edited after its manifest had been written, and runs nothing", async () => {
    const one = toolPackage("fx-edited", ["greet"]);
    const edited = (one.files?.["aiw-tools.json"] ?? "").replace("Runs greet.", "Runs greet, and more.");
    await using project = await makeProject({
      layout: "npm",
      packages: [{ ...one, files: { ...one.files, "aiw-tools.json": edited } }, toolPackage("fx-whole", ["whole"])],
    });
    const { found } = await takeInventory(project);
    expect(found.map(({ id, notes }) => [id, notes.map(({ code, tool }) => [code, tool])])).toEqual([
      ["fx-edited", [["manifest_stale", "greet"]]],
      ["fx-whole", []],
    ]);
    const plain = await discoverTools({ projectDir: project.dir }, { environment: {} });
    expect(plain.report.found.flatMap(({ notes }) => notes)).toEqual([]);
  });
});

describe("takeInventory", () => {
  it("names the nearest package that brings a tool package, however deep", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [
        { name: "a-far", packageJson: { dependencies: { b: "1" } } },
        { name: "b", undeclared: true, packageJson: { dependencies: { "fx-deep": "1", c: "1" } } },
        { name: "c", undeclared: true, packageJson: { dependencies: { b: "1", "fx-deep": "1" } } },
        toolPackage("fx-deep", ["deep"], { undeclared: true }),
      ],
    });
    expect((await takeInventory(project)).notEnabled).toMatchObject([
      { code: "transitive_dependency", package: "fx-deep", reason: expect.stringMatching(/^b 1\.0\.0 depends on it/u) },
    ]);
  });

  it("follows optional and peer dependencies, and an alias to the name it stands for", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [
        {
          name: "user",
          packageJson: { optionalDependencies: { nick: "npm:fx-real@1" }, peerDependencies: { "fx-peer": "1" } },
        },
        toolPackage("fx-real", ["real"], { key: "nick", undeclared: true }),
        toolPackage("fx-peer", ["peer"], { undeclared: true }),
      ],
    });
    const { notEnabled } = await takeInventory(project);
    expect(notEnabled.map(({ code, package: name }) => `${name} ${code}`)).toEqual([
      "fx-peer transitive_dependency",
      "fx-real transitive_dependency",
    ]);
  });

  it("finds what a strict store hides from the project", async () => {
    await using project = await makeProject({
      layout: "pnpm",
      packages: [{ name: "user", packageJson: { dependencies: { "fx-hidden": "1" } } }],
    });
    const store = "node_modules/.pnpm/fx-hidden@1.0.0/node_modules/fx-hidden";
    await project.write(`${store}/package.json`, JSON.stringify(dependingOn("fx-hidden", {})));
    await symlink(
      path.join(project.dir, store),
      path.join(project.dir, "node_modules/.pnpm/user@1.0.0/node_modules/fx-hidden"),
    );
    expect((await takeInventory(project)).notEnabled).toMatchObject([
      { code: "transitive_dependency", package: "fx-hidden", dir: expect.stringContaining(".pnpm") },
    ]);
  });

  it("says of a development dependency in production that it is one", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-dev", ["dev"])],
      packageJson: { dependencies: {}, devDependencies: { "fx-dev": "1" } },
    });
    expect((await takeInventory(project, { production: true })).notEnabled).toMatchObject([
      { code: "undeclared_dependency", package: "fx-dev", reason: expect.stringContaining("development dependency") },
      { code: "disabled_by_config", package: "shop" },
    ]);
  });

  it("does not repeat what a person switched off, nor the project itself linked into its own folder", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-off", ["off"])],
      packageJson: { workspaces: ["."], aiwhisperer: { tools: "./absent.json" } },
    });
    await symlink(project.dir, path.join(project.dir, "node_modules/shop"));
    const { notEnabled } = await takeInventory(project, { config: { tools: { disabled: ["fx-off"] } } });
    expect(notEnabled.map(({ code }) => code)).toEqual(["disabled_by_config"]);
  });

  it.each([
    ["no JSON", "{"],
    ["an array", "[]"],
    ["null", "null"],
    ["dependencies that are text", '{"dependencies":"x","peerDependencies":null,"optionalDependencies":[1]}'],
    ["keys that climb", '{"dependencies":{"../../outside":"1","a/../../b":"1"}}'],
    ["a hostile name", '{"name":"../../x","version":{},"aiwhisperer":{}}'],
  ])("is not disturbed by a package.json with %s", async (_what, text) => {
    await using project = await makeProject({
      layout: "npm",
      packages: [
        { name: "odd", packageJson: text, undeclared: true },
        toolPackage("fx-plain", ["plain"]),
        toolPackage("fx-left", ["left"], { undeclared: true }),
      ],
    });
    await project.write("../outside/package.json", '{"name":"outside","aiwhisperer":{}}');
    const { notEnabled, found } = await takeInventory(project);
    const names = notEnabled.map(({ package: name }) => name);
    expect(names).toEqual(text.includes("../../x") ? ["fx-left", "odd"] : ["fx-left"]);
    expect(found.map(({ id }) => id)).toEqual(["fx-plain"]);
  });

  it("notes a package that brings a core of its own, and not the core it shares", async () => {
    const running = readRunningCore();
    await using project = await makeProject({
      layout: "npm",
      packages: [
        toolPackage("fx-own", ["own"], { packageJson: dependingOn("fx-own", { "@aiw/core": "0.0.9" }) }),
        toolPackage("fx-inside", ["inside"], { packageJson: dependingOn("fx-inside", { "@aiw/core": "0" }) }),
        toolPackage("fx-shared", ["shared"], { packageJson: dependingOn("fx-shared", { "@aiw/core": "0" }) }),
      ],
    });
    const core = (version = "0.0.9"): string => JSON.stringify({ name: "@aiw/core", version });
    await project.write("node_modules/fx-own/node_modules/@aiw/core/package.json", core());
    await project.write("node_modules/fx-inside/node_modules/@aiw/core/package.json", core(running?.version));
    await project.write("node_modules/@aiw/x", "");
    await symlink(running?.dir ?? "", path.join(project.dir, "node_modules/@aiw/core"));
    const { found, rejected } = await takeInventory(project);
    expect(rejected).toEqual([]);
    expect(found.map(({ id, notes }) => [id, ...notes.map(({ code, severity }) => `${code} ${severity}`)])).toEqual([
      ["fx-inside", "duplicate_core info"],
      ["fx-own", "duplicate_core info"],
      ["fx-shared"],
    ]);
    expect(found[1]?.notes[0]?.reason).toContain(
      `0.0.9 (${path.join(project.dir, "node_modules/fx-own/node_modules/@aiw/core")})`,
    );
    expect((await takeInventory(project, { inventory: false })).found.flatMap(({ notes }) => notes)).toEqual([]);
  });

  it("costs nothing unless it is asked for", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-left", ["left"], { undeclared: true })],
    });
    expect((await takeInventory(project, { inventory: false })).notEnabled).toEqual([]);
  });
});

describe("takeInventory under Plug'n'Play", () => {
  it("reads the tree: who brings what, virtual twins once, other workspaces' packages as undeclared", async () => {
    await using project = await makeProject({
      layout: "npm",
      packageJson: { dependencies: { user: "1", "fx-plain": "1" } },
    });
    const tools = JSON.stringify(dependingOn("x", {}));
    const places: Record<string, string> = {
      "shop@workspace": "",
      "user@npm:1.0.0": "cache/user",
      "fx-plain@npm:1.0.0": "cache/fx-plain",
      "fx-brought@npm:1.0.0": "cache/fx-brought",
      "fx-brought@virtual:a#npm:1.0.0": "virtual/a/fx-brought",
      "fx-brought@virtual:b#npm:1.0.0": "virtual/b/fx-brought",
      "sibling@workspace": "packages/sibling",
      "fx-of-sibling@npm:1.0.0": "cache/fx-of-sibling",
      "gone@npm:1.0.0": "cache/gone",
    };
    for (const [locator, place] of Object.entries(places)) {
      const name = locator.slice(0, locator.indexOf("@"));
      if (place === "" || name === "gone") continue;
      await project.write(
        `${place}/package.json`,
        name.startsWith("fx-") ? tools.replace('"x"', `"${name}"`) : JSON.stringify({ name, version: "1.0.0" }),
      );
    }
    await project.write(
      "cache/fx-plain/aiw-tools.json",
      toolPackage("fx-plain", ["plain"]).files?.["aiw-tools.json"] ?? "",
    );
    const dependencies: Record<string, [string, string | [string, string] | null][]> = {
      "shop@workspace": [
        ["shop", "workspace"],
        ["user", "npm:1.0.0"],
        ["fx-plain", "npm:1.0.0"],
      ],
      "user@npm:1.0.0": [
        ["fx-brought", "virtual:a#npm:1.0.0"],
        ["nobody", null],
        ["gone", "npm:1.0.0"],
      ],
      "sibling@workspace": [
        ["nick", ["fx-of-sibling", "npm:1.0.0"]],
        ["fx-brought", "virtual:b#npm:1.0.0"],
      ],
    };
    const key = ({ name, reference }: PnpLocator): string => `${name}@${reference}`;
    const api: PnpApi = {
      resolveToUnqualified: (request) => path.join(project.dir, `cache/${request}/`),
      findPackageLocator: () => ({ name: "shop", reference: "workspace" }),
      getPackageInformation: (locator) => {
        const place = places[key(locator)];
        if (place === undefined) return null;
        return {
          packageLocation: path.join(project.dir, place, "/"),
          packageDependencies: new Map(dependencies[key(locator)]),
        };
      },
      getAllLocators: () =>
        Object.keys(places).map((text) => ({
          name: text.slice(0, text.indexOf("@")),
          reference: text.slice(text.indexOf("@") + 1),
        })),
    };
    const pnp = { find: () => ({ api, issuer: project.dir + path.sep }) };
    const { notEnabled, found } = await takeInventory(project, {}, { pnp });
    expect(found).toMatchObject([{ id: "fx-plain", notes: [] }]);
    expect(notEnabled).toMatchObject([
      {
        code: "transitive_dependency",
        package: "fx-brought",
        dir: path.join(project.dir, "virtual/a/fx-brought"),
        reason: expect.stringMatching(/^user 1\.0\.0/u),
      },
      {
        code: "undeclared_dependency",
        package: "fx-of-sibling",
        reason: expect.stringContaining("(sibling 1.0.0 depends on it)"),
      },
    ]);
  });
});
