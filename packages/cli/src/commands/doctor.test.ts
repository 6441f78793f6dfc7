import { describe, expect, it } from "vitest";
import { temporaryWorkspace } from "@aiw/testkit";
import { makeProject, toolModule } from "../__fixtures__/make-project.ts";
import { runAiw } from "../__fixtures__/run-aiw.ts";
import type { Diagnosis } from "./doctor/diagnosis.ts";

describe("aiw doctor", () => {
  it("is content with a healthy project", async () => {
    await using project = await makeProject();
    const { code, out } = await runAiw(project.cwd, ["doctor"]);
    expect(code).toBe(0);
    expect(out).toMatch(/found +acme-tools 1\.0\.0: echo, fail, tick, wipe/);
    // This machine may have a remark of its own.
    expect(out).toMatch(
      /4 tools are offered; (?:no problems: everything that is enabled can be used|\d+ problems?, told above)\.\n$/,
    );
  });

  it("ends with 4 and names the fix when a package cannot be used", async () => {
    await using project = await makeProject({ "fx-bad": '{ "aiwhisperer": {' });
    const { code, json } = await runAiw(project.cwd, ["doctor", "--json"]);
    expect(code).toBe(4);
    expect(json()).toMatchObject({
      ok: false,
      report: { rejected: [{ package: "fx-bad", code: "package_json_invalid", fix: expect.stringMatching(/./) }] },
    });
  });

  it("tells layout, versions, configuration, variables and where trust is kept", async () => {
    await using project = await makeProject();
    await project.write("package-lock.json", "{}");
    await project.write(
      "aiw.config.json",
      '{ "tools": { "disabled": ["fail"] }, "policy": { "rules": [{ "match": { "tool": "wipe" }, "decision": "allow" }, { "match": { "tool": "echo" }, "decision": "ask" }] } }',
    );
    const environment = { AIWHISPERER_PLUGINS: "acme-tools", AIWHISPERER_REQUIRE_STATIC: "0", NODE_ENV: "production" };
    const { out } = await runAiw(project.cwd, ["doctor"], { environment });
    expect(out).toContain('variable  AIWHISPERER_PLUGINS="acme-tools"');
    expect((await runAiw(project.cwd, ["doctor", "--json"], { environment })).json()).toMatchObject({
      tools: 3,
      layout: { projectDir: project.cwd, manager: "npm", cores: expect.any(Array) },
      versions: { node: process.versions.node, aiw: expect.stringMatching(/^\d/) },
      config: {
        file: project.path("aiw.config.json"),
        holds: ["/tools/disabled", "/policy/rules/1"],
        waits: ["/policy/rules/0"],
      },
      environment: [
        { name: "AIWHISPERER_PLUGINS", effect: "only these packages are enabled" },
        { name: "NODE_ENV", effect: "development dependencies are left out" },
        { name: "AIW_CONFIG_HOME" },
      ],
      trust: { file: `${project.cwd}.config/trust.json`, records: 0, current: 0 },
    });
  });

  it("shows the folders that hold for calls from here, those that wait for trust left out", async () => {
    await using project = await makeProject();
    const plain = await runAiw(project.cwd, ["doctor", "--json"]);
    expect(plain.json()).toMatchObject({ workspace: { roots: [project.cwd], readOnly: [], deny: [] } });
    const workspace = { roots: ["../library"], readOnly: ["vendor"], deny: ["*.pem", "secrets/"] };
    await project.write("aiw.config.json", JSON.stringify({ workspace }));
    expect((await runAiw(project.cwd, ["doctor", "--json"])).json()).toMatchObject({
      config: { waits: ["/workspace/roots/0"] },
      workspace: { roots: [project.cwd], readOnly: [project.path("vendor")], deny: ["*.pem", "secrets/"] },
    });
    const { out } = await runAiw(project.cwd, ["doctor"]);
    const said = out.replaceAll(/\s+/g, " ");
    expect(said).toContain(`folders tools work in ${project.cwd} `);
    expect(said).toContain(`read-only nothing is written in ${project.path("vendor")} `);
    expect(said).toContain("denied neither read nor written: *.pem, secrets/ ");
    await runAiw(project.cwd, ["trust", "--yes"]);
    const trusted = (await runAiw(project.cwd, ["doctor", "--json"])).json() as Diagnosis;
    expect(trusted.workspace?.roots).toHaveLength(2);
  });

  it("names what is installed and not enabled, shadowed, and declared with keys that nothing reads", async () => {
    await using project = await makeProject({
      "fx-twin": JSON.stringify({
        name: "fx-twin",
        version: "2.0.0",
        type: "module",
        dependencies: { "fx-deep": "1" },
        aiwhisperer: { tool: {}, tools: { echo: "./i.js#echo" } },
      }),
    });
    await project.write("node_modules/fx-twin/i.js", toolModule("echo"));
    await project.write(
      "node_modules/fx-deep/package.json",
      '{ "name": "fx-deep", "version": "1.0.0", "aiwhisperer": { "tools": { "deep": "./i.js" } } }',
    );
    const { code, out } = await runAiw(project.cwd, ["doctor"]);
    expect(code).toBe(0);
    expect(out).toContain("unused    fx-deep 1.0.0: transitive_dependency");
    expect(out).toContain("shadowed  echo: acme-tools/echo");
    expect(out).toMatch(/declared +warning: fx-twin: .*"tool"\. Did its author mean tools\? Fix: /);
    expect(out.split("slow_declaration")).toHaveLength(2);
  });

  it("calls a package that failed rejected, not found too, and never says beside problems that all is well", async () => {
    await using project = await makeProject();
    await project.write("yard/bad.js", 'throw new Error("no");');
    const environment = { AIWHISPERER_PLUGINS_DIR: project.path("yard") };
    const { code, out } = await runAiw(project.cwd, ["doctor"], { environment });
    expect(code).toBe(4);
    expect(out).toContain("rejected  dir:bad");
    expect(out).not.toContain("found     dir:bad");
    await project.write("aiw.config.json", '{ "tools": { "disabled": ["wip"] } }');
    const warned = await runAiw(project.cwd, ["doctor"]);
    expect(warned).toMatchObject({
      code: 0,
      out: expect.stringMatching(/unmatched +project: .*\d problems?, told above\.\n$/s),
    });
  });

  it("runs the code of every tool when asked to, and tells what cannot be loaded", async () => {
    const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
    const metadata = { tags: [], permissions: [], effects };
    const spec = { name: "listed", type: "function", description: "L.", inputSchema: { type: "object" }, metadata };
    await using project = await makeProject({
      "fx-static":
        '{ "name": "fx-static", "version": "1.0.0", "type": "module", "aiwhisperer": { "tools": "./aiw-tools.json" } }',
    });
    const tools = [{ module: "./i.js", export: "x", spec }];
    const manifest = { manifestVersion: 1, package: { name: "fx-static", version: "1.0.0" }, tools };
    await project.write("node_modules/fx-static/aiw-tools.json", JSON.stringify(manifest));
    await project.write("node_modules/fx-static/i.js", 'throw new TypeError("cannot start");');
    expect((await runAiw(project.cwd, ["doctor"])).code).toBe(0);
    const { code, out } = await runAiw(project.cwd, ["doctor", "--load"]);
    expect({ code, out }).toMatchObject({
      code: 4,
      out: expect.stringMatching(/fx-static.*load_failed.*cannot start/s),
    });
  });

  it("runs no code of the project that nobody trusts", async () => {
    await using project = await makeProject();
    await project.write("own.js", "globalThis.doctorRan = true;");
    await project.write("yard/sweep.js", "globalThis.doctorRan = true;");
    await project.write("package.json", '{ "name": "project", "aiwhisperer": { "tools": "./own.js" } }');
    await project.write("aiw.config.json", '{ "sources": { "directories": ["./yard"] } }');
    const { code, out } = await runAiw(project.cwd, ["doctor"]);
    expect({ code, waits: out.includes("trust_required") }).toEqual({ code: 0, waits: true });
    expect(globalThis).not.toHaveProperty("doctorRan");
  });

  it("goes on where nothing can be discovered", async () => {
    await using project = await makeProject();
    await project.write("aiw.config.json", '{ "tolls": {} }');
    const wrong = await runAiw(project.cwd, ["doctor"]);
    expect(wrong).toMatchObject({ code: 4, out: expect.stringMatching(/failed +config_invalid: .*tolls/s) });
    expect(wrong.out).toContain("layout ");
    await project.write("package.json", "{");
    const broken = (await runAiw(project.cwd, ["doctor", "--json"])).json() as Diagnosis;
    expect(broken).toMatchObject({ ok: false, report: null, layout: null, error: { code: expect.any(String) } });
    expect(broken.checks.length).toBeGreaterThan(0);
  });

  it("fits a terminal of 80 columns, unless a word alone does not", async () => {
    await using project = await makeProject({ "fx-bad": '{ "aiwhisperer": {' });
    const { out } = await runAiw(project.cwd, ["doctor"], { columns: 80 });
    const long = out.split("\n").filter((line) => line.length > 80 && line.slice(10).includes(" "));
    expect(long).toEqual([]);
  });

  it("says where there is no project", async () => {
    await using folder = await temporaryWorkspace();
    const { code, out } = await runAiw(folder.cwd, ["doctor"]);
    expect(code).toBe(4);
    expect(out).toContain(`project   none in ${folder.cwd} or above it`);
    expect(out).toMatch(/No tools: there is no project\.\n$/);
    expect((await runAiw(folder.cwd, ["doctor", "--json"])).json()).toMatchObject({ ok: false });
  });
});
