import { describe, expect, it } from "vitest";
import { authorPackage, touch, toolText } from "../../../__fixtures__/author-package.ts";
import { ManifestMaker } from "./manifest-maker.ts";

const NONE = { loadCompiler: () => Promise.resolve(undefined) };
const FUNCTION = "export const shout = (text) => text;\n";

describe("ManifestMaker without a compiler", { timeout: 60_000 }, () => {
  it("names the command that installs it where a function has to be compiled", async () => {
    const files = { "dist/index.js": FUNCTION, "src/index.ts": "", "pnpm-lock.yaml": "" };
    await using workspace = await authorPackage({}, files);
    await expect(new ManifestMaker(workspace.cwd, NONE).make()).rejects.toMatchObject({
      code: "compiler_unavailable",
      message: expect.stringContaining("(shout)") as string,
      fix: expect.stringContaining("pnpm add -D @aiw/compiler") as string,
    });
  });

  it("asks for none where the code tells everything, and only mentions it where functions remain", async () => {
    await using workspace = await authorPackage({}, { "src/index.ts": "" });
    await touch(workspace, "dist/index.js", 60);
    expect(await new ManifestMaker(workspace.cwd, NONE).make()).toMatchObject({ notes: [], tools: [{ name: "find" }] });
    await workspace.write("dist/index.js", FUNCTION + toolText("find"));
    await touch(workspace, "dist/index.js", 60);
    const { notes } = await new ManifestMaker(workspace.cwd, NONE).make();
    expect(notes).toEqual([expect.stringContaining("No tool was made of shout") as string]);
  });

  it("says when the source was changed after the module was built", async () => {
    await using workspace = await authorPackage(
      { scripts: { build: "tsc" } },
      { "src/index.ts": "", "src/deep/a.ts": "", "src/a.test.ts": "" },
    );
    await touch(workspace, "dist/index.js", 30);
    await touch(workspace, "src/a.test.ts", 60);
    expect((await new ManifestMaker(workspace.cwd, NONE).make()).notes).toEqual([]);
    await touch(workspace, "src/deep/a.ts", 60);
    const { notes } = await new ManifestMaker(workspace.cwd, NONE).make();
    expect(notes).toEqual([
      "src/deep/a.ts was changed after ./dist/index.js was built, so the manifest is of the former code; run: npm run build",
    ]);
    await touch(workspace, "dist/index.js", 120);
    expect((await new ManifestMaker(workspace.cwd, NONE).make()).notes).toEqual([]);
  });

  it("lets no package go without that names it", async () => {
    const files = { "dist/index.js": FUNCTION + toolText("find"), "src/index.ts": "" };
    await using workspace = await authorPackage({ devDependencies: { "@aiw/compiler": "^1.0.0" } }, files);
    await expect(new ManifestMaker(workspace.cwd, NONE).make()).rejects.toMatchObject({ code: "compiler_unavailable" });
  });

  it("stops waiting when it is told to", async () => {
    await using workspace = await authorPackage(
      {},
      { "dist/index.js": "await new Promise((go) => setTimeout(go, 60_000));" },
    );
    const signal = AbortSignal.timeout(300);
    await expect(new ManifestMaker(workspace.cwd, { ...NONE, signal }).make()).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });
});
