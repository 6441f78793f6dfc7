import { chmod } from "node:fs/promises";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { makeProject } from "../__fixtures__/make-project.ts";
import { spawnAiw } from "../__fixtures__/spawn-aiw.ts";
import { runAiw } from "../__fixtures__/run-aiw.ts";

const CONFIG = {
  extensions: {
    auth: {
      anonymousRoles: ["guest"],
      roles: {
        guest: { rules: [{ match: { tools: ["echo"] }, decision: "allow" }] },
        cleaner: {
          extends: ["guest"],
          rules: [{ match: { tools: ["wipe", "tick", "again", "pair"] }, decision: "allow" }],
        },
      },
    },
    audit: { file: ".aiw/audit.jsonl" },
  },
};

/** One tool that is to be tried again much later, and one that has two calls where one may run. */
const WAITING = `
const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
const tool = (name, execute) => ({
  [Symbol.for("@aiw/core/tool")]: true,
  contractVersion: 1,
  spec: { name, type: "function", description: "D.", inputSchema: { type: "object" }, metadata: { tags: [], permissions: [], effects } },
  execute,
});
const busy = { [Symbol.for("@aiw/core/tool-error")]: true, code: "too_busy", type: "system_error", status: "error", settled: true, retryable: true };
export const again = tool("again", () => { throw Object.assign(new Error("Busy."), busy, { details: { retry_after_ms: 30000 } }); });
export const refused = tool("refused", () => { throw Object.assign(new Error("No."), busy, { code: "conflict", retryable: false, details: {} }); });
export const tick = tool("tick", (_input, { signal }) => new Promise((_done, stop) => signal.addEventListener("abort", () => stop(signal.reason))));
export const pair = tool("pair", async (_input, { callTool, emitOutput }) => {
  const both = [callTool("tick", { n: 1 }), callTool("tick", { n: 2 })];
  setTimeout(() => emitOutput("ticking\\n"), 300);
  await Promise.all(both);
});
`;

async function makeEngaged(more: object = {}): ReturnType<typeof makeProject> {
  const project = await makeProject();
  await project.write("aiw.config.json", JSON.stringify({ ...CONFIG, ...more }));
  expect((await runAiw(project.cwd, ["trust", "--yes"])).code).toBe(0);
  return project;
}

async function records(cwd: string): Promise<unknown[]> {
  return ((await runAiw(cwd, ["audit", "--json"])).json() as { records: unknown[] }).records;
}

