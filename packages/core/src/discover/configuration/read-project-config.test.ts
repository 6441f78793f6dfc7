import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CONFIG_SCHEMA } from "../../config/config-schema.ts";
import { createTrustStore } from "../../config/trust/create-trust-store.ts";
import type { TrustStore } from "../../config/trust/trust-store.ts";
import { LOAD_TIMEOUT_MS } from "../guards/deadline.ts";
import { nodePorts, type DiscoveryPorts } from "../discovery-ports.ts";
import { readProjectConfig, type ProjectConfig, type ProjectConfigOptions } from "./read-project-config.ts";

interface TestProject {
  readonly dir: string;
  readonly outside: string;
  readonly file: string;
  readonly trust: TrustStore;
  write(config: unknown): void;
  read(options?: ProjectConfigOptions): Promise<ProjectConfig>;
}

function project(world: Partial<DiscoveryPorts> = {}): TestProject {
  const outside = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "aiw-config-")));
  onTestFinished(() => fs.rmSync(outside, { recursive: true, force: true }));
  const dir = path.join(outside, "shop");
  fs.mkdirSync(dir);
  const file = path.join(dir, "aiw.config.json");
  const trust = createTrustStore({ environment: { AIW_CONFIG_HOME: path.join(outside, "home") } });
  const ports = { ...nodePorts, clock: { ...nodePorts.clock, wait: () => Promise.resolve() }, trust, ...world };
  return {
    dir,
    outside,
    file,
    trust,
    write: (config) => fs.writeFileSync(file, typeof config === "string" ? config : JSON.stringify(config)),
    read: (options = {}) => readProjectConfig(dir, { name: "shop", ...options }, ports),
  };
}

const ALLOW = { match: { tool: "bash" }, decision: "allow" } as const;
const DENY = { match: { tool: "drop" }, decision: "deny" } as const;

