import { mkdir, readFile, readdir, stat } from "node:fs/promises";
import * as path from "node:path";
import { describe, expect, it } from "vitest";
import { validateSpec } from "../../schema/validate-spec.ts";
import { makeProject, specOf, toolModule, type MadeProject } from "../__fixtures__/make-project.ts";
import { discoverTools } from "../discover-tools.ts";
import { writeManifest } from "./write-manifest.ts";

const PACKAGE_JSON = { name: "fx", version: "2.3.0", type: "module", aiwhisperer: { tools: "./aiw-tools.json" } };

async function makePackage(module: string, packageJson: object = PACKAGE_JSON): Promise<MadeProject> {
  const project = await makeProject({ layout: "npm" });
  await project.write("package.json", JSON.stringify(packageJson));
  await project.write("dist/index.js", module);
  return project;
}

interface WrittenTool {
  readonly module?: string;
  readonly export?: string;
  readonly definitionHash: string;
  readonly spec: { readonly name: string };
}

async function manifestIn(
  project: MadeProject,
  file = "aiw-tools.json",
): Promise<{ text: string; tools: WrittenTool[]; optionsSchema?: unknown }> {
  const text = await readFile(path.join(project.dir, file), "utf8");
  return { text, ...(JSON.parse(text) as { tools: WrittenTool[] }) };
}

const withPackage = (names: string[], options = ""): string =>
  `${toolModule(names)}\nexport default { [Symbol.for("@aiw/core/tool-package")]: true, contractVersion: 1, ${options} tools: [${names.join(", ")}] };`;

