import { runTool, type ToolResult } from "@aiw/core";
import { fakeContext, temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { executeCommand, type ExecuteCommandOutput } from "./execute-command.ts";

let workspace: TemporaryWorkspace;

beforeEach(async () => {
  workspace = await temporaryWorkspace({ "src/b.ts": "export {};\n" });
});

afterEach(async () => {
  await workspace[Symbol.asyncDispose]();
});

async function run(input: object, options: unknown = {}, maxResultCharacters?: number) {
  await using fake = fakeContext({ workspace, ...(maxResultCharacters !== undefined && { maxResultCharacters }) });
  return (await runTool(executeCommand, input, { ...fake.environment, options })) as ToolResult<ExecuteCommandOutput>;
}

async function value(input: object, options: unknown = {}) {
  const result = await run(input, options);
  expect(result.success, result.error).toBe(true);
  return result.success ? result.value : undefined;
}

describe("execute_command", () => {
  it("gives exactly stdout, stderr and returncode", async () => {
    expect(await value({ command: "echo out; echo err >&2" })).toEqual({
      stdout: "out\n",
      stderr: "err\n",
      returncode: 0,
    });
  });

  it("takes what the process did for data", async () => {
    expect(await value({ command: "exit 3" })).toMatchObject({ returncode: 3 });
    expect(await value({ command: "kill -KILL $$" })).toMatchObject({ returncode: 137 });
    expect(await value({ command: "./src/b.ts" })).toMatchObject({ returncode: 126 });
    expect(await value({ command: "no_such_program_" })).toMatchObject({
      returncode: 127,
      stderr: expect.stringContaining("not found"),
    });
  });

  it("gives 124 when time runs out", async () => {
    expect(await value({ command: "echo begun; sleep 60" }, { max_timeout: 0.4 })).toEqual({
      stdout: "begun\n",
      stderr: "[stopped after 0.4 seconds]",
      returncode: 124,
    });
  });

  it("runs in cwd, inside the roots", async () => {
    expect(await value({ command: "ls", cwd: "src" })).toMatchObject({ stdout: "b.ts\n" });
    expect(await run({ command: "ls", cwd: "/etc" })).toMatchObject({ success: false, code: "outside_root" });
  });

  it("suggests its own parameters", async () => {
    expect(await run({ command: "ls", cwd: "../" })).toMatchObject({
      code: "outside_root",
      suggestion: expect.stringContaining(`cwd=${JSON.stringify(workspace.cwd)}`),
    });
    expect(await run({ command: '["ls"]' })).toMatchObject({
      suggestion: expect.stringContaining('execute_command(command="ls -l src")'),
    });
  });

  it("keeps both streams within what reaches the model, the shorter one whole", async () => {
    for (const [command, stderr] of [
      ["seq 1 20000; seq 1 20000 >&2", expect.stringContaining("lines omitted")],
      ["seq 1 20000; echo short >&2", "short\n"],
    ]) {
      const result = await run({ command }, {}, 10_000);
      const given = result.success ? result.value : undefined;
      expect(JSON.stringify(given).length).toBeLessThanOrEqual(10_000);
      expect(JSON.stringify(given).length).toBeGreaterThan(7_500);
      expect(given).toEqual({ stdout: expect.stringMatching(/^1\n.*lines omitted.*20000\n$/s), stderr, returncode: 0 });
    }
  });

  it("obeys the same denials", async () => {
    expect(await run({ command: "rm -rf /" })).toMatchObject({
      success: false,
      status: "denied",
      code: "command_denied",
    });
    expect(await run({ command: "vim" })).toMatchObject({ success: false, code: "interactive_command" });
  });
});
