import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileSink } from "@aiw/extensions/audit";
import type { TemporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { makeProject } from "../../../__fixtures__/make-project.ts";
import { spawnAiw } from "../../../__fixtures__/spawn-aiw.ts";
import { runAiw } from "../../../__fixtures__/run-aiw.ts";
import type { Diagnosis } from "../diagnosis.ts";

const DOORS = ["auth", "audit", "logging", "telemetry", "rate-limit"];

interface Installed {
  readonly doors?: readonly string[];
  readonly executor?: string;
}

/** Puts a package there that has the doors and runs nothing. */
async function install(project: TemporaryWorkspace, { doors = DOORS, executor = "workspace:^" }: Installed = {}) {
  const manifest = {
    name: "@aiw/extensions",
    version: "1.2.3",
    exports: Object.fromEntries(["./package.json", ...doors.map((door) => `./${door}`)].map((key) => [key, key])),
    dependencies: { "@aiw/executor": executor },
    peerDependencies: { pino: "^10.0.0", "@opentelemetry/api": "^1.10.0" },
  };
  await project.write("node_modules/@aiw/extensions/package.json", JSON.stringify(manifest));
}

async function makeConfigured(config: object, { trusts = true } = {}): Promise<TemporaryWorkspace> {
  const project = await makeProject();
  await project.write("aiw.config.json", JSON.stringify(config));
  if (trusts) expect((await runAiw(project.cwd, ["trust", "--yes"])).code).toBe(0);
  return project;
}

interface Examined {
  readonly code: number;
  readonly ok: boolean;
  /** `level message → fix` by name. */
  said(name: string): string;
}

async function examine(project: TemporaryWorkspace, environment: Record<string, string> = {}): Promise<Examined> {
  const { code, json } = await runAiw(project.cwd, ["doctor", "--json"], { environment });
  const { ok, checks } = json() as Diagnosis;
  const said = (name: string): string =>
    checks
      .filter((check) => check.name === name)
      .map(({ level, message, fix }) => `${level} ${message}${fix === undefined ? "" : ` → ${fix}`}`)
      .join("\n");
  return { code, ok, said };
}

describe("checkExtensions", () => {
  it("says nothing where nothing is configured", async () => {
    await using project = await makeProject();
    const { said } = await examine(project);
    expect(["extension", "audit", "telemetry", "isolation", "approval"].map(said)).toEqual(["", "", "", "", ""]);
  });

  it("says what to install, with the project's own manager, and ends with 4", async () => {
    await using project = await makeConfigured({ extensions: { rateLimit: { perMinute: 5 } } });
    await project.write("pnpm-lock.yaml", "lockfileVersion: '9.0'\n");
    // In a process of its own: whoever runs tests may have told Node of more folders of packages.
    const { code, out } = await spawnAiw(project.cwd, ["doctor", "--json"]);
    const { ok, checks } = JSON.parse(out) as Diagnosis;
    expect({ code, ok }).toEqual({ code: 4, ok: false });
    expect(checks).toContainEqual({
      name: "extension",
      level: "error",
      message: expect.stringMatching(/^rateLimit is configured, .*not installed/),
      fix: "pnpm add @aiw/extensions",
    });
  });

  it("is content with what is there, and names where", async () => {
    await using project = await makeConfigured({ extensions: { rateLimit: { perMinute: 5 }, auth: {} } });
    await install(project);
    const { code, said } = await examine(project);
    expect(code).toBe(0);
    expect(said("extension")).toBe(
      `ok rateLimit, auth: @aiw/extensions 1.2.3 in ${project.path("node_modules/@aiw/extensions")}`,
    );
  });

  it("names packages beside it that are missing or of another version", async () => {
    const config = { extensions: { logging: { level: "info" }, telemetry: { prometheus: {} } } };
    await using project = await makeConfigured(config);
    await install(project);
    await project.write(
      "node_modules/@opentelemetry/api/package.json",
      '{ "name": "@opentelemetry/api", "version": "0.9.0" }',
    );
    const { code, said } = await examine(project);
    expect(code).toBe(4);
    expect(said("extension")).toMatch(/^error extensions\.logging needs pino, .* → npm install pino$/m);
    expect(said("extension")).toMatch(
      /^error extensions\.telemetry needs .*exporter-prometheus, which are not installed/m,
    );
    expect(said("extension")).toMatch(
      /^warning .*@opentelemetry\/api \^1\.10\.0, and 0\.9\.0 is installed → npm install "@opentel/m,
    );
  });

  it("finds a package that keeps its package.json to itself", async () => {
    await using project = await makeConfigured({ extensions: { logging: { level: "info" } } });
    await install(project);
    await project.write(
      "node_modules/pino/package.json",
      '{ "name": "pino", "version": "10.1.0", "exports": "./lib/main.js" }',
    );
    await project.write("node_modules/pino/lib/main.js", "throw new Error('Nobody runs this.');");
    expect((await examine(project)).said("extension")).toMatch(/^ok logging: /);
  });

  it("says that a door is not there, or that it is made for another engine", async () => {
    await using project = await makeConfigured({ extensions: { rateLimit: { perMinute: 5 } } });
    await install(project, { doors: ["audit"], executor: "^99.0.0" });
    const { code, said } = await examine(project);
    expect(code).toBe(4);
    expect(said("extension")).toMatch(/^warning .* is made for @aiw\/executor \^99\.0\.0, and this command brings /m);
    expect(said("extension")).toMatch(/^error extensions\.rateLimit is configured, .* has no rate-limit/m);
  });

  it("says that what waits does nothing yet", async () => {
    await using project = await makeConfigured({ extensions: { audit: { file: "a.jsonl" } } }, { trusts: false });
    const { code, said } = await examine(project);
    expect(code).toBe(0);
    expect(said("extension")).toMatch(/^warning audit waits for trust and does nothing yet → .*aiw trust$/);
    expect(said("audit")).toBe("");
  });
});

const GAP = { kind: "gap", time: new Date(0).toISOString(), dropped: 1, since: new Date(0).toISOString() } as const;

describe("checkAudit", () => {
  const SETTINGS = { extensions: { audit: { file: ".aiw/audit.jsonl" } } };

  it("tells how far the record goes, and writes nothing to see it", async () => {
    await using project = await makeConfigured(SETTINGS);
    await install(project);
    expect((await examine(project)).said("audit")).toMatch(
      /^ok .*audit\.jsonl can be written; no call is recorded yet$/,
    );
    expect(await readdir(project.cwd)).not.toContain(".aiw");
    const sink = fileSink(join(project.cwd, ".aiw/audit.jsonl"));
    await sink.append([GAP]);
    await sink.close();
    expect((await examine(project)).said("audit")).toMatch(/^ok .* goes to record 1, sha256-/);
    await project.write(".aiw/audit.jsonl.head", "{}");
    const heads = (await readdir(project.path(".aiw"))).filter((name) => name !== "audit.jsonl");
    for (const name of heads) await project.write(`.aiw/${name}`, "{}");
    expect((await examine(project)).said("audit")).toMatch(/^warning .*unreadable.* → .*aiw audit verify$/);
  });

  it.each([
    [{}, "error", "every call is refused", 4],
    [{ onFailure: "warn" }, "warning", "calls go on unrecorded", 0],
  ])("says with %o that it cannot be written: %s", async (more, level, outcome, status) => {
    await using project = await makeConfigured({ extensions: { audit: { file: "at/audit.jsonl", ...more } } });
    await install(project);
    await project.write("at", "no folder");
    const { code, said } = await examine(project);
    expect(code).toBe(status);
    expect(said("audit")).toMatch(new RegExp(`^${level} .*is no folder; ${outcome}`));
  });

  it.skipIf(process.getuid?.() === 0)("tells a folder that is not the user's to write", async () => {
    await using project = await makeConfigured(SETTINGS);
    await install(project);
    await chmod(project.cwd, 0o500);
    const { said } = await examine(project);
    await chmod(project.cwd, 0o700);
    expect(said("audit")).toMatch(/^error .*cannot be written/);
  });

  it("names the variable of the key where it is not set, and reads the head with it where it is", async () => {
    await using project = await makeConfigured({ extensions: { audit: { file: "a.jsonl", key: { $env: "SEAL" } } } });
    await install(project);
    expect((await examine(project)).said("audit")).toMatch(
      /^error \/extensions\/audit\/key needs .* SEAL, .* → Set SEAL/,
    );
    const key = "a key of more than sixteen characters";
    const sink = fileSink(project.path("a.jsonl"), { key });
    await sink.append([GAP]);
    await sink.close();
    expect((await examine(project, { SEAL: key })).said("audit")).toMatch(/^ok .* goes to record 1, hmac-sha256-/);
    const other = (await examine(project, { SEAL: `${key}!` })).said("audit");
    expect(other).toMatch(/^warning .*sealed with another key/);
    expect(other).not.toContain(key);
  });
});

describe("checkTelemetry", () => {
  it("warns of metrics that other machines read, of plain text, and of secrets that are not there", async () => {
    const otlp = { endpoint: "http://collector.example.com:4318", headers: { key: { $env: "COLLECTOR" } } };
    await using project = await makeConfigured({
      extensions: { telemetry: { otlp, prometheus: { host: "0.0.0.0" } } },
    });
    const { said } = await examine(project);
    expect(said("telemetry")).toMatch(/^warning metrics are offered at 0\.0\.0\.0: other machines/m);
    expect(said("telemetry")).toMatch(/^warning .*collector\.example\.com:4318 as plain text/m);
    expect(said("telemetry")).toMatch(/^error .*COLLECTOR, which is not set/m);
  });

  it.each(["localhost", "127.0.0.1", "127.1.2.3", "::1"])("says nothing of %s", async (host) => {
    const endpoint = `http://${host.includes(":") ? `[${host}]` : host}:4318`;
    await using project = await makeConfigured({
      extensions: { telemetry: { otlp: { endpoint }, prometheus: { host } } },
    });
    expect((await examine(project)).said("telemetry")).toBe("");
  });
});

describe("checkApproval", () => {
  it("warns that nobody is asked", async () => {
    await using project = await makeConfigured({ policy: { approval: "never" } });
    const { code, said } = await examine(project);
    expect(code).toBe(0);
    expect(said("approval")).toMatch(/^warning nobody is asked: .* → Set policy\.approval to "unsafe_only"/);
    await project.write("aiw.config.json", '{ "policy": { "approval": "always" } }');
    expect((await examine(project)).said("approval")).toBe("");
  });
});