describe("writeManifest", () => {
  it("writes every named tool, sorted, the same bytes each time", async () => {
    await using project = await makePackage(toolModule(["zeta", "alpha"]));
    const written = await writeManifest({ packageDir: project.dir, module: "./dist/index.js" });
    expect(written).toEqual({ path: path.join(project.dir, "aiw-tools.json"), tools: ["alpha", "zeta"] });
    const { text, tools } = await manifestIn(project);
    expect(text.endsWith("}\n")).toBe(true);
    expect(Object.keys(JSON.parse(text) as object)).toEqual(["manifestVersion", "package", "generatedBy", "tools"]);
    expect(JSON.parse(text)).toMatchObject({
      manifestVersion: 1,
      package: { name: "fx", version: "2.3.0" },
      generatedBy: expect.stringMatching(/^@aiw\/core \d/),
    });
    expect(tools).toMatchObject([
      { module: "./dist/index.js", export: "alpha", definitionHash: expect.stringMatching(/^sha256-.{44}$/) },
      { module: "./dist/index.js", export: "zeta" },
    ]);
    expect(tools.every(({ spec }) => validateSpec(spec).length === 0)).toBe(true);
    const before = await stat(written.path);
    await writeManifest({ packageDir: project.dir, module: "./dist/index.js" });
    expect((await stat(written.path)).mtimeMs).toBe(before.mtimeMs);
    expect(await readdir(project.dir)).toEqual(["aiw-tools.json", "dist", "package.json"]);
  });

  it("writes what discovery then lists and calls", async () => {
    await using project = await makePackage(withPackage(["alpha"]));
    await writeManifest({ packageDir: project.dir, module: "./dist/index.js" });
    const registry = await discoverTools({ projectDir: project.dir }, { environment: {} });
    expect(registry.report.rejected).toEqual([]);
    expect(await registry.getTool("fx/alpha").execute({}, {} as never)).toBeDefined();
  });

  it("takes the default package's tools by name where they are exported, else through the package", async () => {
    const hidden = withPackage(["alpha", "beta"]).replace("export const beta", "const beta");
    await using project = await makePackage(hidden);
    await writeManifest({ packageDir: project.dir, module: "./dist/index.js" });
    expect((await manifestIn(project)).tools.map(({ export: exported }) => exported)).toEqual(["alpha", "default"]);
  });

  it("takes tools that a CommonJS module exports by name, and refuses those it does not", async () => {
    const module = toolModule(["alpha"])
      .replace("export const alpha =", "exports.alpha =")
      .replace("import.meta.url", "__filename");
    await using project = await makePackage("");
    const [good, bad] = ["dist/good.cjs", "dist/bad.cjs"];
    await project.write(good, module);
    await project.write(bad, `${module}\nmodule.exports["not-a-name"] = { ...exports.alpha };`);
    await writeManifest({ packageDir: project.dir, module: `./${good}` });
    expect((await manifestIn(project)).tools.map(({ export: exported }) => exported)).toEqual(["alpha"]);
    await expect(writeManifest({ packageDir: project.dir, module: `./${bad}` })).rejects.toThrow("object of tools");
  });

  it("refuses more tools than hosts read", async () => {
    const names = Array.from({ length: 1001 }, (_, index) => `tool_${index}`);
    await using project = await makePackage(toolModule(names));
    await expect(writeManifest({ packageDir: project.dir, module: "./dist/index.js" })).rejects.toMatchObject({
      code: "manifest_not_writable",
      message: expect.stringContaining("1001 tools, and hosts read at most 1000") as string,
    });
  });

  it("takes tools that the package completed with options through the package", async () => {
    const optionsSchema = { type: "object", properties: { url: { type: "string" } } };
    const text = `${toolModule(["alpha"])}\nexport default { [Symbol.for("@aiw/core/tool-package")]: true, contractVersion: 1, optionsSchema: ${JSON.stringify(optionsSchema)}, tools: [{ ...alpha, parseOptions: (value) => ({ value }) }] };`;
    await using project = await makePackage(text);
    await writeManifest({ packageDir: project.dir, module: "./dist/index.js" });
    const manifest = await manifestIn(project);
    expect(manifest.optionsSchema).toEqual(optionsSchema);
    expect(manifest.tools[0]?.export).toBe("default");
    const registry = await discoverTools({ projectDir: project.dir }, { environment: {} });
    expect((await registry.getTool("alpha").load?.())?.parseOptions).toBeTypeOf("function");
  });

  it("takes a tool class, a default tool, and a tool of another type", async () => {
    const text = `export class Beta { get spec() { return ${JSON.stringify(specOf("beta"))}; } execute() { return 2; } }
      Beta.prototype[Symbol.for("@aiw/core/tool")] = true; Beta.prototype.contractVersion = 1;
      ${toolModule(["http"], { changes: { type: "http", implementation: { url: "https://x.test" } } })}
      export default { ...http, spec: ${JSON.stringify(specOf("alpha"))} };`;
    await using project = await makePackage(text);
    await writeManifest({ packageDir: project.dir, module: "./dist/index.js" });
    const { tools } = await manifestIn(project);
    expect(tools.map(({ spec, module, export: exported }) => [spec.name, module, exported])).toEqual([
      ["alpha", "./dist/index.js", "default"],
      ["beta", "./dist/index.js", "Beta"],
      ["http", undefined, undefined],
    ]);
  });

  it("writes where the declaration says", async () => {
    await using project = await makePackage(toolModule(["alpha"]), {
      ...PACKAGE_JSON,
      aiwhisperer: { tools: "./dist/tools.json" },
    });
    await writeManifest({ packageDir: project.dir, module: "./dist/index.js" });
    expect((await manifestIn(project, "dist/tools.json")).tools).toHaveLength(1);
  });

  it.each<[string, string, object, string]>([
    ["a module that throws", "throw new Error('boom')", {}, "boom"],
    ["a module without tools", "export const a = 1", {}, "exports no tool"],
    [
      "two tools of one name",
      toolModule(["alpha"]) + "\nexport const copy = { ...alpha };",
      {},
      "Two tools are called alpha and alpha",
    ],
    ["names that differ by case", toolModule(["alpha", "Alpha"]), {}, "Two tools are called"],
    ["a spec that is wrong", toolModule(["alpha"], { changes: { description: "" } }), {}, "/description must say"],
    [
      "a default object of tools",
      toolModule(["alpha"]).replace("export const", "const") + "\nexport default { alpha };",
      {},
      "an object of tools",
    ],
    [
      "a package of a newer contract",
      toolModule(["alpha"]) +
        '\nexport default { [Symbol.for("@aiw/core/tool-package")]: true, contractVersion: 2, tools: [alpha] };',
      {},
      "contract version 2",
    ],
    ["a package without a version", toolModule(["alpha"]), { version: undefined }, "no name or no version"],
  ])("refuses %s and writes nothing", async (_what, module, changes, message) => {
    await using project = await makePackage(module, { ...PACKAGE_JSON, ...changes });
    const writing = writeManifest({ packageDir: project.dir, module: "./dist/index.js" });
    await expect(writing).rejects.toThrow(
      expect.objectContaining({
        code: "manifest_not_writable",
        message: expect.stringContaining(message),
        fix: expect.any(String),
      }),
    );
    expect(await readdir(project.dir)).toEqual(["dist", "package.json"]);
  });

  it("says what to correct where a decorator refuses a method, and in which file", async () => {
    const said = "The tool method find must be async: write `async find(…)`.";
    await using project = await makePackage('throw new TypeError("x is undefined");');
    await project.write("dist/decorated.js", `throw new TypeError(${JSON.stringify(said)});`);
    const fixOf = async (module: string): Promise<unknown> =>
      writeManifest({ packageDir: project.dir, module }).catch(({ message, fix }: Error & { fix: string }) => [
        message,
        fix,
      ]);
    expect(await fixOf("./dist/decorated.js")).toEqual([
      expect.stringMatching(/dist\/decorated\.js cannot be loaded: The tool method find must be async/),
      expect.stringMatching(/^Correct the method or its @tool/),
    ]);
    expect(await fixOf("./dist/index.js")).toEqual([expect.anything(), expect.stringContaining("top level")]);
  });

  it.each([
    ["../elsewhere.js", "leaves the package"],
    ["./dist/index.ts", "must end in .js"],
    ["./dist/missing.js", "cannot be loaded"],
  ])("refuses the module %s", async (module, message) => {
    await using project = await makePackage(toolModule(["alpha"]));
    const writing = writeManifest({ packageDir: project.dir, module });
    await expect(writing).rejects.toThrow(
      expect.objectContaining({ code: "manifest_not_writable", message: expect.stringContaining(message) }),
    );
  });

  it("refuses a folder without package.json, and a place it cannot write to", async () => {
    await using project = await makePackage(toolModule(["alpha"]));
    await expect(writeManifest({ packageDir: path.join(project.dir, "dist"), module: "./index.js" })).rejects.toThrow(
      expect.objectContaining({ code: "manifest_not_writable" }),
    );
    await mkdir(path.join(project.dir, "aiw-tools.json"));
    await expect(writeManifest({ packageDir: project.dir, module: "./dist/index.js" })).rejects.toThrow(
      expect.objectContaining({ code: "manifest_not_writable" }),
    );
    expect(await readdir(project.dir)).toEqual(["aiw-tools.json", "dist", "package.json"]);
  });
});
