import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { manifestOf, makeProject, toolPackage } from "../__fixtures__/make-project.ts";
import { discoverTools } from "../discover-tools.ts";
import { createLock } from "./create-lock.ts";
import { INSTALL_OR_LOCK, LOOK_AND_LOCK, toLockFix, toLockFixes } from "./lock-fix.ts";
import { writeLock } from "./write-lock.ts";

const WORLD = { environment: {}, trust: { isTrusted: () => false } };

describe("toLockFix", () => {
  it("never advises to pin what aiw dev serves", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["find"])] });
    const served = "pkg/node_modules/.aiw-dev/words";
    await project.write(
      `${served}/package.json`,
      '{ "aiwhisperer": { "apiVersion": 1, "tools": "./aiw-tools.json" } }',
    );
    await project.write(`${served}/aiw-tools.json`, manifestOf("words", ["count"]));
    await project.write(`${served}/index.js`, "");
    writeLock(project.dir, (await createLock({ projectDir: project.dir }, WORLD)).lock);
    const options = { projectDir: project.dir, directories: ["pkg/node_modules/.aiw-dev"] };
    const { report } = await discoverTools(options, WORLD);
    expect(report.notEnabled).toMatchObject([{ code: "lock_missing", fix: expect.stringContaining("aiw dev") }]);
    expect(report.notEnabled[0]?.fix).not.toContain("run: aiw lock");
    await expect(discoverTools({ ...options, frozen: true }, WORLD)).rejects.toMatchObject({
      code: "lock_missing",
      fix: report.notEnabled[0]?.fix,
    });
  });

  it("takes a folder with a name that begins alike for any other", () => {
    expect(toLockFix({ dir: "/p/node_modules/.aiw-developed/a" }, LOOK_AND_LOCK)).toBe(LOOK_AND_LOCK);
  });
});

describe("toLockFixes", () => {
  it("names installing again beside aiw lock for a package that changed on disk", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["find"])] });
    writeLock(project.dir, (await createLock({ projectDir: project.dir }, WORLD)).lock);
    await project.write("node_modules/fx-a/index.js", "export {};");
    await expect(discoverTools({ projectDir: project.dir, frozen: true }, WORLD)).rejects.toMatchObject({
      code: "lock_drift",
      fix: INSTALL_OR_LOCK,
    });
  });

  it("gives the fix of a pinned package that is broken, which aiw lock would refuse", async () => {
    await using project = await makeProject({ layout: "npm", packages: [toolPackage("fx-a", ["find"])] });
    writeLock(project.dir, (await createLock({ projectDir: project.dir }, WORLD)).lock);
    const file = "node_modules/fx-a/aiw-tools.json";
    const text = await readFile(`${project.dir}/${file}`, "utf8");
    await project.write(file, text.replace("Runs find", "Runs\u200b find"));
    const error: unknown = await discoverTools({ projectDir: project.dir, frozen: true }, WORLD).catch((e) => e);
    expect(error).toMatchObject({ code: "lock_drift", fix: expect.stringContaining("npm uninstall fx-a") });
    expect(error).not.toMatchObject({ fix: expect.stringContaining("aiw lock") });
  });

  it("says what mends a package before what pins the others, each once", () => {
    const fixes = [
      { package: "a", fix: "npm install a" },
      { package: "a", fix: INSTALL_OR_LOCK },
      { package: "b", fix: LOOK_AND_LOCK },
      { package: "c", fix: LOOK_AND_LOCK },
    ];
    expect(toLockFixes(fixes)).toBe(`npm install a ${LOOK_AND_LOCK}`);
    expect(toLockFixes(fixes.slice(0, 2))).toBe("npm install a");
    expect(toLockFixes([])).toBe(LOOK_AND_LOCK);
  });
});
