import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCollector, type Collector } from "./__fixtures__/collector.ts";
import { runDemo } from "./run-demo.ts";

/** The demo's own project, with the tool packages it depends on. */
const PROJECT = path.resolve(import.meta.dirname, "..");

const AIW = path.resolve(PROJECT, "../../packages/cli/bin/aiw.js");

/** As other people run it, it needs `pnpm build`; `pnpm test` has done that. */
const isBuilt = [
  path.resolve(AIW, "../../bundle/main.js"),
  path.join(PROJECT, "node_modules/@aiw/plugin-shell/aiw-tools.json"),
].every((file) => existsSync(file));

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function aiw(...args: string[]): Promise<Ended> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [AIW, ...args]);
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
}

interface Recorded {
  readonly callId: string;
  readonly tool: { readonly name: string };
  readonly outcome: { readonly status: string; readonly code?: string };
  readonly approval?: { readonly decision: string };
  readonly arguments?: Record<string, unknown>;
}

describe.skipIf(!isBuilt)("runDemo, as its configuration has it observed", () => {
  let folder: string;
  let collector: Collector;
  let code: number;
  let output = "";
  let scraped = "";
  let record: string;

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), "aiw-observed-")));
    await writeFile(path.join(folder, "package.json"), '{ "name": "looked-at", "description": "A project of tests." }');
    await promisify(execFile)("git", ["init", "--quiet"], { cwd: folder });
    collector = await startCollector();
    code = await runDemo(
      {},
      {
        env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint },
        isTerminal: false,
        projectDir: PROJECT,
        aiw: "aiw",
        cwd: folder,
        signal: new AbortController().signal,
        write: (text) => (output += text),
        // Asked last of all, after what is allowed has run.
        approver: async () => {
          const url = /^metrics +(\S+)/mu.exec(output)?.[1] ?? "";
          scraped = await (await fetch(url)).text();
          return { decision: "deny", reason: "Not today." };
        },
      },
    );
    record = /^record +(\S+): /mu.exec(output)?.[1] ?? "";
  });

  afterAll(async () => {
    await collector[Symbol.asyncDispose]();
    for (const place of [folder, path.dirname(record)]) await rm(place, { recursive: true, force: true });
  });

  it("has one record of each call, refused ones too", async () => {
    expect(code).toBe(0);
    const calls = [...output.matchAll(/^> (\w+)\(/gmu)].map(([, name]) => name);
    expect(output).toMatch(new RegExp(`^Done\\. ${calls.length} calls, 2 refused, 0 failed`, "mu"));
    const { code: ended, out } = await aiw("audit", "--file", record, "--json");
    const { records, matched, unreadable } = JSON.parse(out) as {
      records: Recorded[];
      matched: number;
      unreadable: number;
    };
    expect({ ended, matched, unreadable }).toEqual({ ended: 0, matched: calls.length, unreadable: 0 });
    expect(records.map(({ tool }) => tool.name).toSorted()).toEqual(calls.toSorted());
    expect(new Set(records.map(({ callId }) => callId)).size).toBe(calls.length);
    expect(records.filter(({ outcome }) => outcome.status !== "ok")).toEqual([
      expect.objectContaining({
        tool: expect.objectContaining({ name: "write" }) as unknown,
        outcome: expect.objectContaining({ status: "denied", code: "outside_root" }) as unknown,
      }),
      expect.objectContaining({
        tool: expect.objectContaining({ name: "bash" }) as unknown,
        outcome: expect.objectContaining({ status: "denied", code: "approval_denied" }) as unknown,
        approval: expect.objectContaining({ decision: "deny", reason: "Not today." }) as unknown,
        arguments: { command: expect.stringMatching(/^rm .*spare\.txt$/u) as unknown },
      }),
    ]);
  });

  it("says how to read the record, for people too", async () => {
    expect(output).toContain(`aiw audit --file ${record}\n`);
    const { code: ended, out } = await aiw("audit", "--file", record, "--tool", "bash");
    expect(ended).toBe(0);
    expect(out.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/ok +bash .*"git status"/u),
      expect.stringMatching(/approval_denied +bash .*"rm /u),
    ]);
  });

  it("leaves a whole chain, in which one altered byte shows", async () => {
    expect(await aiw("audit", "verify", "--file", record)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Intact: /u) as unknown,
    });
    const text = await readFile(record, "utf8");
    await writeFile(record, text.replace('"denied"', '"Denied"'));
    const altered = await aiw("audit", "verify", "--file", record);
    await writeFile(record, text);
    expect(altered).toMatchObject({
      code: 1,
      out: expect.stringMatching(/line \d+: the record was changed/u) as unknown,
    });
  });

  it("offers metrics by the conventions' names while it runs", () => {
    const labels = 'gen_ai_operation_name="execute_tool",gen_ai_tool_name="bash"';
    expect(scraped).toContain(`gen_ai_execute_tool_duration_seconds_count{${labels}} 1`);
    expect(scraped).toMatch(/^aiw_tool_calls_total\{[^}]*gen_ai_tool_name="bash"[^}]*\} 1$/mu);
    expect(scraped).toMatch(/^aiw_tool_calls_total\{[^}]*status="denied"[^}]*\} 1$/mu);
    expect(scraped).toMatch(/^aiw_tool_calls_active\{gen_ai_tool_name="bash"\} 1$/mu);
  });

  it("sends spans and metrics by the conventions' names to the collector that is asked for", () => {
    expect(output).toContain(`sent to ${collector.endpoint}`);
    const spans = collector.spans();
    const executed = spans.filter(({ name }) => name === "execute_tool bash");
    expect(executed.map(({ attributes }) => attributes)).toEqual([
      expect.objectContaining({
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "bash",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": expect.any(String) as unknown,
      }),
    ]);
    const refused = spans.filter(({ attributes }) => attributes["error.type"] === "approval_denied");
    expect(refused.map(({ name }) => name)).toEqual(["aiw.tool_call bash"]);
    expect(collector.metrics()).toEqual(
      expect.arrayContaining(["gen_ai.execute_tool.duration", "aiw.tool.calls", "aiw.tool.approvals"]),
    );
  });
});

it("refuses a collector that is no address, before anything is opened", async () => {
  let output = "";
  const code = await runDemo(
    {},
    {
      env: { OTEL_EXPORTER_OTLP_ENDPOINT: "localhost:4318" },
      isTerminal: false,
      projectDir: PROJECT,
      aiw: "aiw",
      cwd: PROJECT,
      signal: new AbortController().signal,
      write: (text) => (output += text),
    },
  );
  expect([code, output]).toEqual([1, expect.stringMatching(/^OTEL_EXPORTER_OTLP_ENDPOINT must be an http/u)]);
});
