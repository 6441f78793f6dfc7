import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FILE_TOOLS } from "./file-tools.ts";
import { createProject, type Project } from "./project.ts";
import { runWell } from "./run.ts";
import { writeShout } from "./third-party.ts";
import { theWorld } from "./world.ts";

/** The newest release of the oldest line that the packages admit. */
const OLDEST_NODE = "22.23.3";

/** The framework the adapter is made for, and a scripted model that calls three tools in a row. */
const AI_SDK = "7.0.173";
const AGENT = `
import { toAiSdk } from "@aiw/ai-sdk";
import { openTools } from "@aiw/executor/node";
import { generateText, isStepCount } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const calls = [
  ["read_file", { path: "package.json" }],
  ["write", { path: "agent.txt", content: "no" }],
  ["read_file", { file: "package.json" }],
];
const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const prompts = [];
const model = new MockLanguageModelV4({
  doGenerate: async (options) => {
    prompts.push(options);
    const call = calls[prompts.length - 1];
    if (call === undefined) return { content: [{ type: "text", text: "done" }], finishReason: { unified: "stop" }, usage, warnings: [] };
    const [toolName, input] = call;
    const content = [{ type: "tool-call", toolCallId: "call-" + prompts.length, toolName, input: JSON.stringify(input) }];
    return { content, finishReason: { unified: "tool-calls" }, usage, warnings: [] };
  },
});
await using tools = await openTools();
const { text } = await generateText({ model, prompt: "go", stopWhen: isStepCount(8), ...toAiSdk(tools) });
const results = prompts.at(-1).prompt.filter(({ role }) => role === "tool").flatMap(({ content }) => content);
console.log(JSON.stringify({
  text,
  offered: prompts[0].tools.map(({ name }) => name),
  outputs: results.map(({ toolName, output }) => ({ name: toolName, type: output.type, text: String(output.value ?? output.reason) })),
}));
`;

const world = theWorld();
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "aiw-use-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Listing {
  readonly tools: readonly {
    readonly name: string;
    readonly id: string;
    readonly package: string;
    readonly version: string;
    readonly source: string;
  }[];
  readonly findings: readonly { readonly code: string; readonly package: string; readonly fix: string }[];
}

