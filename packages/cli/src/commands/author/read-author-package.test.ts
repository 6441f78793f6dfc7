import * as path from "node:path";
import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { readAuthorPackage, type AuthorPackage } from "./read-author-package.ts";

async function read(packageJson: object, files: Record<string, string> = {}): Promise<Partial<AuthorPackage>> {
  await using workspace = await temporaryWorkspace({
    "package.json": JSON.stringify({ name: "acme", version: "1.0.0", ...packageJson }),
    ...files,
  });
  const { module, source, manifestPath, tsconfig } = await readAuthorPackage(workspace.cwd);
  return {
    module,
    source,
    manifestPath,
    ...(tsconfig && { tsconfig: path.basename(tsconfig) }),
  } as Partial<AuthorPackage>;
}

describe("readAuthorPackage", () => {
  it.each<[string, object, string]>([
    ["nothing", {}, "./dist/index.js"],
    ["a module", { aiwhisperer: { tools: "./out/tools.mjs" }, main: "other.js" }, "./out/tools.mjs"],
    ["a source module", { aiwhisperer: { tools: "./src/index.ts" }, main: "lib/main.js" }, "./lib/main.js"],
    ["a map of one module", { aiwhisperer: { tools: { a: "./a.js#a", b: "./a.js#b" } } }, "./a.js"],
    ["a map of two modules", { aiwhisperer: { tools: { a: "./a.js", b: "./b.js" } }, main: "./m.js" }, "./m.js"],
    ["exports as text", { exports: "./x.js" }, "./x.js"],
    ["exports without paths", { exports: { types: "./x.d.ts", default: "./x.js" } }, "./x.js"],
    ["conditions in their order", { exports: { ".": { node: "./n.js", import: "./i.js" } } }, "./n.js"],
    [
      "conditions within conditions",
      { exports: { ".": { import: { types: "./i.d.ts", default: "./i.js" } } } },
      "./i.js",
    ],
    ["a list of targets", { exports: { ".": [{ browser: "./b.js" }, "./l.js"] } }, "./l.js"],
    ["what only require takes, and a main", { exports: { ".": { require: "./r.cjs" } }, main: "./m.js" }, "./m.js"],
    ["a manifest, and exports", { aiwhisperer: { tools: "./t.json" }, exports: { ".": "./e.js" } }, "./e.js"],
  ])("finds the built module of %s", async (_what, packageJson, module) => {
    expect((await read(packageJson)).module).toBe(module);
  });

  it("finds the source by TypeScript's configuration, with comments and what it extends", async () => {
    const found = await read(
      { main: "out/lib/index.js" },
      {
        "tsconfig.json": '{ // the author\'s\n "extends": "./base.json", }',
        "base.json": '{ "compilerOptions": { "rootDir": "code", "outDir": "out" } }',
        "code/lib/index.ts": "",
        "src/index.ts": "",
      },
    );
    expect(found).toMatchObject({ source: "./code/lib/index.ts", tsconfig: "tsconfig.json" });
  });

  it("finds it by custom where the configuration says nothing or is broken, and takes a module written by hand as its own", async () => {
    const sources = { "src/index.ts": "" };
    expect(await read({}, { ...sources, "tsconfig.json": "{}" })).toMatchObject({ source: "./src/index.ts" });
    expect(await read({}, { ...sources, "tsconfig.json": '{ "extends": "./gone.json" }' })).toMatchObject({
      source: "./src/index.ts",
    });
    expect(await read({ main: "i.mjs" }, { "i.mjs": "" })).toMatchObject({ source: "./i.mjs" });
    expect((await read({})).source).toBeUndefined();
  });

  it("takes the place of the manifest from the declaration", async () => {
    expect(await read({ aiwhisperer: { tools: "./made/tools.json" } })).toMatchObject({
      manifestPath: "./made/tools.json",
    });
    expect(await read({ aiwhisperer: { tools: "./dist/index.js" } })).toMatchObject({
      manifestPath: "./aiw-tools.json",
    });
  });

  it.each<[string, string | undefined, string]>([
    ["no package.json", undefined, "There is no package.json in"],
    ["bad JSON", "{", "is no JSON"],
    ["no object", "[]", "is no JSON object"],
    ["no name", '{ "version": "1.0.0" }', "has no name"],
    ["a name that steers a path", '{ "name": "../../x", "version": "1.0.0" }', "npm does not take"],
    [
      "a manifest elsewhere",
      '{ "name": "a", "version": "1.0.0", "aiwhisperer": { "tools": "../t.json" } }',
      "no file inside",
    ],
    ["no version", '{ "name": "a" }', "has no version"],
    ["a wrong declaration", '{ "name": "a", "version": "1.0.0", "aiwhisperer": [] }', "aiwhisperer is no object"],
    ["wrong tools", '{ "name": "a", "version": "1.0.0", "aiwhisperer": { "tools": { "a": 1 } } }', "no text"],
  ])("refuses a folder with %s", async (_what, text, message) => {
    await using workspace = await temporaryWorkspace(text === undefined ? {} : { "package.json": text });
    await expect(readAuthorPackage(workspace.cwd)).rejects.toMatchObject({
      code: "package_not_buildable",
      message: expect.stringContaining(message) as string,
      fix: expect.any(String) as string,
    });
  });

  it("takes what the author names, inside the package alone", async () => {
    await using workspace = await temporaryWorkspace({
      "package.json": '{ "name": "a", "version": "1.0.0" }',
      "s.ts": "",
    });
    const named = await readAuthorPackage(workspace.cwd, { module: "lib/x.js", source: "./s.ts" });
    expect(named).toMatchObject({ module: "./lib/x.js", source: "./s.ts" });
    for (const options of [{ module: "../x.js" }, { source: "/etc/passwd" }, { source: "gone.ts" }, { module: "." }])
      await expect(readAuthorPackage(workspace.cwd, options)).rejects.toMatchObject({ code: "package_not_buildable" });
  });
});
