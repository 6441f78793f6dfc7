import { symlink } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import type { ToolEntry } from "../contract/tool-source.ts";
import { makeProject, manifestOf, toolModule, toolPackage, type FixturePackage } from "./__fixtures__/make-project.ts";
import type { DiscoverToolsOptions } from "./discover-options.ts";
import { discoverTools } from "./discover-tools.ts";
import { nodePorts } from "./discovery-ports.ts";
import { listTools } from "./list-tools.ts";
import type { ReadingWorld } from "./project-reader.ts";

/** Time stands still, so that whole reports can be compared. */
const STILL: Partial<ReadingWorld> = {
  clock: { now: () => 0, wait: () => Promise.resolve() },
  trust: { isTrusted: () => false },
};

const declaring = (name: string, tools: unknown): FixturePackage => ({
  name,
  packageJson: { name, type: "module", aiwhisperer: { tools } },
  files: { "index.js": toolModule([name.replaceAll("-", "_")]) },
});

const PACKAGES: readonly FixturePackage[] = [
  toolPackage("fx-plain", ["plain", "shared"]),
  toolPackage("fx-rival", ["shared"]),
  toolPackage("fx-aliased", ["aliased"], { key: "events", range: "npm:fx-aliased@1" }),
  toolPackage("fx-stale", ["stale"], {
    files: { "aiw-tools.json": manifestOf("fx-stale", ["stale"], { version: "0.9.0" }) },
  }),
  toolPackage("fx-off", ["off"]),
  toolPackage("fx-partly-off", ["on", "partly_off"]),
  toolPackage("fx-configured", ["configured"]),
  toolPackage("fx-transitive", ["transitive"], { undeclared: true }),
  declaring("fx-map", { fx_map: "./index.js#fx_map" }),
  declaring("fx-module", "./index.js"),
  declaring("fx-escape", "../index.js"),
  declaring("fx-missing-manifest", "./aiw-tools.json"),
  { name: "fx-bad-json", packageJson: '{"name": "fx-bad-json", "aiwhisperer": {,}}' },
  { name: "fx-ordinary" },
];

const PROJECT = {
  aiwhisperer: { tools: { own: "./own.js#own" } },
  dependencies: {
    ...Object.fromEntries(
      PACKAGES.flatMap(({ name, key = name, range = "^1.0.0", undeclared }) => (undeclared ? [] : [[key, range]])),
    ),
    "fx-absent": "^1.0.0",
    "fx-broken-link": "link:../gone",
    "../climbs": "^1.0.0",
  },
  optionalDependencies: { "fx-optional": "^1.0.0" },
};

const CONFIG = {
  tools: {
    disabled: ["fx-off", "fx-partly-off/partly_off", "misspelt", "fx-misspelt/*"],
    prefer: { shared: "fx-rival" },
  },
  toolsets: { some: { include: ["plain", "nobody", "fx-nobody/x"] } },
  plugins: { "fx-configured": { key: { $env: "NOT_SET" } } },
  sources: { directories: ["./tools", "./nowhere"] },
};

function tellEntry({ id, name, origin, spec, options }: ToolEntry): unknown {
  return { id, name, origin, spec, options };
}

describe("listTools", () => {
  it.each<[string, DiscoverToolsOptions, Readonly<Record<string, string>>]>([
    ["as it is", {}, {}],
    ["with an inventory", { inventory: true }, {}],
    ["with static manifests alone", { requireStatic: true }, {}],
    ["under configuration of code", { config: { tools: { enabled: ["fx-plain", "events/*"] }, toolsets: {} } }, {}],
    ["with folders of code and environment", { directories: ["./more"] }, { AIWHISPERER_PLUGINS_DIR: "./tools" }],
    ["with few packages", { production: true }, { AIWHISPERER_PLUGINS: "fx-plain,fx-unknown" }],
  ])("gives what a registry knows of a project before any code runs, %s", async (_how, options, environment) => {
    await using project = await makeProject({ layout: "npm", packages: PACKAGES, packageJson: PROJECT });
    await project.write("own.js", toolModule(["own"]));
    await project.write("tools/loose.js", toolModule(["loose"]));
    await project.write("more/another.js", toolModule(["another"]));
    await project.write("aiw.config.json", JSON.stringify(CONFIG));
    await symlink("../../gone", path.join(project.dir, "node_modules/fx-broken-link"));
    const world = { ...STILL, environment };
    const registry = await discoverTools({ projectDir: project.dir, ...options }, world);
    const listed = await listTools({ projectDir: project.dir, ...options }, world);
    // A registry's own clock runs.
    expect(listed.report).toEqual({ ...registry.report, ms: expect.anything() });
    expect(listed.entries.map(tellEntry)).toEqual(registry.entries().map(tellEntry));
    expect(listed.config).toEqual(registry.config);
    expect(listed.entries.length).toBeGreaterThan(0);
  });

  it("finds in the project of the comparison something for every list of the report", async () => {
    await using project = await makeProject({ layout: "npm", packages: PACKAGES, packageJson: PROJECT });
    await project.write("own.js", toolModule(["own"]));
    await project.write("aiw.config.json", JSON.stringify(CONFIG));
    const { report } = await listTools({ projectDir: project.dir, inventory: true }, { ...STILL, environment: {} });
    const { found, rejected, missing, notEnabled, waiting, shadowed } = report;
    const counts = { found, rejected, missing, notEnabled, waiting, shadowed };
    for (const [list, members] of Object.entries(counts)) expect(members.length, list).toBeGreaterThan(0);
    expect(found.some(({ notes }) => notes.length > 0)).toBe(true);
    // What may be in a module that did not run is not called misspelt.
    const unmatched = missing
      .filter(({ code }) => code.endsWith("_unmatched"))
      .map(({ reason }) => /"([^"]*)"/.exec(reason)?.[1]);
    expect(unmatched).toEqual(["fx-misspelt/*", "fx-nobody/x"]);
  });

  it("says where no project is", async () => {
    await using project = await makeProject({ layout: "npm" });
    const { report, entries } = await listTools({ projectDir: path.join(project.dir, "gone") }, { environment: {} });
    expect(entries).toEqual([]);
    expect(report).toMatchObject({ project: { mode: "none" }, missing: [{ code: "project_not_found" }] });
  });

  it("refuses what discovery refuses", async () => {
    await using project = await makeProject({ layout: "npm", packages: PACKAGES });
    const world = { ...STILL, environment: {}, fs: nodePorts.fs };
    await expect(listTools({ projectDir: project.dir, onDuplicate: "error" }, world)).rejects.toMatchObject({
      code: "tool_ambiguous",
    });
    await project.write("aiw.config.json", "{");
    await expect(listTools({ projectDir: project.dir }, world)).rejects.toMatchObject({ code: "config_invalid" });
  });
});