describe("aiw call for a caller", { timeout: 60_000 }, () => {
  it("calls as whoever is named, and as nobody else", async () => {
    await using project = await makeEngaged();
    const input = ["--input", '{"text":"hi"}'];
    expect(await spawnAiw(project.cwd, ["call", "echo", ...input])).toMatchObject({ code: 0, out: "hi\n" });
    const anonymous = await spawnAiw(project.cwd, ["call", "wipe", "--yes"]);
    expect(anonymous).toMatchObject({ code: 3, out: "", err: expect.stringContaining("--principal ID --role NAME") });
    const ann = ["--principal", "ann", "--role", "cleaner"];
    expect(await spawnAiw(project.cwd, ["call", "wipe", "--yes", "--json", ...ann])).toMatchObject({ code: 0 });
    expect(await spawnAiw(project.cwd, ["call", "fail", ...ann])).toMatchObject({
      code: 3,
      err: expect.stringContaining("aiw why fail --principal ann --role cleaner"),
    });
    const [first, second, third, fourth] = await records(project.cwd);
    expect(first).toMatchObject({ outcome: { status: "ok" } });
    expect(first).not.toHaveProperty("principal");
    expect(second).toMatchObject({ outcome: { status: "denied", code: "tool_not_offered" } });
    expect(third).toMatchObject({ principal: { id: "ann", roles: ["cleaner"] }, outcome: { status: "ok" } });
    expect(fourth).toMatchObject({ principal: { id: "ann" }, outcome: { code: "tool_not_offered" } });
  });

  it("records a call that Ctrl-C ends", async () => {
    await using project = await makeEngaged();
    const args = ["call", "tick", "--principal", "ann", "--role", "cleaner"];
    expect(await spawnAiw(project.cwd, args, { interruptAt: "tick" })).toMatchObject({ code: 130 });
    expect(await records(project.cwd)).toMatchObject([{ outcome: { status: "cancelled" } }]);
  });

  it.each([
    ["waits to try again", "again", "again in"],
    ["waits for its turn", "pair", "ticking"],
  ])("ends a call that %s at Ctrl-C, and records it", async (_what, tool, interruptAt) => {
    await using project = await makeEngaged({
      limits: { retry: { baseMs: 30_000 }, tools: { tick: { concurrency: 1 } } },
    });
    await project.write("node_modules/acme-tools/tools.js", WAITING);
    await project.write(
      "node_modules/acme-tools/package.json",
      JSON.stringify({ name: "acme-tools", version: "1.0.0", type: "module", aiwhisperer: { tools: "./tools.js" } }),
    );
    const args = ["call", tool, "--principal", "ann", "--role", "cleaner"];
    expect(await spawnAiw(project.cwd, args, { interruptAt })).toMatchObject({ code: 130 });
    const ended = (await records(project.cwd)) as { tool: { name: string }; outcome: { status: string } }[];
    const names = tool === "pair" ? ["pair", "tick", "tick"] : [tool];
    expect(ended.map((one) => one.tool.name).toSorted()).toEqual(names);
    expect(new Set(ended.map(({ outcome }) => outcome.status))).toEqual(new Set(["cancelled"]));
  });

  it("calls nothing, and leaves nothing open, where an extension cannot be opened", async () => {
    await using project = await makeEngaged();
    await project.write("at", "no folder");
    const extensions = { ...CONFIG.extensions, logging: { file: "at/calls.log" } };
    await project.write("aiw.config.json", JSON.stringify({ extensions }));
    expect((await runAiw(project.cwd, ["trust", "--yes"])).code).toBe(0);
    const { code, out, err } = await spawnAiw(project.cwd, ["call", "echo", "--json", "--input", '{"text":"hi"}']);
    expect(JSON.parse(out)).toMatchObject({ error: { code: "config_invalid", fix: expect.stringMatching(/./) } });
    expect({ code, err }).toMatchObject({
      code: 4,
      err: expect.stringContaining("/extensions/logging/file: The log "),
    });
    expect(await records(project.cwd)).toEqual([]);
  });

  it("calls, and says that it offers no metrics, while another process has their port", async () => {
    await using project = await makeEngaged();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as AddressInfo;
    const extensions = { ...CONFIG.extensions, telemetry: { prometheus: { port } } };
    await project.write("aiw.config.json", JSON.stringify({ extensions }));
    expect((await runAiw(project.cwd, ["trust", "--yes"])).code).toBe(0);
    const ended = await spawnAiw(project.cwd, ["call", "echo", "--input", '{"text":"hi"}']);
    taken.close();
    expect(ended).toMatchObject({
      code: 0,
      out: "hi\n",
      err: expect.stringMatching(/^metrics +.*not offered at .*\n$/),
    });
    expect(ended.err).toContain(`127.0.0.1:${port}`);
  });

  it.each([
    ["block", 3, ""],
    ["warn", 0, "hi\n"],
  ])("names the record that cannot be written, and why, where failures %s", async (onFailure, code, out) => {
    await using project = await makeEngaged({ extensions: { audit: { file: "../x.jsonl", onFailure } } });
    const ended = await spawnAiw(project.cwd, ["call", "echo", "--input", '{"text":"hi"}']);
    expect(ended).toMatchObject({ code, out });
    const said = ended.err.split("\n").filter((line) => line.startsWith("error     Calls cannot be recorded."));
    expect(said).toEqual([expect.stringMatching(/record: \/.*x\.jsonl; error: .* leads out of .* Fix: /)]);
  });

  it.each(["audit", "telemetry"])("names the place of a variable that %s lacks", async (name) => {
    const secret = { $env: "AIW_IS_NOT_SET" };
    const settings = {
      audit: { audit: { file: "a.jsonl", key: secret } },
      telemetry: { telemetry: { otlp: { endpoint: "http://127.0.0.1:9", headers: { authorization: secret } } } },
    }[name];
    await using project = await makeEngaged({ extensions: settings });
    const pointer = name === "audit" ? "audit/key" : "telemetry/otlp/headers/authorization";
    expect(await spawnAiw(project.cwd, ["call", "echo", "--input", '{"text":"hi"}'])).toMatchObject({
      code: 4,
      err: expect.stringContaining(`aiw: /extensions/${pointer} needs the environment variable AIW_IS_NOT_SET`),
    });
  });

  it("takes no role without somebody who has it", async () => {
    await using project = await makeProject();
    expect(await runAiw(project.cwd, ["call", "echo", "--role", "x"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("--role needs --principal"),
    });
  });
});

describe("aiw call", { timeout: 60_000 }, () => {
  it("says that it is not recorded while the configuration waits for trust, and nothing once it is trusted", async () => {
    await using project = await makeProject();
    await project.write("aiw.config.json", '{ "extensions": { "audit": { "file": "a.jsonl", "onFailure": "warn" } } }');
    const input = ["--input", '{"text":"hi"}'];
    const { code, out, err } = await runAiw(project.cwd, ["call", "echo", ...input]);
    expect({ code, out }).toEqual({ code: 0, out: "hi\n" });
    expect(err).toBe(
      "waiting   audit of aiw.config.json: this call goes without until you trust it. Look: aiw trust\n",
    );
    expect((await runAiw(project.cwd, ["trust", "--yes"])).code).toBe(0);
    expect(await spawnAiw(project.cwd, ["call", "echo", ...input])).toMatchObject({ code: 0, err: "" });
    await chmod(`${project.cwd}.config/trust.json`, 0o666);
    const unbelieved = await runAiw(project.cwd, ["call", "echo", ...input]);
    expect(unbelieved.err).toMatch(/this call goes without since the record of what is trusted is not used: .* Fix: /);
  });

  it("says why a name is not there, in words for people", async () => {
    await using project = await makeProject();
    const { code, err } = await runAiw(project.cwd, ["call", "zzzzzzzz"]);
    expect(code).toBe(1);
    expect(err).toContain('aiw why "zzzzzzzz"');
    expect(err).not.toContain("you were given");
  });

  it("shows people at a terminal what it gives, and a program JSON", async () => {
    await using project = await makeProject();
    const wipe = ["call", "wipe", "--yes"];
    const terminal = { terminal: true, environment: { NO_COLOR: "1" } };
    expect(await runAiw(project.cwd, wipe, terminal)).toMatchObject({ code: 0, out: "wiped: true\n" });
    expect(await runAiw(project.cwd, wipe)).toMatchObject({ code: 0, out: '{\n  "wiped": true\n}\n' });
    const whole = await runAiw(project.cwd, [...wipe, "--json"], terminal);
    expect(whole.json()).toMatchObject({ success: true, value: { wiped: true } });
  });

  it("says of a failure what happened, its code, the way out, and below them the details", async () => {
    await using project = await makeProject();
    const terminal = { terminal: true, environment: { NO_COLOR: "1" } };
    const { code, out, err } = await runAiw(project.cwd, ["call", "echo", "--input", '{"text":3}'], terminal);
    expect(code).toBe(1);
    expect(err).toMatch(/^echo\(text=3\): .*\n- text: .*\n\(invalid_input\)\nCall it like this: echo\(text=/u);
    expect(out).toMatch(/^issues:\n {2}- path: \/text/u);
    const piped = await runAiw(project.cwd, ["call", "echo", "--input", '{"text":3}']);
    expect(piped.json()).toMatchObject({ issues: [{ path: "/text" }] });
  });

  it("shows nothing for a failure without details", async () => {
    await using project = await makeProject();
    await project.write("node_modules/acme-tools/tools.js", WAITING);
    await project.write(
      "node_modules/acme-tools/package.json",
      JSON.stringify({ name: "acme-tools", version: "1.0.0", type: "module", aiwhisperer: { tools: "./tools.js" } }),
    );
    for (const terminal of [true, false])
      expect(await runAiw(project.cwd, ["call", "refused", "--yes"], { terminal })).toMatchObject({ code: 1, out: "" });
  });
});
