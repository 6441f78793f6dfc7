import { describe, expect, it } from "vitest";
import { makeProject } from "../__fixtures__/make-project.ts";
import { runAiw } from "../__fixtures__/run-aiw.ts";

async function makeConfigured(): Promise<Awaited<ReturnType<typeof makeProject>>> {
  const project = await makeProject();
  await project.write("aiw.config.json", '{ "toolsets": { "risky": { "include": ["wipe"] } } }');
  return project;
}

const RISKY = ["--toolset", "risky"];

describe("--toolset", () => {
  it("leaves the tools of the set in lists, definitions and the prompt", async () => {
    await using project = await makeConfigured();
    expect((await runAiw(project.cwd, ["list", ...RISKY, "--json"])).json()).toMatchObject({
      tools: [{ name: "wipe" }],
    });
    expect((await runAiw(project.cwd, ["definitions", ...RISKY])).json()).toMatchObject([
      { function: { name: "wipe" } },
    ]);
    expect((await runAiw(project.cwd, ["prompt", ...RISKY])).out).not.toContain("`echo`");
  });

  it("hides and refuses every other tool, loaded or not", async () => {
    await using project = await makeConfigured();
    expect(await runAiw(project.cwd, ["info", "echo", ...RISKY])).toMatchObject({
      code: 1,
      err: expect.stringContaining("not in the toolset risky"),
    });
    const refused = await runAiw(project.cwd, ["call", "echo", ...RISKY, "--input", '{"text":"x"}', "--yes", "--json"]);
    expect({ refused: refused.code !== 0, said: refused.json() }).toMatchObject({
      refused: true,
      said: { success: false, code: "tool_not_offered" },
    });
    expect((await runAiw(project.cwd, ["call", "wipe", ...RISKY, "--yes"])).code).toBe(0);
  });

  it.each(["list", "definitions", "prompt", "search x", "info echo", "call echo"])(
    "ends `aiw %s` with 4 for a set that nothing defines",
    async (command) => {
      await using project = await makeConfigured();
      expect(await runAiw(project.cwd, [...command.split(" "), "--toolset", "riskyy"])).toMatchObject({
        code: 4,
        err: expect.stringContaining("Did you mean risky?"),
      });
    },
  );
});

describe("aiw list --all", () => {
  it("also lists what is installed and not enabled", async () => {
    await using project = await makeProject();
    await project.write(
      "node_modules/fx-stray/package.json",
      '{ "name": "fx-stray", "version": "3.0.0", "aiwhisperer": { "tools": { "stray": "./i.js" } } }',
    );
    await project.write("aiw.config.json", '{ "tools": { "disabled": ["fail"] } }');
    expect((await runAiw(project.cwd, ["list"])).out).not.toContain("fx-stray");
    const { out } = await runAiw(project.cwd, ["list", "--all"]);
    expect(out).toMatch(
      /Not enabled:\n.*acme-tools\/fail@1\.0\.0 +disabled_by_config.*fx-stray@3\.0\.0 +undeclared_dependency/s,
    );
    expect((await runAiw(project.cwd, ["list", "--all", "--json"])).json()).toMatchObject({
      notEnabled: [{ code: "disabled_by_config", tool: "fail" }, { package: "fx-stray" }],
    });
  });
});