describe("readProjectConfig", () => {
  it("has the default of loading that the schema names", () => {
    const limits = CONFIG_SCHEMA.properties?.["limits"]?.properties;
    expect(limits?.["loadTimeoutMs"]?.default).toBe(LOAD_TIMEOUT_MS);
  });

  it("takes a project without the file, and no project, as saying nothing", async () => {
    const { read } = project();
    expect(await read()).toEqual({ config: {}, own: {}, waiting: [], findings: [] });
    const config = { limits: { depth: 20 } };
    expect((await readProjectConfig(undefined, { config }, nodePorts)).config).toEqual(config);
  });

  it("opens the file once, and asks nothing else of the disk", async () => {
    const calls: string[] = [];
    const counting = new Proxy(nodePorts.fs, {
      get(target, name: keyof DiscoveryPorts["fs"]) {
        calls.push(name);
        return target[name];
      },
    });
    const { read, write } = project({ fs: counting });
    await read();
    expect(calls).toEqual(["openSync"]);
    calls.length = 0;
    write({ tools: { disabled: ["bash"] } });
    await read();
    expect(new Set(calls)).toEqual(new Set(["openSync", "readSync", "closeSync"]));
    expect(calls.filter((call) => call === "openSync")).toHaveLength(1);
  });

  it("lets what narrows hold at once, and what widens wait for a person (SEC-CFG-2)", async () => {
    const { read, write, dir, file } = project();
    write({
      $schema: "./x.json",
      tools: { disabled: ["bash"] },
      policy: { rules: [DENY, ALLOW] },
      limits: { depth: 11 },
    });
    const { config, waiting, findings, file: read0 } = await read();
    expect(read0).toBe(file);
    expect(config).toEqual({
      tools: { disabled: ["bash"] },
      policy: { rules: [{ id: "aiw.config.json#/policy/rules/0", ...DENY }] },
    });
    expect(waiting).toEqual([
      {
        subject: "configuration",
        dir,
        hash: expect.stringMatching(/^sha256-[0-9a-f]{64}$/) as string,
        parts: ['/policy/rules/1: {"decision":"allow","match":{"tool":"bash"}}', "/limits/depth: 11"],
      },
    ]);
    expect(findings).toMatchObject([
      {
        code: "trust_required",
        severity: "warning",
        package: "shop",
        reason: expect.stringContaining("/policy/rules/1, /limits/depth") as string,
        fix: expect.stringContaining("aiw trust") as string,
      },
    ]);
  });

  it("says of every rule of the file that it is one, whatever it calls itself", async () => {
    const { read, write } = project();
    write({ policy: { rules: [{ ...DENY, id: "host" }, DENY] } });
    expect((await read()).config.policy?.rules?.map(({ id }) => id)).toEqual([
      "aiw.config.json#host",
      "aiw.config.json#/policy/rules/1",
    ]);
  });

  it("lets all of it hold once that content is trusted, until what widens changes", async () => {
    const { read, write, trust } = project();
    write({ policy: { rules: [DENY, ALLOW] } });
    for (const request of (await read()).waiting) await trust.add(request);
    const whole = await read();
    expect(whole.waiting).toEqual([]);
    expect(whole.config.policy?.rules).toMatchObject([DENY, ALLOW]);
    write({ policy: { rules: [DENY, { ...DENY, match: { tool: "x" } }, ALLOW] }, tools: { disabled: ["a"] } });
    expect((await read()).waiting).toEqual([]);
    write({ policy: { rules: [{ ...ALLOW, match: { tool: "bash*" } }] } });
    const changed = await read();
    expect(changed.waiting).toHaveLength(1);
    expect(changed.config.policy?.rules ?? []).toEqual([]);
  });

  it("does not ask again in a folder of which everything is trusted", async () => {
    const { read, write, trust, dir } = project();
    await trust.add({ subject: "any", dir, hash: "*", parts: [] });
    write({ limits: { depth: 12 } });
    expect((await read()).config).toEqual({ limits: { depth: 12 } });
    write({ limits: { depth: 13 } });
    expect((await read()).config).toEqual({ limits: { depth: 13 } });
  });

  it("says why nothing is trusted when the record is not believed", async () => {
    const { read, write, trust } = project();
    fs.mkdirSync(path.dirname(trust.file), { mode: 0o700 });
    fs.writeFileSync(trust.file, "{", { mode: 0o600 });
    write({ limits: { depth: 12 } });
    const { findings, config } = await read();
    expect(config).toEqual({});
    expect(findings.map(({ code }) => code)).toEqual(["trust_required", "trust_store_invalid"]);
  });

  it("lays the host's word over the file's, without asking anybody", async () => {
    const { read, write } = project();
    write({ tools: { disabled: ["a"] }, limits: { depth: 3, timeoutMs: 5 }, discovery: { requireStatic: true } });
    const { config, own } = await read({
      config: { tools: { disabled: ["b"] }, limits: { depth: 30 }, discovery: { requireStatic: false } },
    });
    expect(config).toEqual({
      tools: { disabled: ["b", "a"] },
      limits: { depth: 30, timeoutMs: 5 },
      discovery: { requireStatic: true },
    });
    expect(own.limits).toEqual({ depth: 3, timeoutMs: 5 });
  });

  it("accepts a byte order mark and spaces", async () => {
    const { read, write } = project();
    write('\uFEFF\n {\r\n "limits" : {"depth":1}}\n');
    expect((await read()).config).toEqual({ limits: { depth: 1 } });
  });

  it.each<[string, string | Buffer, string]>([
    ["is empty", "", "is empty"],
    ["is cut off", '{\n  "tools": {', "line 2, column 13: ends where"],
    ["has a comment", "{\n  // no\n}", "line 2, column 3: expected"],
    ["has a trailing comma", '{"a":1,}', "line 1, column 8: expected"],
    ["is a list", "[]", "/ must be an object, is a list"],
    ["is null", "null", "/ must be an object, is null"],
    ["is not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), "is not UTF-8"],
    ["is too large", `{"a":"${"x".repeat(1024 * 1024)}"}`, "is larger than 1048576 bytes"],
    ["names a member twice", '{\n "tools": {},\n "tools": {}}', 'line 3, column 2: the member "tools" is named twice'],
    ["rounds a number", '{"limits":{"depth":9007199254740993}}', "column 20: the number 9007199254740993"],
    ["misspells a key", '{"tols":{}}', "/tols is unknown; nearest: tools"],
    ["has a key of a later release", '{"remote":{}}', "/remote is unknown; known:"],
    ["has a key called __proto__", '{"__proto__":{}}', "/__proto__ is unknown"],
    [
      "has a toolset that inherits from itself",
      '{"toolsets":{"a":{"extends":["b"]},"b":{"extends":["a"]}}}',
      "a → b → a",
    ],
    [
      "has a toolset that inherits from nothing",
      '{"toolsets":{"a":{"extends":["readonl"]},"readonly":{}}}',
      "which a extends",
    ],
  ])("refuses a file that %s, and says where (SEC-CFG-1)", async (_what, content, message) => {
    const { read, file } = project();
    fs.writeFileSync(file, content);
    await expect(read()).rejects.toMatchObject({
      code: "config_invalid",
      message: expect.stringContaining(message) as string,
      fix: expect.stringMatching(/./) as string,
    });
  });

  it("refuses a folder in its place, a link to nothing and a link that leaves the project", async () => {
    const { read, file, outside } = project();
    fs.mkdirSync(file);
    await expect(read()).rejects.toMatchObject({ message: `${file}: is a folder.` });
    fs.rmdirSync(file);
    fs.symlinkSync(path.join(outside, "missing.json"), file);
    await expect(read()).rejects.toMatchObject({ message: `${file}: is a link to nothing.` });
    fs.writeFileSync(path.join(outside, "missing.json"), "{}");
    await expect(read()).rejects.toMatchObject({ message: `${file}: is a link that leaves the project.` });
  });

  it("follows a link within the project", async () => {
    const { read, file, dir } = project();
    fs.writeFileSync(path.join(dir, "real.json"), '{"limits":{"depth":1}}');
    fs.symlinkSync("real.json", file);
    expect((await read()).config).toEqual({ limits: { depth: 1 } });
  });

  it.runIf(process.platform !== "win32")("is not held up by a pipe in its place", async () => {
    const { read, file } = project();
    expect(spawnSync("mkfifo", [file]).status).toBe(0);
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining("no regular file") as string });
  });

  it("looks once more at a file that somebody is writing", async () => {
    const test = project({
      clock: {
        ...nodePorts.clock,
        wait: () => {
          test.write({ limits: { depth: 1 } });
          return Promise.resolve();
        },
      },
    });
    test.write('{"limits":');
    expect((await test.read()).config).toEqual({ limits: { depth: 1 } });
  });
});
