import { describe, expect, it } from "vitest";
import type { TrustRequest } from "../../config/trust/trust-request.ts";
import type { TrustProblem } from "../../config/trust/trust-store.ts";
import type { ToolRegistry } from "../../register/tool-registry.ts";
import { makeProject, toolModule, type MadeProject } from "../__fixtures__/make-project.ts";
import { discoverTools } from "../discover-tools.ts";

const MAP = { first: "./lib/tools.js#first", second: "./lib/tools.js#second" };

/** A project whose own tools are in development. */
async function develop(tools: unknown = MAP, more: object = {}): Promise<MadeProject> {
  const project = await makeProject({
    layout: "npm",
    packageJson: { type: "module", aiwhisperer: { tools }, ...more },
  });
  await project.write("lib/tools.js", `import "./part.js"; ${toolModule(["first", "second"])}`);
  await project.write("lib/part.js", "");
  return project;
}

async function discover({ dir }: MadeProject, trusted: readonly TrustRequest[] = []): Promise<ToolRegistry> {
  const isTrusted = (at: string, hash: string): boolean => trusted.some((one) => one.dir === at && one.hash === hash);
  return await discoverTools({ projectDir: dir }, { environment: {}, trust: { isTrusted } });
}

function waitsWith(registry: ToolRegistry): string[] {
  return registry.report.waiting.flatMap(({ parts }) => parts);
}

describe("holdUntrusted", () => {
  it.each([
    ["map", MAP, 'shop: runs "./lib/tools.js" for first, second'],
    ["module", "./lib/tools.js", 'shop: runs "./lib/tools.js" to learn its tools'],
  ])("lets the project's own %s run once its content is trusted", async (form, tools, part) => {
    await using project = await develop(tools);
    const before = await discover(project);
    expect(waitsWith(before)).toEqual([part]);
    expect(before.report.found).toEqual([]);
    const registry = await discover(project, before.report.waiting);
    await registry.load();
    expect(registry.report).toMatchObject({ waiting: [], notEnabled: [], rejected: [], found: [{ id: "shop", form }] });
    expect(registry.entries().map(({ id }) => id)).toEqual(["shop/first", "shop/second"]);
    expect(await registry.getTool("second").execute({}, {} as never)).toBeDefined();
  });

  it.each<[string, (project: MadeProject) => Promise<unknown>]>([
    ["its module", (project) => project.write("lib/tools.js", toolModule(["first", "second", "third"]))],
    ["what its module names", (project) => project.write("lib/part.js", "export const changed = 1;")],
    [
      "what package.json says of loading",
      (project) =>
        project.write("package.json", JSON.stringify({ name: "shop", type: "commonjs", aiwhisperer: { tools: MAP } })),
    ],
  ])("asks again when %s changes", async (_what, change) => {
    await using project = await develop();
    const { waiting } = (await discover(project)).report;
    await change(project);
    const { report } = await discover(project, waiting);
    expect(report.found).toEqual([]);
    expect(report.notEnabled).toMatchObject([
      { code: "trust_required", package: "shop", fix: expect.stringContaining("aiw trust") },
    ]);
    expect(report.waiting[0]?.hash).not.toBe(waiting[0]?.hash);
  });

  it("says once that the record is not believed, whatever waits for it", async () => {
    await using project = await develop();
    const problem = (): TrustProblem => ({ reason: "Everybody may write it.", fix: "chmod go-w it" });
    const world = { environment: {}, trust: { isTrusted: () => false, problem } };
    const told = async (): Promise<string[]> => {
      const { report } = await discoverTools({ projectDir: project.dir }, world);
      return report.notEnabled.map(({ code, package: key, fix }) => `${code} ${key}: ${fix}`);
    };
    const waits = "trust_required shop: Look at the code, then run: aiw trust";
    const unbelieved = "trust_store_invalid shop: chmod go-w it";
    expect(await told()).toEqual([waits, unbelieved]);
    await project.write("aiw.config.json", '{"limits":{"depth":11}}');
    expect(await told()).toEqual(
      [waits, "trust_required shop: Look at it, then run: aiw trust", unbelieved].toSorted(),
    );
  });

  it("does not ask again for what decides nothing", async () => {
    await using project = await develop();
    const { waiting } = (await discover(project)).report;
    const content = {
      name: "shop",
      version: "9.9.9",
      scripts: { test: "x" },
      type: "module",
      aiwhisperer: { tools: MAP },
    };
    await project.write("package.json", JSON.stringify(content));
    await project.write("readme.md", "changed");
    expect((await discover(project, waiting)).report.waiting).toEqual([]);
  });

  it("runs nothing that changed between listing and loading", async () => {
    await using project = await develop();
    const { waiting } = (await discover(project)).report;
    const registry = await discover(project, waiting);
    await project.write("lib/part.js", "globalThis.ranUnseen = true;");
    await registry.load();
    expect(globalThis).not.toHaveProperty("ranUnseen");
    expect(registry.report.rejected.map(({ code, tool }) => `${tool} ${code}`)).toEqual([
      "first trust_required",
      "second trust_required",
    ]);
  });

  it("cannot be asked for more than anybody could look at", async () => {
    await using project = await develop();
    await project.write("lib/part.js", "x".repeat(17 * 1024 * 1024));
    const { report } = await discover(project);
    expect(report.waiting).toEqual([]);
    expect(report.notEnabled).toMatchObject([
      { code: "trust_required", fix: expect.stringContaining("static manifest") },
    ]);
  });

  it("asks nothing for what the project installed", async () => {
    await using project = await makeProject({
      layout: "npm",
      packages: [
        {
          name: "fx",
          packageJson: { type: "module", aiwhisperer: { tools: "./index.js" } },
          files: { "index.js": toolModule(["plain"]) },
        },
      ],
    });
    const registry = await discover(project);
    await registry.load();
    expect(registry.report.waiting).toEqual([]);
    expect(registry.has("fx/plain")).toBe(true);
  });
});
