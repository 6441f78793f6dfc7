import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesOf } from "./fixtures/publish-fixtures.ts";
import { toTarball } from "./fixtures/tarball.ts";
import { WILD } from "./fixtures/wild.ts";
import { strangersEnvironment } from "./managers.ts";
import { createProject, type Project } from "./project.ts";
import { run, type Ended, type RunOptions } from "./run.ts";
import { ANSWERS, HOST, OPEN, SECURED } from "./secured-host.ts";
import { theWorld } from "./world.ts";

const world = theWorld();

/** Nothing of the workspace: what it has installed would stand in for what the project lacks. */
const environment = strangersEnvironment(world.caches);

/** Where people record what they trust: never inside a project. */
let home: string;
let project: Project;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "aiw-trust-"));
  project = await createProject(world, "npm");
  await writeFile(join(home, "wild.tgz"), toTarball(filesOf(WILD)));
  await project.install(
    "@aiw/cli",
    "@aiw/executor",
    "@aiw/plugin-filesystem",
    "@aiw/plugin-shell",
    join(home, "wild.tgz"),
  );
  await project.write("aiw.config.json", JSON.stringify(SECURED, undefined, 2));
});

afterAll(async () => {
  await project[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});

function aiw(args: readonly string[], options: Partial<RunOptions> = {}): Promise<Ended> {
  return project.aiw(args, { environment, env: { AIW_CONFIG_HOME: home }, ...options });
}

function node(file: string): Promise<Ended> {
  return run(process.execPath, [file], { cwd: project.dir, environment, env: { AIW_CONFIG_HOME: home } });
}

function call(name: string, input: object, ...flags: string[]): Promise<Ended> {
  return aiw(["call", name, "--input", JSON.stringify(input), ...flags]);
}

interface Recorded {
  readonly callId: string;
  readonly tool: { readonly name: string };
  readonly principal?: { readonly id: string };
  readonly approval?: { readonly answeredBy?: string };
  readonly outcome: { readonly status: string; readonly code?: string };
}

/** The recorded calls, as words: which tool, and what became of it. */
async function recorded(...flags: string[]): Promise<string[]> {
  const { code, stdout } = await aiw(["audit", "--json", "--limit", "1000", ...flags]);
  expect(code).toBe(0);
  const { records, unreadable } = JSON.parse(stdout) as { records: Recorded[]; unreadable: number };
  expect([unreadable, new Set(records.map(({ callId }) => callId)).size]).toEqual([0, records.length]);
  return records.map(({ tool, outcome }) => `${tool.name} ${outcome.code ?? outcome.status}`);
}

const record = (): string => join(project.dir, ".aiw/audit.jsonl");

describe("a host that its configuration secures", () => {
  it("HOST-1 opens no host in code, and says what to install, while the package of a rule that holds is missing", async () => {
    await project.write("open.mjs", OPEN);
    const ended = await node("open.mjs");
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(ended.stdout)).toEqual({ code: "extension_unavailable", fix: "npm install @aiw/extensions" });
    await project.install("@aiw/extensions");
    expect(JSON.parse((await node("open.mjs")).stdout)).toEqual({ code: "opened" });
  });

  it("HOST-2 has what narrows hold before anybody trusts it, and nothing else, and says so", async () => {
    const allowed = await call("read_file", { path: "package.json" });
    expect([allowed.code, allowed.stdout]).toEqual([0, expect.stringContaining('"stranger"')]);
    expect(allowed.stderr).toContain("waiting   audit, logging, telemetry of aiw.config.json");
    const refused = await call("write", { path: "a.txt", content: "no" }, "--yes", "--json");
    expect([refused.code, JSON.parse(refused.stdout)]).toEqual([
      3,
      expect.objectContaining({ code: "tool_not_offered" }),
    ]);
    const { stdout } = await aiw(["doctor"]);
    expect(stdout).toMatch(/auth, \/extensions\/rateLimit[^;]* hold; \/extensions\/audit[^;]*telemetry[^;]* wait/u);
    expect((await aiw(["list"])).stderr).toMatch(/trust_required[^]*\/extensions\/audit[^]*aiw trust/u);
    const audit = await aiw(["audit"]);
    expect([audit.code, audit.stderr]).toEqual([4, expect.stringMatching(/waits for trust[^]*aiw trust/u)]);
    expect(existsSync(join(project.dir, ".aiw"))).toBe(false);
  });

  it("HOST-3 names each package that is missing with the command that installs it, and leaves nothing half open", async () => {
    expect((await aiw(["trust", "--yes"])).code).toBe(0);
    const told: string[] = [];
    for (;;) {
      const { code, stderr } = await call("read_file", { path: "package.json" });
      if (code === 0 || told.length === 5) break;
      expect([code, existsSync(record())]).toEqual([4, false]);
      const packages = /^Fix: npm install (.+)$/mu.exec(stderr)?.[1] ?? "";
      told.push(packages);
      await project.install(...packages.split(" "));
    }
    expect(told).toEqual(["pino", expect.stringMatching(/^@opentelemetry\/api .*exporter-prometheus$/u)]);
    expect(await recorded()).toEqual(["read_file ok"]);
  });

  it("HOST-4 records each call once, the refused ones too, and shows those that are asked for", async () => {
    expect((await call("write", { path: "a.txt", content: "no" }, "--yes")).code).toBe(3);
    expect((await call("bash", { command: "touch y" })).code).toBe(3);
    expect((await call("bash", { command: "echo hi" }, "--yes")).code).toBe(0);
    expect((await call("nothing", {})).code).toBe(1);
    expect(await recorded("--status", "denied")).toEqual(["write tool_not_offered", "bash approval_required"]);
    expect(await recorded("--tool", "bash")).toEqual(["bash approval_required", "bash ok"]);
    expect(await recorded("--code", "tool_not_found", "--since", "1h")).toEqual(["nothing tool_not_found"]);
    expect(await recorded("--until", "1h")).toEqual([]);
    expect((await aiw(["audit"])).stdout.trimEnd().split("\n")).toHaveLength(5);
    const logged = (await readFile(join(project.dir, ".aiw/calls.log"), "utf8")).trimEnd().split("\n");
    expect(logged.map((line) => (JSON.parse(line) as { callId: string }).callId)).toHaveLength(5);
  });

  it("HOST-5 keeps one chain when calls run at once and one is interrupted, and shows a change of one byte", async () => {
    const before = (await recorded()).length;
    const bash = (command: string, interruptAt?: string): Promise<Ended> =>
      aiw(
        ["call", "bash", "--yes", "--input", JSON.stringify({ command })],
        interruptAt === undefined ? {} : { interruptAt },
      );
    const ended = await Promise.all([
      bash("echo one"),
      bash("echo two"),
      bash("echo started; sleep 299.75", "started"),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 130]);
    expect((await recorded()).slice(before).toSorted()).toEqual(["bash cancelled", "bash ok", "bash ok"]);
    expect(await aiw(["audit", "verify"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Intact/u) as unknown,
    });
    const text = await readFile(record(), "utf8");
    await writeFile(record(), text.replace("echo hi", "echo ho"));
    const altered = await aiw(["audit", "verify", "--json"]);
    await writeFile(record(), text);
    expect([altered.code, JSON.parse(altered.stdout)]).toEqual([
      1,
      expect.objectContaining({ intact: false, problemCount: 1 }),
    ]);
    expect(running()).not.toContain("sleep 299.75");
  });

  it("HOST-6 is the same host in code: roles, limits, metrics, and questions that another process answers", async () => {
    await project.write("host.mjs", HOST);
    await project.write("answers.mjs", ANSWERS);
    const { code, stdout, stderr } = await node("host.mjs");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { results, metrics } = JSON.parse(stdout) as { results: object; metrics: string };
    expect(results).toEqual({
      list: "ok",
      listAgain: "rate_limited",
      write: "ok",
      bash: "approval_denied",
      execute: "tool_not_offered",
    });
    expect(existsSync(join(project.dir, "from-host.txt"))).toBe(true);
    const labels = 'gen_ai_operation_name="execute_tool",gen_ai_tool_name="write"';
    expect(metrics).toContain(`gen_ai_execute_tool_duration_seconds_count{${labels}} 1`);
    expect(metrics).toMatch(/^aiw_tool_calls_total\{[^}]*code="rate_limited"[^}]*\} 1$/mu);
    const { stdout: found } = await aiw(["audit", "--json", "--principal", "ada"]);
    const { records } = JSON.parse(found) as { records: Recorded[] };
    expect(records.map(({ tool, approval }) => [tool.name, approval?.answeredBy])).toEqual([
      ["list", undefined],
      ["list", undefined],
      ["write", "bob"],
      ["bash", "bob"],
      ["execute_command", undefined],
    ]);
  });

  it.skipIf(!isConfining())("HOST-7 contains an isolated package that ends or holds its process", async () => {
    const said = await call("wild_echo", { text: "hello" });
    expect(said).toMatchObject({
      code: 0,
      stdout: "hello\n",
      stderr: expect.stringContaining("said hello") as unknown,
    });
    const left = await call("wild_exit", { text: "" }, "--json");
    expect([left.code, JSON.parse(left.stdout)]).toEqual([
      1,
      expect.objectContaining({ status: "error", code: "isolated_process_ended", settled: true }),
    ]);
    const held = await call("wild_spin", { text: "" }, "--json", "--timeout", "2");
    expect([held.code, JSON.parse(held.stdout)]).toEqual([
      1,
      expect.objectContaining({ status: "timed_out", code: "timeout", settled: true }),
    ]);
    expect(running()).not.toContain(project.dir);
    expect((await recorded()).slice(-3)).toEqual([
      "wild_echo ok",
      "wild_exit isolated_process_ended",
      "wild_spin timeout",
    ]);
    expect((await aiw(["audit", "verify"])).code).toBe(0);
  });
});

function running(): string {
  return execFileSync("ps", ["-A", "-ww", "-o", "args"], { encoding: "utf8" });
}

/** Whether this machine has bubblewrap and lets it make what it needs. */
function isConfining(): boolean {
  return spawnSync("bwrap", ["--unshare-all", "--ro-bind", "/", "/", "true"]).status === 0;
}
