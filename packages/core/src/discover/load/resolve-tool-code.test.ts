import { rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import { makeProject, toolModule, toolPackage } from "../__fixtures__/make-project.ts";
import { discoverTools } from "../discover-tools.ts";
import { loadToolCode } from "./load-tool-code.ts";

const MARK = "__aiwCodeHasRun";

describe("resolveToolCode", () => {
  it("says where the code of a tool is, as data, and runs none of it", async () => {
    const before = `globalThis.${MARK} = true;`;
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-placed", ["placed"], { files: { "index.js": toolModule(["placed"], { before }) } })],
    });
    const registry = await discoverTools({ projectDir: project.dir });
    const entry = registry.getEntry("placed");
    const code = await entry?.resolveCode?.();
    expect(code).toMatchObject({
      packageKey: "fx-placed",
      module: "./index.js",
      export: "placed",
      version: expect.any(String),
    });
    expect(JSON.parse(JSON.stringify(code))).toEqual(code);
    expect(path.isAbsolute(code?.realDirectory ?? "")).toBe(true);
    expect(entry?.isLoaded?.()).toBe(false);
    expect(globalThis).not.toHaveProperty(MARK);
  });

  it("refuses code that is gone, and another version than was listed, as loading does", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [toolPackage("fx-gone", ["gone"]), toolPackage("fx-changed", ["changed"])],
    });
    const registry = await discoverTools({ projectDir: project.dir });
    const folder = path.join(project.dir, "node_modules");
    await rm(path.join(folder, "fx-gone", "index.js"));
    await writeFile(path.join(folder, "fx-changed", "package.json"), '{"name": "fx-changed", "version": "9.9.9"}');
    await expect(registry.getEntry("gone")?.resolveCode?.()).rejects.toMatchObject({
      code: "load_failed",
      message: expect.stringContaining("index.js"),
    });
    await expect(registry.getEntry("changed")?.resolveCode?.()).rejects.toMatchObject({
      message: expect.stringContaining("9.9.9"),
    });
  });
});

describe("loadToolCode", () => {
  it("binds the code to the listed definition, and refuses another one", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-bound", ["bound"])] });
    const entry = (await discoverTools({ projectDir: project.dir })).getEntry("bound");
    const code = await entry?.resolveCode?.();
    if (code === undefined || entry?.spec === undefined) throw new Error("The fixture has no code.");
    const tool = await loadToolCode(code, entry.spec);
    expect(tool.spec).toEqual(entry.spec);
    const other = { ...entry.spec, description: "Something else." };
    await expect(loadToolCode(code, other)).rejects.toMatchObject({
      code: "load_failed",
      details: { finding: { code: "definition_mismatch" } },
    });
  });
});

describe("discoverTools", () => {
  it("refuses development forms of isolated packages alone, since their code must not run here", async () => {
    const declaring = (name: string, tools: unknown) => ({
      name,
      packageJson: { name, type: "module", aiwhisperer: { tools } },
      files: { "index.js": toolModule([name.replaceAll("-", "_")]) },
    });
    await using project = await makeProject({
      layout: "npm",
      packages: [
        declaring("fx-map", { fx_map: "./index.js#fx_map" }),
        declaring("fx-module", "./index.js"),
        declaring("other-map", { other_map: "./index.js#other_map" }),
        toolPackage("fx-static", ["fx_static"]),
      ],
    });
    const registry = await discoverTools({
      projectDir: project.dir,
      config: { isolation: { packages: { "fx-*": "isolated" } } },
    });
    await registry.load();
    const refused = [...registry.report.rejected, ...registry.report.notEnabled].filter(
      ({ code }) => code === "static_manifest_required",
    );
    expect(refused.map(({ package: key }) => key).sort()).toEqual(["fx-map", "fx-module"]);
    for (const { reason } of refused) {
      expect(reason).toContain("code of an isolated package never runs to list tools");
      expect(reason).not.toContain("are required");
    }
    expect(
      registry
        .getAllTools()
        .map(({ spec }) => spec.name)
        .sort(),
    ).toEqual(["fx_static", "other_map"]);
  });
});
