import { temporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { makeProject } from "./__fixtures__/make-project.ts";
import { runAiw as aiw } from "./__fixtures__/run-aiw.ts";

describe("runCli", () => {
  it("shows the overview, a command's help and the version", async () => {
    await using project = await makeProject();
    expect(await aiw(project.cwd, [])).toMatchObject({ code: 0, out: expect.stringContaining("Usage: aiw COMMAND") });
    expect(await aiw(project.cwd, ["help", "call"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("--input"),
    });
    expect(await aiw(project.cwd, ["call", "--help"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("--input"),
    });
    expect(await aiw(project.cwd, ["--version"])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it.each([
    [["lst"], "Did you mean list?"],
    [["list", "--nope"], "--nope"],
    [["list", "extra"], "no word after its name"],
    [["list", "--tolset", "x"], "Did you mean --toolset?"],
    [["list", "--toolset"], "--toolset needs a value"],
    [["call", "echo", '{"text":"hi"}'], `Arguments come after --input: aiw call echo --input '{"text":"hi"}'`],
    [["call"], "1 word after its name"],
    [["call", "echo", "--input", "{"], "not valid JSON"],
    [["call", "echo", "--input", "[]"], "expected an object"],
    [["call", "echo", "--input", "@missing.json"], "cannot read missing.json"],
    [["call", "echo", "--timeout", "soon"], "number of seconds"],
    [["definitions", "--format", "cobol"], "--format is one of"],
    [["list", "--cwd", "no/such/folder"], "there is no folder"],
    [["list", "--cwd", "package.json"], "there is no folder"],
  ])("answers wrong use %j with exit code 2", async (args, message) => {
    await using project = await makeProject();
    expect(await aiw(project.cwd, args)).toMatchObject({ code: 2, out: "", err: expect.stringContaining(message) });
  });

  it("answers wrong use as JSON to who asked for JSON", async () => {
    await using project = await makeProject();
    const { code, json } = await aiw(project.cwd, ["list", "--nope", "--json"]);
    expect(code).toBe(2);
    expect(json()).toEqual({ error: { code: "wrong_use", message: expect.stringContaining("--nope") } });
  });
});

describe("an answer at a terminal", () => {
  it("is said once, as data to who asked for data", async () => {
    await using project = await makeProject();
    const { code, err, json } = await aiw(project.cwd, ["info", "ecko", "--json"], { terminal: true });
    expect({ code, err, said: json() }).toMatchObject({
      code: 1,
      err: "",
      said: { error: { code: "tool_not_found" } },
    });
    expect((await aiw(project.cwd, ["info", "ecko", "--json"])).err).toContain("ecko");
  });

  it.each([60, 80])("has no line that breaks inside a word at %i columns", async (columns) => {
    await using project = await makeProject();
    const commands = ["help", "help call", "help trust", "trust --help", "info echo", "list", "why echo", "info ecko"];
    for (const command of commands) {
      const { out, err } = await aiw(project.cwd, command.split(" "), { columns });
      const long = `${out}\n${err}`.split("\n").filter((line) => line.length > columns && line.trim().includes(" "));
      expect(long.filter((line) => !/(?:\/|sha256-)\S{30,}/.test(line))).toEqual([]);
    }
  });
});

describe("aiw list", () => {
  it("lists tools by name with package, version and source", async () => {
    await using project = await makeProject();
    const { code, json } = await aiw(project.cwd, ["list", "--json"]);
    expect(code).toBe(0);
    expect(json()).toMatchObject({
      project: { name: "project" },
      tools: [
        { name: "echo", id: "acme-tools/echo", package: "acme-tools", version: "1.0.0", source: "package" },
        { name: "fail" },
        { name: "tick" },
        { name: "wipe" },
      ],
      findings: [],
    });
  });

  it("works from a folder below the project and by --cwd", async () => {
    await using project = await makeProject();
    await project.write("src/deep/a.txt", "");
    expect((await aiw(project.path("src/deep"), ["list"])).out).toContain("echo");
    expect((await aiw("/", ["list", "--cwd", project.cwd])).out).toContain("acme-tools@1.0.0");
  });

  it("says where it looked when there is nothing", async () => {
    await using project = await makeProject();
    await project.write("package.json", '{ "name": "empty" }');
    expect(await aiw(project.cwd, ["list"])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`No tools in ${project.cwd}`),
    });
  });

  it("prints problems of broken packages beside the tools of good ones", async () => {
    await using project = await makeProject({
      "fx-null": '{ "name": "fx-null", "version": "1.0.0", "aiwhisperer": null }',
    });
    const { code, out, err } = await aiw(project.cwd, ["list"]);
    expect({ code, lists: out.includes("echo") }).toEqual({ code: 0, lists: true });
    expect(err).toMatch(/fx-null.*declaration_invalid/s);
    expect(err).toContain("Fix:");
  });

  it("says which tool answers to a name that two claim", async () => {
    await using project = await makeProject({
      "fx-twin": '{ "name": "fx-twin", "version": "2.0.0", "aiwhisperer": { "tools": { "echo": "./i.js" } } }',
    });
    expect((await aiw(project.cwd, ["list"])).err).toBe(
      `project   ${project.cwd} (2 dependencies read)\nshadowed  echo: acme-tools/echo (1.0.0) answers; call fx-twin/echo (2.0.0) by full id\n`,
    );
  });

  it("names packages whose tools it cannot list without code", async () => {
    await using project = await makeProject({
      "fx-module": '{ "name": "fx-module", "version": "1.0.0", "aiwhisperer": { "tools": "./index.js" } }',
    });
    expect((await aiw(project.cwd, ["list"])).err).toMatch(/unlisted +1 package.*fx-module/);
    expect((await aiw(project.cwd, ["list", "--json"])).json()).toMatchObject({
      findings: [{ package: "fx-module", code: "slow_declaration" }],
    });
  });

  it("says of many packages that nobody can list in one line that it is so", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `fx-module-${index + 10}`);
    const text = (name: string): string => JSON.stringify({ name, version: "1.0.0", aiwhisperer: { tools: "./i.js" } });
    await using project = await makeProject(Object.fromEntries(names.map((name) => [name, text(name)])));
    const { err } = await aiw(project.cwd, ["list"]);
    expect(err).toMatch(/unlisted +12 packages.*fx-module-10, .* …/);
    expect(err.trim().split("\n")).toHaveLength(2);
  });

  it("tells many findings of one kind in one", async () => {
    await using project = await makeProject();
    const gone = Object.fromEntries(["a", "b", "c", "d"].map((name) => [`fx-${name}`, "1"]));
    await project.write("package.json", JSON.stringify({ name: "project", dependencies: gone }));
    expect((await aiw(project.cwd, ["list"])).err).toMatch(
      /4 times: not_installed\n +fx-a, fx-b, fx-c, fx-d\. Fix: npm install/,
    );
  });

  it.each([
    ["AIWHISPERER_PLUGINS", { AIWHISPERER_PLUGINS: "" }, {}],
    ["tools.enabled", {}, { "aiw.config.json": '{ "tools": { "enabled": ["@else/*"] } }' }],
    ["tools.disabled", {}, { "aiw.config.json": '{ "tools": { "disabled": ["*"] } }' }],
  ])("says that %s keeps everything away, not what to install", async (what, environment, files) => {
    await using project = await makeProject();
    for (const [file, text] of Object.entries(files)) await project.write(file, text);
    const { out, err } = await aiw(project.cwd, ["list"], { environment });
    expect(out).toMatch(/No tools in .*switched off/);
    expect(err).toContain(what);
    expect(out + err).not.toContain("Install some");
  });

  it("says where in a workspace the tools are", async () => {
    await using project = await makeProject();
    await project.write("package.json", '{ "name": "root", "workspaces": ["packages/*"] }');
    await project.write("packages/a/package.json", '{ "name": "a", "dependencies": { "acme-tools": "1.0.0" } }');
    await project.write("packages/b/package.json", '{ "name": "b" }');
    expect((await aiw(project.cwd, ["list"])).out).toContain("packages/a (4). Look there: aiw list --cwd packages/a");
    await project.write("package.json", '{ "name": "root" }');
    expect((await aiw(project.cwd, ["list"])).out).toContain("Install some: npm install @aiw/plugin-filesystem");
    await project.write("pnpm-workspace.yaml", 'packages:\n  - "packages/*"\n');
    expect((await aiw(project.cwd, ["list"])).out).toContain("packages/a (4)");
  });

  it("names what a configuration misspells", async () => {
    await using project = await makeProject();
    const config = {
      tools: { disabled: ["wip"], prefer: { echo: "acme-tool" } },
      toolsets: { some: { include: ["ecko"] } },
    };
    await project.write("aiw.config.json", JSON.stringify(config));
    for (const args of [["list"], ["list", "--toolset", "some"], ["doctor"]]) {
      const { out, err } = await aiw(project.cwd, args);
      expect(`${out}${err}`).toMatch(/pattern_unmatched.*Did you mean wipe\?/s);
      expect(`${out}${err}`).toMatch(/toolset_unmatched.*Did you mean echo\?/s);
    }
  });

  it("gives whoever is in no project one way out", async () => {
    await using folder = await temporaryWorkspace();
    for (const args of [
      ["list"],
      ["info", "echo"],
      ["call", "echo"],
      ["why", "echo"],
      ["doctor"],
      ["init"],
      ["search", "echo"],
    ]) {
      const { out, err } = await aiw(folder.cwd, args);
      expect({ args, said: `${out}${err}`.includes("npm init -y") }).toEqual({ args, said: true });
      expect(`${out}${err}`).not.toMatch(/aiw (why|list --all|doctor)/);
    }
  });

  it("ends with 4 when the project's own package.json is broken", async () => {
    await using project = await makeProject();
    await project.write("package.json", "{");
    const { code, json } = await aiw(project.cwd, ["list", "--json"]);
    expect(code).toBe(4);
    expect(json()).toMatchObject({ error: { code: "project_manifest_invalid" } });
  });
});

describe("aiw info", () => {
  it("says what a parameter may be, and is when nobody gives it", async () => {
    await using project = await makeProject();
    const code = await project.read("node_modules/acme-tools/tools.js");
    const inputSchema = {
      type: "object",
      properties: {
        limit: { type: "integer", minimum: 1, maximum: 50, default: 10, description: "How many." },
        code: { type: "string", pattern: "^[a-z]+$" },
        sort: { type: "string", enum: ["up", "down"], default: "up" },
      },
    };
    await project.write(
      "node_modules/acme-tools/tools.js",
      code.replace("inputSchema: text", `inputSchema: ${JSON.stringify(inputSchema)}`),
    );
    const { out } = await aiw(project.cwd, ["info", "echo"]);
    expect(out).toMatch(/limit +integer +optional +How many\. \(default 10, min 1, max 50\)/);
    expect(out).toMatch(/code +string +optional +\(pattern "\^\[a-z\]\+\$"\)/);
    expect(out).toMatch(/sort +one of "up", "down" +optional +\(default "up"\)/);
  });

  it("shows one tool, by full id too", async () => {
    await using project = await makeProject();
    expect((await aiw(project.cwd, ["info", "acme-tools/echo"])).out).toMatch(
      /Gives the text back.*acme-tools\/echo.*text +string +required +The text\./s,
    );
    expect((await aiw(project.cwd, ["info", "echo", "--json"])).json()).toMatchObject({
      id: "acme-tools/echo",
      definitionHash: expect.stringMatching(/^sha256-/),
      spec: { name: "echo" },
    });
  });

  it("runs no code for a tool whose definition is known without", async () => {
    await using project = await makeProject({
      "fx-static": '{ "name": "fx-static", "version": "1.0.0", "aiwhisperer": { "tools": "./aiw-tools.json" } }',
    });
    const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
    const spec = {
      name: "listed",
      type: "function",
      description: "Listed.",
      inputSchema: { type: "object" },
      metadata: { tags: [], permissions: [], effects },
    };
    const tools = [{ module: "./i.js", export: "x", spec }];
    await project.write(
      "node_modules/fx-static/aiw-tools.json",
      JSON.stringify({ manifestVersion: 1, package: { name: "fx-static", version: "1.0.0" }, tools }),
    );
    await project.write("node_modules/acme-tools/tools.js", "globalThis.acmeToolsRan = true;");
    expect((await aiw(project.cwd, ["info", "listed"])).out).toContain("fx-static/listed");
    expect(globalThis).not.toHaveProperty("acmeToolsRan");
  });

  it("names the nearest tools for a name that does not exist", async () => {
    await using project = await makeProject();
    expect(await aiw(project.cwd, ["info", "ecko"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Nearest: echo"),
    });
  });
});

describe("aiw call", () => {
  it("prints the value, or the whole result as JSON", async () => {
    await using project = await makeProject();
    expect(await aiw(project.cwd, ["call", "echo", "--input", '{"text":"hi"}'])).toMatchObject({
      code: 0,
      out: "hi\n",
      err: "",
    });
    const { json } = await aiw(project.cwd, ["call", "echo", "--input", '{"text":"hi"}', "--json"]);
    expect(json()).toMatchObject({ success: true, value: "hi", call: { toolId: "acme-tools/echo" } });
  });

  it("prints values that JSON cannot say", async () => {
    await using project = await makeProject();
    await project.write(
      "node_modules/acme-tools/tools.js",
      `const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
      export const echo = {
        [Symbol.for("@aiw/core/tool")]: true,
        contractVersion: 1,
        spec: { name: "echo", type: "function", description: "E.", inputSchema: { type: "object" }, metadata: { tags: [], permissions: [], effects } },
        execute() { return { big: 10n, when: new Date(0) }; },
      };`,
    );
    const said = { big: "10", when: "1970-01-01T00:00:00.000Z" };
    const plain = await aiw(project.cwd, ["call", "echo"]);
    expect({ code: plain.code, value: plain.json() }).toEqual({ code: 0, value: said });
    expect((await aiw(project.cwd, ["call", "echo", "--json"])).json()).toMatchObject({ success: true, value: said });
  });

  it("reads arguments from a file and from standard input", async () => {
    await using project = await makeProject();
    await project.write("args.json", '{"text":"from a file"}');
    expect((await aiw(project.cwd, ["call", "echo", "--input", "@args.json"])).out).toBe("from a file\n");
    const piped = await aiw(project.cwd, ["call", "echo", "--input", "-"], { input: '{"text":"from a pipe"}' });
    expect(piped.out).toBe("from a pipe\n");
  });

  it("ends with 1 when the tool fails or the arguments are wrong", async () => {
    await using project = await makeProject();
    expect(await aiw(project.cwd, ["call", "fail"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("internal_error"),
    });
    expect(await aiw(project.cwd, ["call", "echo"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("text: required, missing"),
    });
    expect(await aiw(project.cwd, ["call", "ecko"])).toMatchObject({ code: 1, err: expect.stringContaining("echo") });
  });

  it("ends with 3 when nobody can be asked, and --yes approves", async () => {
    await using project = await makeProject();
    expect(await aiw(project.cwd, ["call", "wipe"])).toMatchObject({ code: 3, err: expect.stringContaining("--yes") });
    expect(await aiw(project.cwd, ["call", "wipe", "--yes"])).toMatchObject({
      code: 0,
      out: expect.stringContaining('"wiped": true'),
    });
  });

  it("tells a person who said no that nothing was called, and not what a model is told", async () => {
    await using project = await makeProject();
    const { code, out, err } = await aiw(project.cwd, ["call", "wipe"], {
      interactive: true,
      prepare: (fake) => fake.when("[y/N]", () => fake.type("n\n")),
    });
    expect({ code, out }).toEqual({ code: 3, out: "" });
    expect(err.split("[y/N]")[1]?.trim()).toBe("You said no: wipe was not called.");
  });

  it("says that options wait for trust, where they would help", async () => {
    await using project = await makeProject();
    const code = await project.read("node_modules/acme-tools/tools.js");
    const parse = `(given) => given?.token === undefined ? { issues: [{ message: "required", path: ["token"] }] } : { value: given }`;
    await project.write(
      "node_modules/acme-tools/tools.js",
      code
        .replace(
          "export const echo = tool(",
          `export const echo = ((one) => ({ ...one, parseOptions: ${parse} }))(tool(`,
        )
        .replace("({ text }) => text);", "({ text }) => text));"),
    );
    const wrong = await aiw(project.cwd, ["call", "echo", "--input", '{"text":"hi"}']);
    expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining("token: required") });
    expect(wrong.err).not.toContain("aiw trust");
    await project.write("aiw.config.json", '{ "plugins": { "acme-tools": { "token": "x" } } }');
    const { err } = await aiw(project.cwd, ["call", "echo", "--input", '{"text":"hi"}']);
    expect(err).toMatch(/waiting +1 part of aiw\.config\.json.*aiw trust/);
  });

  it("streams chunks to stderr and ends with 130 at Ctrl-C", async () => {
    await using project = await makeProject();
    const ended = await aiw(project.cwd, ["call", "tick", "--json"], {
      prepare: (fake) => fake.when("tick\ntick\n", () => fake.interrupt()),
    });
    expect(ended.code).toBe(130);
    expect(ended.json()).toMatchObject({ status: "cancelled", settled: true });
  });

  it("lowers the time limit", async () => {
    await using project = await makeProject();
    const { code, json } = await aiw(project.cwd, ["call", "tick", "--timeout", "0.05", "--json"]);
    expect(code).toBe(1);
    expect(json()).toMatchObject({ status: "timed_out" });
  });
});

describe("aiw definitions and aiw prompt", () => {
  it("print what a model is given", async () => {
    await using project = await makeProject();
    const names = ((await aiw(project.cwd, ["definitions"])).json() as { function: { name: string } }[]).map(
      (one) => one.function.name,
    );
    expect(names).toEqual(["echo", "fail", "tick", "wipe"]);
    expect((await aiw(project.cwd, ["definitions", "--format", "mcp", "--json"])).json()).toMatchObject({
      format: "mcp",
      omitted: [],
    });
    expect((await aiw(project.cwd, ["prompt"])).out).toContain("**Tool: `echo`**");
    expect((await aiw(project.cwd, ["prompt", "--json"])).json()).toEqual({
      prompt: expect.stringContaining("**Tool: `wipe`**"),
    });
  });

  it("say on stderr what they leave out, and run nothing that waits for trust", async () => {
    await using project = await makeProject({ "fx-bad": '{ "aiwhisperer": {' });
    await project.write("own.js", "globalThis.definitionsRan = true;");
    const manifest = JSON.parse(await project.read("package.json")) as object;
    await project.write("package.json", JSON.stringify({ ...manifest, aiwhisperer: { tools: "./own.js" } }));
    for (const command of ["definitions", "prompt", "search echo"]) {
      const { code, err } = await aiw(project.cwd, command.split(" "));
      expect({ command, code, err }).toMatchObject({
        code: 0,
        err: expect.stringMatching(/fx-bad: package_json_invalid/),
      });
      expect(err).toMatch(/left out +project.*: trust_required/);
    }
    expect(globalThis).not.toHaveProperty("definitionsRan");
  });
});
