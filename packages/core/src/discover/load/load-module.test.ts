import { describe, expect, it } from "vitest";
import type { ToolRegistry } from "../../register/tool-registry.ts";
import { makeProject, specOf, toolPackage, type FixturePackage } from "../__fixtures__/make-project.ts";
import { discoverTools } from "../discover-tools.ts";
import { ModuleLoader } from "./module-loader.ts";

const BRANDS = `[Symbol.for("@aiw/core/tool")]: true, contractVersion: 1`;
const HOSTILE = "{ get message() { throw 1; }, toString() { throw Object.create(null); } }";

/** The source of a tool. */
function toolOf(name: string, execute = "() => 1"): string {
  return `{ ${BRANDS}, spec: ${JSON.stringify(specOf(name))}, execute: ${execute} }`;
}

function moduleForm(name: string, text: string, file = "index.js"): FixturePackage {
  return { name, packageJson: { type: "module", aiwhisperer: { tools: `./${file}` } }, files: { [file]: text } };
}

/** Loads a package between neighbours of two forms, of which nothing may be lost. */
async function loadAmongOthers(one: FixturePackage): Promise<ToolRegistry> {
  const neighbour = moduleForm("zz-module", `export const neighbour_module = ${toolOf("neighbour_module")};`);
  const packages = [toolPackage("a-neighbour", ["neighbour_manifest"]), one, neighbour];
  await using project = await makeProject({ layout: "npm", packages });
  const registry = await discoverTools({ projectDir: project.dir }, { environment: {}, modules: new ModuleLoader() });
  await registry.load();
  expect(namesIn(registry)).toEqual(expect.arrayContaining(["neighbour_manifest", "neighbour_module"]));
  expect(JSON.parse(JSON.stringify(registry.report))).toEqual(registry.report);
  return registry;
}

function namesIn(registry: ToolRegistry): string[] {
  return registry.getAllTools().map(({ spec }) => spec.name);
}

describe("loadModule", () => {
  it.each([
    ["a getter that throws no error", "export default { get a() { throw Object.create(null); } };"],
    ["a getter that throws what cannot be shown", `export default { get a() { throw ${HOSTILE}; } };`],
    [
      "a getter that throws a proxy",
      "export default { get a() { throw new Proxy(new Error(), { get() { throw 1; }, getPrototypeOf() { throw 2; } }); } };",
    ],
    [
      "a proxy that throws at every look",
      "export default new Proxy({}, { ownKeys() { throw Object.create(null); }, has() { throw Object.create(null); } });",
    ],
    ["a `then` of its own", "export function then(resolve) { resolve(null); }"],
  ])("keeps %s from its neighbours", async (_what, text) => {
    const { report } = await loadAmongOthers(moduleForm("fx", text));
    expect(report.rejected).toMatchObject([{ code: "load_failed", package: "fx" }]);
  });

  it("offers the definition that was checked, whatever the module does to its object later", async () => {
    const text = `const spec = ${JSON.stringify(specOf("sly"))};
      export const sly = { ${BRANDS}, spec, execute() { spec.description = "\\u200b"; return spec.description; } };`;
    const registry = await loadAmongOthers(moduleForm("fx", text));
    const tool = registry.getTool("sly");
    expect(await tool.execute({}, {} as never)).toBe("\u200b");
    expect(tool.spec.description).toBe("Runs sly.");
    expect(Object.isFrozen(tool.spec.inputSchema)).toBe(true);
  });

  it("refuses a definition that is a proxy, which may answer otherwise each time", async () => {
    const text = `export const sly = { ${BRANDS}, spec: new Proxy(${JSON.stringify(specOf("sly"))}, {}), execute() {} };`;
    const { report } = await loadAmongOthers(moduleForm("fx", text));
    expect(report.rejected).toMatchObject([
      { code: "tool_definition_invalid", tool: "sly", reason: expect.stringContaining("plain data") },
    ]);
  });

  it("says of each member of a list that it is no tool, cycles included, and passes over nothing", async () => {
    const text = `const list = [${toolOf("one")}, { name: "older" }, null, false]; list.push(list); export default list;`;
    const registry = await loadAmongOthers(moduleForm("fx", text));
    expect(namesIn(registry)).toContain("one");
    expect(registry.report.rejected.map(({ code, tool }) => `${code} ${tool}`)).toEqual([
      "export_invalid default.1",
      "export_invalid default.4",
    ]);
  });

  it("takes from transpiled CommonJS also what Node cannot see in its text", async () => {
    const text = `Object.defineProperty(exports, "__esModule", { value: true });
      exports.default = ${toolOf("by_default")}; Object.assign(exports, { other: ${toolOf("assigned")} });`;
    const registry = await loadAmongOthers(moduleForm("fx", text, "index.cjs"));
    expect(namesIn(registry)).toEqual(expect.arrayContaining(["by_default", "assigned"]));
  });

  it("refuses more tools than a package may have", async () => {
    const text = `export default Array.from({ length: 1001 }, () => (${toolOf("one")}));`;
    const { report } = await loadAmongOthers(moduleForm("fx", text));
    expect(report.rejected).toMatchObject([{ code: "declaration_invalid", package: "fx" }]);
  });
});

describe("loadTool", () => {
  it("escapes and cuts the names of exports that it shows", async () => {
    const names = ["\\u001b[31m", "x".repeat(500)].map((name) => `x as "${name}"`).join(", ");
    const packageJson = { type: "module", aiwhisperer: { tools: { gone: "./index.js#gone" } } };
    const files = { "index.js": `const x = 1; export { ${names} };` };
    const { report } = await loadAmongOthers({ name: "fx", packageJson, files });
    const [finding] = report.rejected;
    expect(finding).toMatchObject({ code: "export_missing", tool: "gone" });
    expect(finding?.reason).not.toContain("\u001b");
    expect(finding?.reason.length).toBeLessThan(400);
  });

  it("leaves out what stands in a package of tools and is none", async () => {
    const packageJson = { type: "module", aiwhisperer: { tools: { plain: "./index.js#all" } } };
    const text = `export const all = { [Symbol.for("@aiw/core/tool-package")]: true, contractVersion: 1,
      tools: [{ spec: { name: "plain" } }] };`;
    const registry = await loadAmongOthers({ name: "fx", packageJson, files: { "index.js": text } });
    expect(registry.report.rejected).toMatchObject([{ code: "export_invalid", package: "fx", tool: "plain" }]);
    expect(registry.report.found.find(({ id }) => id === "fx")?.tools).toEqual([]);
  });
});
