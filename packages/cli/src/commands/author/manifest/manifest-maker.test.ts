import { describe, expect, it } from "vitest";
import { authorPackage, toolText } from "../../../__fixtures__/author-package.ts";
import { ManifestMaker } from "./manifest-maker.ts";

const NONE = { loadCompiler: () => Promise.resolve(undefined) };
const FUNCTION = "export const shout = (text) => text;\n";

describe("ManifestMaker without a compiler", () => {
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
    expect(await new ManifestMaker(workspace.cwd, NONE).make()).toMatchObject({ notes: [], tools: [{ name: "find" }] });
    await workspace.write("dist/index.js", FUNCTION + toolText("find"));
    const { notes } = await new ManifestMaker(workspace.cwd, NONE).make();
    expect(notes).toEqual([expect.stringContaining("No tool was made of shout") as string]);
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
