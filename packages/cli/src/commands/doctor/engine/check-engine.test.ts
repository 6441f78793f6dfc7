import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileSink } from "@aiw/extensions/audit";
import type { TemporaryWorkspace } from "@aiw/testkit";
import { describe, expect, it } from "vitest";
import { makeProject } from "../../../__fixtures__/make-project.ts";
import { runAiw } from "../../../__fixtures__/run-aiw.ts";
import type { Diagnosis } from "../diagnosis.ts";

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

  it("brings what is configured, and nothing of the project", async () => {
    await using project = await makeConfigured({ extensions: { rateLimit: { perMinute: 5 }, auth: {} } });
    await project.write("node_modules/@aiw/extensions/package.json", "not even JSON");
    const { code, said } = await examine(project);
    expect(code).toBe(0);
    expect(said("extension")).toMatch(/^ok rateLimit, auth: this command brings @aiw\/extensions \d+\.\d+\.\d+$/);
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
    await project.write("at", "no folder");
    const { code, said } = await examine(project);
    expect(code).toBe(status);
    expect(said("audit")).toMatch(new RegExp(`^${level} .*is no folder; ${outcome}`));
  });

  it.skipIf(process.getuid?.() === 0)("tells a folder that is not the user's to write", async () => {
    await using project = await makeConfigured(SETTINGS);
    await chmod(project.cwd, 0o500);
    const { said } = await examine(project);
    await chmod(project.cwd, 0o700);
    expect(said("audit")).toMatch(/^error .*cannot be written/);
  });

  it("names the variable of the key where it is not set, and reads the head with it where it is", async () => {
    await using project = await makeConfigured({ extensions: { audit: { file: "a.jsonl", key: { $env: "SEAL" } } } });
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

describe("checkAudit of what no call could use", () => {
  it.each([
    [{ file: "../x.jsonl" }, /^error .*outside the project; every call is refused → Name an absolute path/],
    [{ file: "../x.jsonl", onFailure: "warn" }, /^warning .*outside the project.*unrecorded/],
    [{ file: "a.jsonl", database: "a.db" }, /^error .* a file and a database.* → Leave one out/],
    [{ file: "notes.txt" }, /^error .*something else than records; every call is refused/],
    [{ database: "notes.txt" }, /^error .*something else than records/],
    [{ file: "empty.jsonl" }, /^(?:ok|warning) (?!.*something else)/],
  ])("finds %j", async (audit, said) => {
    await using project = await makeConfigured({ extensions: { audit } });
    await project.write("notes.txt", "Buy milk.\n{}\n");
    await project.write("empty.jsonl", "");
    expect((await examine(project)).said("audit")).toMatch(said);
  });
});

describe("checkLogging", () => {
  it("finds a file that cannot be opened, and nothing wrong with one that can", async () => {
    await using project = await makeConfigured({ extensions: { logging: { file: "at/calls.log" } } });
    expect((await examine(project)).said("logging")).toBe("");
    await project.write("at", "no folder");
    const { code, said } = await examine(project);
    expect(code).toBe(4);
    expect(said("logging")).toMatch(/^error calls cannot be logged in .*at is no folder; every call fails → /);
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
