import { readlink, rm, symlink } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryWorkspace } from "@aiw/testkit";
import { makeProject } from "../__fixtures__/make-project.ts";
import { runAiw } from "../__fixtures__/run-aiw.ts";

const SCHEMA = "node_modules/@aiw/core/aiw.config.schema.json";

describe("aiw init", () => {
  it("writes a configuration that holds at once, beside the package.json above", async () => {
    await using project = await makeProject();
    await project.write("src/a.txt", "");
    const { code, json } = await runAiw(project.path("src"), ["init", "--json"]);
    const file = project.path("aiw.config.json");
    expect({ code, said: json() }).toEqual({ code: 0, said: { file, created: true, schema: null } });
    expect(await project.read("aiw.config.json")).toMatch(/^\{\n {2}"tools".*\n\}\n$/s);
    const listed = await runAiw(project.cwd, ["list", "--toolset", "readonly", "--json"]);
    expect(listed.json()).toMatchObject({ findings: [] });
    expect((await runAiw(project.cwd, ["trust"])).out).toContain("waits for trust");
  });

  it.each([
    ["the project's own", SCHEMA, `./${SCHEMA}`],
    ["the workspace's", `../${SCHEMA}`, `../${SCHEMA}`],
  ])("names %s schema for editors", async (_whose, place, schema) => {
    await using folder = await temporaryWorkspace({ "project/package.json": '{ "name": "p" }' });
    await folder.write(`project/${place}`, "{}");
    expect((await runAiw(folder.path("project"), ["init", "--json"])).json()).toMatchObject({ schema });
    expect(JSON.parse(await folder.read("project/aiw.config.json"))).toMatchObject({ $schema: schema });
  });

  it("names none where no folder leads to one, and says how to get it", async () => {
    await using project = await temporaryWorkspace({ "package.json": '{ "name": "p" }', "pnpm-lock.yaml": "" });
    const { out } = await runAiw(project.cwd, ["init"]);
    expect(out).toContain("pnpm add --save-dev @aiw/core");
    expect(out).toContain("pnpm add @aiw/plugin-filesystem");
    expect(await project.read("aiw.config.json")).not.toContain("$schema");
  });

  it("changes nothing that is there, however broken", async () => {
    await using project = await makeProject();
    await project.write("aiw.config.json", "{ mine");
    const { code, err, json } = await runAiw(project.cwd, ["init", "--json"]);
    expect({ code, said: json() }).toMatchObject({ code: 1, said: { created: false } });
    expect(err).toContain("is there already");
    expect(await project.read("aiw.config.json")).toBe("{ mine");
  });

  it("counts a link to nothing as there", async () => {
    await using project = await makeProject();
    await symlink("../elsewhere.json", project.path("aiw.config.json"));
    expect((await runAiw(project.cwd, ["init"])).code).toBe(1);
    expect(await readlink(project.path("aiw.config.json"))).toBe("../elsewhere.json");
  });

  it("ends with 4 and a fix where there is no project", async () => {
    await using folder = await temporaryWorkspace();
    expect(await runAiw(folder.cwd, ["init"])).toMatchObject({ code: 4, err: expect.stringContaining("npm init") });
  });

  it("speaks of no node_modules under Plug'n'Play, and names the command as it is run there", async () => {
    await using project = await makeProject();
    await rm(project.path("node_modules"), { recursive: true });
    await project.write(".pnp.cjs", "");
    await project.write("yarn.lock", "");
    const { out } = await runAiw(project.cwd, ["init"]);
    expect(out).toContain("yarn aiw trust");
    expect(out + (await project.read("aiw.config.json"))).not.toContain("node_modules");
    const listed = await runAiw(project.cwd, ["list", "--json"]);
    expect(listed.json()).toMatchObject({
      error: { code: "pnp_not_active", fix: expect.stringContaining("yarn aiw") },
    });
    expect((await runAiw(project.cwd, ["doctor"])).out).toContain("yarn aiw");
  });
});
