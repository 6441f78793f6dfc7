import { describe, expect, it } from "vitest";
import { makeProject, toolModule } from "../__fixtures__/make-project.ts";
import { runAiw } from "../__fixtures__/run-aiw.ts";

const TWIN = {
  "fx-twin": '{ "name": "fx-twin", "version": "2.0.0", "aiwhisperer": { "tools": { "echo": "./i.js" } } }',
};

describe("aiw why", () => {
  it("says which package answers, what the project wrote for it, and how to call it", async () => {
    await using project = await makeProject();
    const { code, out } = await runAiw(project.cwd, ["why", "echo"]);
    expect(code).toBe(0);
    expect(out).toContain("tool      acme-tools/echo (1.0.0)");
    expect(out).toContain("wanted    1.0.0 in dependencies");
    expect(out).toContain(`folder    ${project.path("node_modules/acme-tools")}`);
    expect((await runAiw(project.cwd, ["why", "echo", "--json"])).json()).toMatchObject({
      state: "tool",
      project: project.cwd,
      tool: { id: "acme-tools/echo", callAs: ["echo", "acme-tools/echo"] },
      package: { id: "acme-tools", form: "map", wanted: { field: "dependencies", range: "1.0.0" } },
      contest: null,
    });
  });

  it("says which rule decided between two, from either side", async () => {
    await using project = await makeProject(TWIN);
    await project.write(
      "node_modules/fx-twin/i.js",
      toolModule("echo").replace("export const echo =", "export default"),
    );
    expect((await runAiw(project.cwd, ["why", "echo"])).out).toMatch(/because packages come.*\nhides +fx-twin\/echo/);
    const loser = await runAiw(project.cwd, ["why", "fx-twin/echo"]);
    expect(loser).toMatchObject({ code: 0, out: expect.stringContaining("hidden    echo is acme-tools/echo") });
    expect(loser.out).toContain("call      aiw call fx-twin/echo\n");
  });

  it("explains a package, and one that declares no tools", async () => {
    await using project = await makeProject({ "fx-plain": '{ "name": "fx-plain", "version": "1.0.0" }' });
    expect((await runAiw(project.cwd, ["why", "acme-tools", "--json"])).json()).toMatchObject({
      state: "package",
      tool: null,
      package: { tools: ["echo", "fail", "tick", "wipe"] },
    });
    const plain = await runAiw(project.cwd, ["why", "fx-plain", "--json"]);
    expect({ code: plain.code, said: plain.json() }).toMatchObject({ code: 1, said: { state: "no_tools" } });
  });

  it.each([
    ["a switched off tool", "echo", { "aiw.config.json": '{ "tools": { "disabled": ["echo"] } }' }, "disabled"],
    [
      "a switched off package",
      "acme-tools",
      { "aiw.config.json": '{ "tools": { "disabled": ["acme-tools"] } }' },
      "disabled",
    ],
    [
      "a tool that is not enabled",
      "echo",
      { "aiw.config.json": '{ "tools": { "enabled": ["fx-other"] } }' },
      "disabled",
    ],
    ["a broken package", "fx-other", { "node_modules/fx-other/package.json": '{ "aiwhisperer": {' }, "rejected"],
    ["a package that is not installed", "fx-other", {}, "not_installed"],
    [
      "a dependency of a dependency",
      "fx-deep",
      {
        "node_modules/fx-other/package.json":
          '{ "name": "fx-other", "version": "1.0.0", "dependencies": { "fx-deep": "1" } }',
        "node_modules/fx-deep/package.json":
          '{ "name": "fx-deep", "version": "1.0.0", "aiwhisperer": { "tools": { "deep": "./i.js" } } }',
      },
      "not_enabled",
    ],
    [
      "a tool whose module throws",
      "echo",
      { "node_modules/acme-tools/tools.js": 'throw new Error("no");' },
      "rejected",
    ],
  ])("says of %s why it does not answer", async (_what, name, files, state) => {
    await using project = await makeProject();
    await project.write(
      "package.json",
      '{ "name": "project", "dependencies": { "acme-tools": "1.0.0", "fx-other": "1.0.0" } }',
    );
    for (const [file, text] of Object.entries(files)) await project.write(file, text);
    const { code, json } = await runAiw(project.cwd, ["why", name, "--json"]);
    expect({ code, said: json() }).toMatchObject({
      code: 1,
      said: { state, findings: [{ fix: expect.stringMatching(/./) }] },
    });
  });

  it("says when the environment keeps a tool away", async () => {
    await using project = await makeProject(TWIN);
    const environment = { AIWHISPERER_PLUGINS: "fx-twin" };
    const { out } = await runAiw(project.cwd, ["why", "wipe"], { environment });
    expect(out).toMatch(/"wipe" is switched off.*AIWHISPERER_PLUGINS/s);
    expect((await runAiw(project.cwd, ["why", "wiqe"], { environment })).out).not.toContain("switched off");
  });

  it("names a tool of the project that waits for trust, without running it", async () => {
    await using project = await makeProject();
    await project.write("own.js", toolModule("why_own"));
    await project.write(
      "package.json",
      '{ "name": "project", "aiwhisperer": { "tools": { "why_own": "./own.js#why_own" } } }',
    );
    const { code, out } = await runAiw(project.cwd, ["why", "why_own"]);
    expect({ code, out }).toMatchObject({ code: 1, out: expect.stringContaining("aiw trust") });
    expect(out).toContain("waits until you trust it");
    expect(globalThis).not.toMatchObject({ ran: expect.arrayContaining(["why_own"]) });
  });

  it("leads from the name of a tool whose package cannot be used, or waits, to why", async () => {
    await using project = await makeProject();
    const environment = { AIWHISPERER_REQUIRE_STATIC: "1" };
    const json = async (name: string): Promise<unknown> =>
      (await runAiw(project.cwd, ["why", name, "--json"], { environment })).json();
    expect(await json("wipe")).toMatchObject({
      state: "not_enabled",
      findings: [{ code: "static_manifest_required" }],
    });
    expect(await json("acme-tools/wipe")).toMatchObject({ state: "not_enabled" });
    for (const command of ["call", "info"]) {
      const { code, err } = await runAiw(project.cwd, [command, "wipe"], { environment });
      expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining("static manifests are required") });
    }
  });

  it("names what could not be looked into, also where other names are like it", async () => {
    await using project = await makeProject();
    await project.write("yard/greet.js", toolModule("greet"));
    await project.write("aiw.config.json", '{ "sources": { "directories": ["./yard"] } }');
    for (const name of ["greet", "ecko"])
      expect((await runAiw(project.cwd, ["why", name])).out).toMatch(/trust_required.*aiw trust/s);
  });

  it("knows a package by what comes after its scope", async () => {
    await using project = await makeProject({
      "@acme/plugin-shell":
        '{ "name": "@acme/plugin-shell", "version": "1.0.0", "aiwhisperer": { "tools": { "sh": "./i.js" } } }',
    });
    for (const name of ["plugin-shell", "plugin-shel"])
      expect((await runAiw(project.cwd, ["why", name])).out).toMatch(/nearest +@acme\/plugin-shell/);
  });

  it("runs no code of a package whose definitions are known without", async () => {
    await using project = await makeProject();
    await project.write("node_modules/acme-tools/tools.js", "globalThis.whyRan = true;");
    await runAiw(project.cwd, ["why", "acme-tools"]);
    expect(globalThis).not.toHaveProperty("whyRan");
  });

  it("row 2: names the project that was chosen, from a folder below it, wherever a name is not found", async () => {
    await using project = await makeProject();
    await project.write("src/deep/a.txt", "");
    const deep = project.path("src/deep");
    for (const args of [
      ["why", "ecko"],
      ["info", "ecko"],
      ["call", "ecko"],
      ["search", "zzzzzzzz"],
    ]) {
      const { code, out, err } = await runAiw(deep, args);
      expect({ args, code, names: `${out}${err}`.includes(project.cwd) }).toEqual({ args, code: 1, names: true });
      expect(`${out}${err}`).not.toContain(deep);
    }
    expect((await runAiw(deep, ["list"])).err).toContain(project.cwd);
    expect((await runAiw(deep, ["why", "ecko"])).out).toMatch(/nearest +echo/);
  });

  it("lets no hostile name or text reach the terminal as it is", async () => {
    await using project = await makeProject({ "fx-odd": '{ "name": "fx-odd", "aiwhisperer": "\\u001b[2J\\u202e" }' });
    const { out } = await runAiw(project.cwd, ["why", "fx-odd"]);
    expect(out).not.toMatch(/[\u001B\u202E]/);
    expect((await runAiw(project.cwd, ["why", "x\u001B[2J".repeat(100)])).out).not.toContain("\u001B");
  });
});