async function list(project: Project): Promise<Listing> {
  const { code, stdout, stderr } = await project.aiw(["list", "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Listing;
}

async function readManifest(project: Project): Promise<{ dependencies: Record<string, string> }> {
  return JSON.parse(await readFile(join(project.dir, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
}

describe.each(["npm", "pnpm"] as const)("under %s", (manager) => {
  let project: Project;

  beforeAll(async () => {
    project = await createProject(world, manager);
    await project.install("@aiw/cli", "@aiw/core", "@aiw/executor", "@aiw/plugin-filesystem", "@aiw/plugin-shell");
  });

  afterAll(async () => {
    await project[Symbol.asyncDispose]();
  });

  it("USE-1 lists the tools of an installed plugin", async () => {
    const { tools, findings } = await list(project);
    const ours = tools.filter((tool) => tool.package === "@aiw/plugin-filesystem");
    expect(ours.map(({ name }) => name)).toEqual(FILE_TOOLS);
    expect(ours[0]).toMatchObject({
      id: "@aiw/plugin-filesystem/apply_patch",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      source: "package",
    });
    expect(findings).toEqual([]);
  });

  it("USE-2 calls a tool by name", async () => {
    const { code, stdout } = await project.aiw([
      "call",
      "read",
      "--input",
      '{"file_paths":["package.json"]}',
      "--json",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      success: true,
      status: "ok",
      value: { files_read: 1, content: expect.stringContaining('"name": "stranger"') },
      call: { toolId: "@aiw/plugin-filesystem/read", attempts: 1 },
    });
  });

  it("USE-3 refuses an unsafe call without a person, unless told yes", async () => {
    const input = ["--input", '{"path":"out.txt","content":"hello\\n"}'];
    const refused = await project.aiw(["call", "write", ...input, "--json"]);
    expect(refused.code).toBe(3);
    expect(JSON.parse(refused.stdout)).toMatchObject({ success: false, status: "denied", code: "approval_required" });
    expect(refused.stdout).toContain("policy.rules");
    expect(refused.stderr).toContain("--yes");
    expect(existsSync(join(project.dir, "out.txt"))).toBe(false);
    const allowed = await project.aiw(["call", "write", ...input, "--yes", "--json"]);
    expect(JSON.parse(allowed.stdout)).toMatchObject({ success: true, value: { created: true, bytes_written: 6 } });
    expect(existsSync(join(project.dir, "out.txt"))).toBe(true);
  });

  it("USE-6 explains a wrong call", async () => {
    const { code, stdout } = await project.aiw([
      "call",
      "read",
      "--input",
      '{"file_path":"a","limit":"many"}',
      "--json",
    ]);
    expect(code).toBe(1);
    const result = JSON.parse(stdout) as { error: string; suggestion: string; code: string };
    expect(result.code).toBe("invalid_input");
    expect(result.error).toContain("file_paths: required, missing");
    expect(result.error).toContain("did you mean file_paths?");
    expect(result.error).toMatch(/limit: expected an integer.*; received "many"/);
    expect(result.suggestion).toContain("read(file_paths=");
  });

  it("USE-7 answers an unknown tool with the nearest names", async () => {
    const { code, stdout } = await project.aiw(["call", "red_file", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      code: "tool_not_found",
      suggestion: expect.stringContaining("read_file"),
    });
  });

  it("USE-9 stops what an interrupted call started", async () => {
    const command = "echo started; sleep 300.125";
    const ended = await project.aiw(
      ["call", "bash", "--yes", "--json", "--input", JSON.stringify({ command, timeout: 60 })],
      { interruptAt: "started" },
    );
    expect(ended.code).toBe(130);
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: "cancelled", settled: true });
    const { stdout } = await runWell("ps", ["-eo", "args"], { cwd: project.dir });
    expect(stdout).not.toContain("sleep 300.125");
  });

  it("USE-10 runs two calls at once", async () => {
    const call = (name: string): Promise<{ stdout: string }> =>
      project.aiw([
        "call",
        "write",
        "--yes",
        "--json",
        "--input",
        JSON.stringify({ path: `${name}.txt`, content: name }),
      ]);
    const results = await Promise.all([call("one"), call("two"), call("one")]);
    const outcomes = results.map(({ stdout }) => (JSON.parse(stdout) as { success: boolean }).success);
    expect(outcomes[1]).toBe(true);
    expect(outcomes.filter(Boolean)).toHaveLength(2);
  });

  it("USE-8 runs the same tools through the library", async () => {
    await project.write(
      "use.js",
      `import { openTools } from "@aiw/executor/node";
await using tools = await openTools();
const events = [];
tools.activity.subscribe("*", ({ type }) => events.push(type));
const read = await tools.executeTool("read_file", { path: "package.json" });
const wrong = await tools.executeTool("read_file", { file: 1 });
const denied = await tools.executeTool("write", { path: "no.txt", content: "no" });
console.log(JSON.stringify({ read: read.success, wrong: wrong.code, denied: denied.code, events, definitions: tools.getFunctionDefinitions().length }));`,
    );
    const { code, stdout, stderr } = await project.node("use.js");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const seen = JSON.parse(stdout) as { events: string[]; definitions: number };
    expect(seen).toMatchObject({ read: true, wrong: "invalid_input", denied: "approval_required" });
    expect(seen.events.filter((type) => type === "tool_call_start")).toHaveLength(3);
    expect(seen.events.filter((type) => type === "tool_call_end" || type === "error")).toHaveLength(3);
    expect(seen.definitions).toBeGreaterThanOrEqual(8);
  });

  it("USE-11 lets an agent framework drive the tools", async () => {
    await project.install("@aiw/ai-sdk", `ai@${AI_SDK}`);
    await project.write("agent.js", AGENT);
    const { code, stdout, stderr } = await project.node("agent.js");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const seen = JSON.parse(stdout) as {
      offered: string[];
      outputs: { name: string; type: string; text: string }[];
      text: string;
    };
    expect(seen.offered).toEqual(expect.arrayContaining(["bash", "read_file", "write"]));
    expect(seen.text).toBe("done");
    expect(seen.outputs).toEqual([
      { name: "read_file", type: "text", text: expect.stringContaining("stranger") as string },
      { name: "write", type: "execution-denied", text: expect.stringContaining("approval_required") as string },
      { name: "read_file", type: "error-text", text: expect.stringContaining("path: required, missing") as string },
    ]);
    expect(existsSync(join(project.dir, "agent.txt"))).toBe(false);
  });

  it("USE-5 uses a third-party package of twenty lines", async () => {
    const packed = await runWell("npm", ["pack", "--silent", await writeShout(folder), "--pack-destination", folder], {
      cwd: folder,
    });
    await project.install(join(folder, packed.stdout.trim()));
    const { tools } = await list(project);
    expect(tools.find(({ name }) => name === "shout")).toMatchObject({
      id: "stranger-tool-shout/shout",
      version: "1.2.3",
    });
    const { code, stdout } = await project.aiw(["call", "shout", "--input", '{"text":"hello"}']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "HELLO\n" });
  });

  it("BAD-1 keeps broken packages from harming anyone", async () => {
    const manifest = await readManifest(project);
    const broken: Record<string, string> = {
      "fx-bad-json": '{ "name": "fx-bad-json", "aiwhisperer": {',
      "fx-null": '{ "name": "fx-null", "version": "1.0.0", "aiwhisperer": null }',
      "fx-escape": '{ "name": "fx-escape", "version": "1.0.0", "aiwhisperer": { "tools": "./../outside.json" } }',
      "fx-throws":
        '{ "name": "fx-throws", "version": "1.0.0", "type": "module", "aiwhisperer": { "tools": { "bang": "./index.js" } } }',
    };
    for (const [name, text] of Object.entries(broken)) {
      await project.write(`node_modules/${name}/package.json`, text);
      manifest.dependencies[name] = "1.0.0";
    }
    await project.write("node_modules/fx-throws/index.js", 'throw new Error("bang at import");');
    await project.write("package.json", JSON.stringify(manifest));
    const { tools, findings } = await list(project);
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["read", "bash"]));
    for (const [name, code] of [
      ["fx-bad-json", "package_json_invalid"],
      ["fx-null", "declaration_invalid"],
      ["fx-escape", "path_escapes_package"],
    ]) {
      expect(findings).toContainEqual(
        expect.objectContaining({ package: name, code, fix: expect.stringMatching(/./) }),
      );
    }
    const doctor = await project.aiw(["doctor", "--json"]);
    expect(doctor.code).toBe(4);
    expect(doctor.stdout).toContain("bang at import");
    const { code } = await project.aiw(["call", "read_file", "--input", '{"path":"package.json"}']);
    expect(code).toBe(0);
  });

  it("BAD-2 names a package that ends the process at import", async () => {
    const manifest = await readManifest(project);
    manifest.dependencies["fx-exits"] = "1.0.0";
    await project.write("package.json", JSON.stringify(manifest));
    await project.write(
      "node_modules/fx-exits/package.json",
      '{ "name": "fx-exits", "version": "1.0.0", "type": "module", "aiwhisperer": { "tools": { "quit": "./index.js" } } }',
    );
    await project.write("node_modules/fx-exits/index.js", "process.exit(0);");
    const called = await project.aiw(["call", "quit", "--json"]);
    expect(called.code).toBe(1);
    expect(JSON.parse(called.stdout)).toMatchObject({ success: false, error: expect.stringContaining("fx-exits") });
    const doctor = await project.aiw(["doctor"]);
    expect(doctor.code).toBe(4);
    expect(doctor.stdout).toMatch(/fx-exits.*load_exited/);
    expect((await project.aiw(["definitions"])).stdout).toContain('"read_file"');
  });

  it("USE-4 forgets the tools of an uninstalled plugin", async () => {
    await using fresh = await createProject(world, manager);
    await fresh.install("@aiw/cli", "@aiw/plugin-filesystem", "@aiw/plugin-web");
    expect((await list(fresh)).tools.map(({ name }) => name)).toContain("read");
    await fresh.uninstall("@aiw/plugin-filesystem");
    expect((await list(fresh)).tools.map(({ name }) => name)).toEqual(["web_fetch"]);
  });

  it("LIST-1 lists without running code or loading the validator", async () => {
    await project.write(
      "hook.mjs",
      `import { registerHooks } from "node:module";
registerHooks({ load(url, context, next) { process.stderr.write(url + "\\n"); return next(url, context); } });`,
    );
    const { code, stderr } = await project.aiw(["list", "--json"], {
      env: { NODE_OPTIONS: `--import ${join(project.dir, "hook.mjs")}` },
    });
    expect(code).toBe(0);
    expect(stderr).toContain("/@aiw/cli/");
    for (const forbidden of [
      "plugin-filesystem",
      "plugin-shell",
      "/ajv/",
      "/zod/",
      "/semver/",
      "@aiw/core",
      "@aiw/executor",
    ])
      expect(stderr).not.toContain(forbidden);
    // What is bundled into the command keeps its names.
    const own = stderr.split("\n").filter((line) => line.includes("/@aiw/cli/"));
    const texts = await Promise.all(own.map((url) => readFile(new URL(url), "utf8")));
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.filter((text) => text.includes("UnifiedToolExecutor"))).toEqual([]);
  });
});

