import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown, type Plugin } from "rolldown";
import { describe, expect, it, onTestFinished } from "vitest";
import { answerModules, takeBuiltinsAsValues } from "./bundle-plugins.ts";

function write(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "aiw-bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

async function bundle(folder: string, plugin: Plugin): Promise<{ code: string; exports: Record<string, unknown> }> {
  await using build = await rolldown({
    input: path.join(folder, "in.js"),
    platform: "node",
    treeshake: { propertyReadSideEffects: false },
    plugins: [plugin],
  });
  const file = path.join(folder, "out.mjs");
  const { output } = await build.write({ file, format: "esm" });
  return { code: output[0].code, exports: (await import(pathToFileURL(file).href)) as Record<string, unknown> };
}

describe("takeBuiltinsAsValues", () => {
  it("takes what is used of a module of Node without importing it", async () => {
    const folder = write({
      "in.js": `import fs, { constants } from "node:fs"; import * as path from "node:path";
        export const joined = path.join("a", "b"); export const same = fs.constants === constants;`,
    });
    const { code, exports } = await bundle(folder, takeBuiltinsAsValues());
    expect(exports).toMatchObject({ joined: path.join("a", "b"), same: true });
    expect(code).not.toMatch(/\bimport\b|\bwriteFileSync\b/u);
  });

  it("asks for a heavy module at the first call", async () => {
    const folder = write({
      "in.js":
        'import { createHash } from "node:crypto"; export const hash = () => createHash("sha256").update("a").digest("hex");',
    });
    const { code, exports } = await bundle(folder, takeBuiltinsAsValues());
    expect(code).toMatch(/=>\s*process\.getBuiltinModule\("node:crypto"\)/u);
    expect((exports["hash"] as () => string)()).toMatch(/^ca978112/u);
  });

  it("refuses what is no function of a heavy module", async () => {
    const folder = write({ "in.js": 'import { constants } from "node:os"; export const signals = constants.signals;' });
    await expect(bundle(folder, takeBuiltinsAsValues())).rejects.toThrow(/constants/u);
  });

  it("leaves a dynamic import to its moment", async () => {
    const folder = write({ "in.js": 'export const load = () => import("node:zlib");' });
    const { code } = await bundle(folder, takeBuiltinsAsValues());
    expect(code).toContain('import("node:zlib")');
  });
});

describe("answerModules", () => {
  it("writes the answer in the module's place and leaves the others", async () => {
    const folder = write({
      "in.js": 'export { version } from "./version.js"; export { other } from "./other.js";',
      "version.js": "export const version = import.meta.url;",
      "other.js": "export const other = 1;",
    });
    const plugin = answerModules({ [path.join(folder, "version.js")]: 'export const version = "1.2.3";' });
    expect((await bundle(folder, plugin)).exports).toMatchObject({ version: "1.2.3", other: 1 });
  });
});
