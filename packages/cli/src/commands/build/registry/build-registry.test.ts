import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { temporaryWorkspace } from "@aiw/testkit";
import { build, type BuildOptions } from "esbuild";
import { describe, expect, it } from "vitest";
import { toolText } from "../../../__fixtures__/author-package.ts";
import { runAiw } from "../../../__fixtures__/run-aiw.ts";

const CORE = new URL("../../../../../core/src/index.ts", import.meta.url).pathname;

/** A host that is bundled with its tools into one file. */
const HOST = `
import { createBundledSource, runTool, ToolRegistry } from ${JSON.stringify(CORE)};
import packages from "./aiw-registry.js";
const registry = new ToolRegistry();
registry.addSource(createBundledSource(packages));
await registry.load();
const results = [];
for (const name of ["find", "@acme/tickets/find", "seek"]) results.push((await runTool(registry.getTool(name), {})).value);
console.log(JSON.stringify({ tools: registry.entries().map(({ id }) => id), results }));
`;

const BUNDLED = {
  bundle: true,
  format: "esm",
  platform: "node",
  conditions: ["aiw-source"],
  logLevel: "error",
} satisfies BuildOptions;

type Files = Record<string, string>;

function installed(name: string, tools: readonly string[], declared: object = { tools: "./aiw-tools.json" }): Files {
  const at = (file: string): string => `node_modules/${name}/${file}`;
  return {
    [at("package.json")]: JSON.stringify({
      name,
      version: "1.0.0",
      type: "module",
      exports: {},
      aiwhisperer: declared,
    }),
    [at("dist/index.js")]: tools.map((tool) => toolText(tool, { answer: `${tool} of ${name}` })).join(""),
  };
}

function project(...names: readonly string[]): string {
  return JSON.stringify({
    name: "app",
    type: "module",
    dependencies: Object.fromEntries(names.map((name) => [name, "*"])),
  });
}

describe("aiw build --registry", { timeout: 60_000 }, () => {
  it("writes imports that a bundler follows: one file lists the tools and calls them, with nothing installed beside it", async () => {
    await using app = await temporaryWorkspace({
      "package.json": project("@acme/tickets", "@acme/other"),
      ...installed("@acme/tickets", ["find", "seek"]),
      ...installed("@acme/other", ["find"]),
      "src/host.js": HOST,
    });
    for (const name of ["@acme/tickets", "@acme/other"])
      await runAiw(app.cwd, ["build", `node_modules/${name}`, "--module", "dist/index.js"]);
    const written = await runAiw(app.cwd, ["build", "--registry", "src/aiw-registry.js"]);
    expect(written).toMatchObject({ code: 0, err: "" });
    expect(written.out).toContain("Wrote src/aiw-registry.js: 3 tools.");
    const text = await readFile(app.path("src/aiw-registry.js"), "utf8");
    expect(text).toContain('() => import("../node_modules/@acme/tickets/dist/index.js")');
    expect((await runAiw(app.cwd, ["build", "--registry", "src/aiw-registry.js", "--json"])).json()).toMatchObject({
      changed: false,
    });
    await using elsewhere = await temporaryWorkspace();
    await build({
      entryPoints: [app.path("src/host.js")],
      outfile: elsewhere.path("host.mjs"),
      ...BUNDLED,
    });
    const { stdout } = await promisify(execFile)(process.execPath, ["host.mjs"], { cwd: elsewhere.cwd });
    expect(JSON.parse(stdout)).toEqual({
      tools: ["@acme/other/find", "@acme/tickets/seek"],
      results: ["find of @acme/other", "find of @acme/tickets", "seek of @acme/tickets"],
    });
  });

  it.each(["@acme/a.b-c_d", "class", "await", "constructor", "2fast"])(
    "serves a package called %s from a minified bundle in many files, with nothing installed beside it",
    async (name) => {
      await using app = await temporaryWorkspace({
        "package.json": project(name),
        ...installed(name, ["find"]),
        "src/host.js": HOST.replace(/for \(const name of .*?\]\)/, `for (const name of ["find"])`),
      });
      await runAiw(app.cwd, ["build", `node_modules/${name}`, "--module", "dist/index.js"]);
      expect(await runAiw(app.cwd, ["build", "--registry", "src/aiw-registry.js"])).toMatchObject({ code: 0, err: "" });
      await using elsewhere = await temporaryWorkspace();
      await build({
        entryPoints: [app.path("src/host.js")],
        outdir: elsewhere.cwd,
        outExtension: { ".js": ".mjs" },
        minify: true,
        splitting: true,
        ...BUNDLED,
      });
      const { stdout } = await promisify(execFile)(process.execPath, ["host.mjs"], { cwd: elsewhere.cwd });
      expect(JSON.parse(stdout)).toEqual({ tools: [`${name}/find`], results: [`find of ${name}`] });
    },
  );

  it("writes nothing while a package would be missing in it", async () => {
    await using app = await temporaryWorkspace({
      "package.json": project("acme-map", "acme-stale"),
      ...installed("acme-map", ["find"], { tools: { find: "./dist/index.js#find" } }),
      ...installed("acme-stale", ["seek"]),
    });
    const failed = await runAiw(app.cwd, ["build", "--registry", "out.mjs", "--json"]);
    expect(failed.code).toBe(1);
    expect(failed.json()).toMatchObject({
      registry: null,
      findings: [{ code: "manifest_missing" }, { code: "static_manifest_required" }],
    });
    expect(await app.list()).not.toContain("out.mjs");
  });

  it("makes the folder that it is told to write into, and says what is in its way", async () => {
    await using app = await temporaryWorkspace({ "package.json": project(), file: "" });
    expect(await runAiw(app.cwd, ["build", "--registry", "src/deep/tools.js"])).toMatchObject({ code: 0 });
    expect(await app.read("src/deep/tools.js")).toContain("const packages = [];");
    const refused = await runAiw(app.cwd, ["build", "--registry", "file/tools.js"]);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toMatch(/cannot be written[^]*ENOTDIR[^]*a folder that can be written/);
  });

  it("names tools that are data, and files of no other kind", async () => {
    await using app = await temporaryWorkspace({ "package.json": project() });
    expect(await runAiw(app.cwd, ["build", "--registry", "out.mjs"])).toMatchObject({ code: 0 });
    expect(await app.read("out.mjs")).toContain("const packages = [];");
    expect(await runAiw(app.cwd, ["build", "--registry", "out.ts"])).toMatchObject({ code: 2 });
    expect(await runAiw(app.cwd, ["build", "--registry", "out.js", "--watch"])).toMatchObject({ code: 2 });
  });
});