it("USE-12 runs on the oldest line of Node that is supported", async () => {
  await using project = await createProject(world, "npm");
  await project.install(
    "@aiw/cli",
    "@aiw/plugin-filesystem",
    "@aiw/plugin-shell",
    "@aiw/plugin-web",
    `node@${OLDEST_NODE}`,
  );
  await project.write("src/a.txt", "needle\n");
  const node = join(project.dir, "node_modules/node/bin");
  const call = async (name: string, input: object): Promise<unknown> => {
    const env = { PATH: `${node}:${process.env["PATH"] ?? ""}` };
    const { stdout } = await project.aiw(["call", name, "--yes", "--json", "--input", JSON.stringify(input)], {
      env,
    });
    const result = JSON.parse(stdout) as { success: boolean; value: unknown; code?: string };
    return result.success ? result.value : result.code;
  };
  expect(await call("bash", { command: "node --version" })).toMatchObject({ output: `v${OLDEST_NODE}\n` });
  expect(await call("execute_command", { command: "echo hi" })).toMatchObject({ stdout: "hi\n", returncode: 0 });
  expect(await call("read", { file_paths: ["src/a.txt"] })).toMatchObject({ files_read: 1 });
  expect(await call("read_file", { path: "src/a.txt" })).toBe("needle\n");
  expect(await call("list", { path: "src" })).toMatchObject({ total: 1 });
  expect(await call("glob", { patterns: ["src/*.txt"] })).toMatchObject({ paths: ["src/a.txt"] });
  expect(await call("grep", { pattern: "needle", path: "src" })).toMatchObject({ total_matches: 1 });
  expect(await call("write", { path: "src/b.txt", content: "new" })).toMatchObject({ created: true });
  expect(await call("web_fetch", { url: "http://127.0.0.1:8080/" })).toBe("blocked_address");
});
