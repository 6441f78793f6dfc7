import { existsSync } from "node:fs";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Approver } from "@aiw/executor";
import { afterEach, describe, expect, it } from "vitest";
import { startChatServer } from "./__fixtures__/chat-server.ts";
import { createFakeProject } from "./__fixtures__/fake-project.ts";
import { startJsonServer } from "./__fixtures__/json-server.ts";
import type { DemoOptions } from "./parse-arguments.ts";
import { runDemo, type DemoWorld } from "./run-demo.ts";

const scratchFolders: string[] = [];

afterEach(async () => {
  for (const folder of scratchFolders.splice(0)) await rm(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number;
  readonly output: string;
  readonly scratch: string;
}

async function run(options: DemoOptions, world: Partial<DemoWorld> = {}): Promise<Ran> {
  await using project = await createFakeProject();
  let output = "";
  const code = await runDemo(options, {
    env: {},
    isTerminal: false,
    projectDir: project.directory,
    aiw: "aiw",
    cwd: project.directory,
    signal: new AbortController().signal,
    ...world,
    write: (text) => {
      output += text;
      world.write?.(text);
    },
  });
  const scratch = /^scratch +(\S+)$/mu.exec(output)?.[1] ?? "";
  if (scratch !== "") scratchFolders.push(scratch);
  return { code, output, scratch };
}

describe("runDemo", () => {
  it("does the default task with the project's own tool packages, and leaves a report", async () => {
    const { code, output, scratch } = await run({});
    expect(code).toBe(0);
    expect(output).toMatch(/^model +offline planner: fixed rules, not a language model/mu);
    expect(output).toMatch(/^tools +bash, list, read, write$/mu);
    expect(output).toMatch(/^> bash\(command="git status"\)\n {2}\| running git status\n {2}ok bash \d+ ms$/mu);
    expect(output).toMatch(/^Done\. \d+ calls, 2 refused, 0 failed/mu);
    const report = await readFile(path.join(scratch, "report.md"), "utf8");
    expect(report).toContain("fake-project: A project of tests.");
    expect(existsSync(path.join(scratch, "spare.txt"))).toBe(false);
  });

  it("refuses what its configuration does not allow, tells the agent why, and lets it go on", async () => {
    const { code, output } = await run({});
    expect(code).toBe(0);
    expect(output).toMatch(/^ {2}refused bash approval_required/mu);
    expect(output).toMatch(/^ {2}refused write approval_required/mu);
    expect(output).toMatch(/rm \S+spare\.txt.*\(refused\)/u);
  });

  it("asks the person who is there, and shows question and answer", async () => {
    const asked: unknown[] = [];
    const approver: Approver = ({ toolName, arguments: input }) => {
      asked.push([toolName, input["command"]]);
      return { decision: "allow" };
    };
    const { code, output } = await run({ prompt: "run `echo hello`" }, { approver });
    expect([code, asked]).toEqual([0, [["bash", "echo hello"]]]);
    expect(output).toMatch(/^ {2}\? asks bash: [^]*^ {2}\? allowed bash$[^]*^ {2}ok bash/mu);
  });

  it("leaves the record of its calls and says how to read it, and nothing where there is none", async () => {
    const { output, scratch } = await run({ prompt: "read package.json" });
    expect(await readdir(scratch)).toEqual(["audit.jsonl", "audit.jsonl.head"]);
    expect(output).toMatch(/^Done\. 1 call, 0 refused/mu);
    expect(output).toContain(`aiw audit --file ${path.join(scratch, "audit.jsonl")}\n`);
    const idle = await run({ prompt: "Hello." });
    expect([idle.code, idle.scratch === "", existsSync(idle.scratch)]).toEqual([0, false, false]);
  });

  it("stops when it is told to, and the running call with it", async () => {
    const stop = new AbortController();
    const { code, output, scratch } = await run(
      { prompt: "run `sleep`" },
      {
        signal: stop.signal,
        approver: () => ({ decision: "allow" }),
        write: (text) => text.includes("running sleep") && stop.abort(),
      },
    );
    expect(code).toBe(1);
    expect(output).toMatch(/^ {2}cancelled bash[^]*^Stopped\./mu);
    const record = await readFile(path.join(scratch, "audit.jsonl"), "utf8");
    expect(record).toMatch(/^[^\n]+"status":"cancelled"[^\n]+\n$/u);
  });

  it("fails with a reason when the model refuses or is not set up", async () => {
    await using server = await startJsonServer(() => ({ error: { message: "no such model" } }), 404);
    const refused = await run({ model: "m", baseUrl: server.url });
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/^Failed: .*no such model/mu)]);
    const missing = await run({ model: "m" });
    expect([missing.code, missing.output]).toEqual([1, expect.stringContaining("needs OPENROUTER_API_KEY")]);
  });

  it("works with a model on an OpenAI-compatible server, which reads results, failures and refusals", async () => {
    await using server = await startChatServer([
      { name: "read", arguments: '{"file_paths":["package.json"]}' },
      { name: "read", arguments: '{"file_paths":"package.json"' },
      { name: "bash", arguments: '{"command":"rm -rf /"}' },
      { text: "It is a \u001B[31mproject of tests." },
    ]);
    const { code, output } = await run({ model: "m", baseUrl: server.url, prompt: "What is this?" });
    expect(code).toBe(0);
    expect(output).toMatch(/^model +m at http:/mu);
    expect(output).toContain("It is a project of tests.");
    expect(output).toMatch(/^Done\. 3 calls, 1 refused, 1 failed/mu);
    const [first] = server.requests;
    expect(first?.tools?.map((tool) => tool.function.name)).toEqual(["bash", "list", "read", "write"]);
    const told =
      server.requests
        .at(-1)
        ?.messages.filter(({ role }) => role === "tool")
        .map(({ content }) => String(content)) ?? [];
    expect(told).toHaveLength(3);
    expect(told[0]).toContain("A project of tests.");
    expect(told[1]).toMatch(/not valid JSON at character 29[^]*"code":"invalid_input"/u);
    expect(told[2]).toMatch(/nobody is there to ask[^]*"code":"approval_required"/u);
  });

  it("fails when the model never answers", async () => {
    const call = { name: "list", arguments: '{"path":"."}' };
    await using server = await startChatServer(Array.from({ length: 30 }, () => call));
    const { code, output } = await run({ model: "m", baseUrl: server.url, prompt: "Go on." });
    expect([code, output]).toEqual([1, expect.stringMatching(/^Failed: No answer after 20 steps\. 20 calls/mu)]);
  });

  it("colours on a terminal alone, and not under NO_COLOR", async () => {
    const prompt = "read package.json";
    expect((await run({ prompt }, { isTerminal: true })).output).toContain("\u001B[");
    expect((await run({ prompt }, { isTerminal: true, env: { NO_COLOR: "1" } })).output).not.toContain("\u001B");
    expect((await run({ prompt })).output).not.toContain("\u001B");
  });
});
