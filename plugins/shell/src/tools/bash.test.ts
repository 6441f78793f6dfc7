import { mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { runTool, type Assessment, type ToolResult } from "@aiw/core";
import { fakeContext, temporaryWorkspace, type TemporaryWorkspace } from "@aiw/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shellOptions } from "../options.ts";
import { bash, type BashOutput } from "./bash.ts";

let workspace: TemporaryWorkspace;

beforeEach(async () => {
  workspace = await temporaryWorkspace({ "a.txt": "one\ntwo\n", "src/b.ts": "export {};\n" });
});

afterEach(async () => {
  await workspace[Symbol.asyncDispose]();
});

interface RunOptions {
  readonly options?: unknown;
  readonly signal?: AbortSignal;
  readonly maxResultCharacters?: number;
}

async function run(input: object, { options = {}, ...lent }: RunOptions = {}) {
  await using fake = fakeContext({ workspace, ...lent });
  const result = (await runTool(bash, input, { ...fake.environment, options })) as ToolResult<BashOutput>;
  return {
    result,
    fields: (result.success ? result.value : (result.details ?? {})) as Partial<BashOutput>,
    output: fake.recorded.output,
  };
}

async function assess(input: { command: string; working_dir?: string }): Promise<Assessment | undefined> {
  await using fake = fakeContext({ workspace, options: shellOptions.parse({}) });
  return await bash.assess?.({ timeout: 5, output_mode: "full", ...input }, fake.context as never);
}

describe("bash", () => {
  it("gives exactly the promised fields", async () => {
    const { result } = await run({ command: "echo out; echo err >&2", description: "Print twice" });
    expect(result).toMatchObject({
      success: true,
      preview: [expect.stringMatching(/^exit 0 after \d\.\d s$/), "out", "err"],
    });
    expect(result.success && result.value).toEqual({
      output: expect.stringMatching(/^(out\nerr|err\nout)\n$/),
      return_code: 0,
      duration_ms: expect.any(Number),
      timeout_applied: 5,
      total_bytes: { stdout: 4, stderr: 4 },
      working_dir: ".",
      sandboxed: false,
    });
  });

  it("streams on channels while it runs", async () => {
    const { output } = await run({ command: "echo out; sleep 0.2; echo err >&2; sleep 0.2; echo again" });
    expect(output).toEqual([
      { chunk: "out\n", channel: "stdout" },
      { chunk: "err\n", channel: "stderr" },
      { chunk: "again\n", channel: "stdout" },
    ]);
  });

  it("fails on a non-zero code with all fields and the last line of stderr", async () => {
    const { result, fields } = await run({
      command: "echo some output; echo first >&2; echo 'the reason' >&2; exit 3",
    });
    expect(result).toMatchObject({
      success: false,
      status: "error",
      code: "command_failed",
      error_type: "user_error",
      settled: true,
      retryable: false,
    });
    expect(!result.success && result.error).toMatch(/^bash\(.*Command failed with exit code 3: the reason/s);
    expect(fields).toMatchObject({ return_code: 3, total_bytes: { stdout: 12, stderr: 17 }, working_dir: "." });
    expect(fields.output).toContain("some output");
  });

  it("says only the exit code when nothing stood on stderr", async () => {
    const { result } = await run({ command: "ls; false" });
    expect(!result.success && result.error).toMatch(/: Command failed with exit code 1$/);
  });

  it.each([
    ["KILL", 137],
    ["TERM", 143],
    ["SEGV", 139],
  ])("is a failure when killed by SIG%s", async (name, code) => {
    const { result, fields } = await run({ command: `kill -${name} $$` });
    expect(result).toMatchObject({ success: false, code: "command_failed" });
    expect(fields).toMatchObject({ return_code: code, signal: `SIG${name}` });
  });

  it.each([
    ["grep nothing a.txt", true],
    ["cat a.txt | grep nothing", true],
    ["cd src && grep nothing b.ts", true],
    ["diff a.txt src/b.ts", true],
    ["test -f missing", true],
    ["[ -f missing ]", true],
    ["false", false],
    ["grep nothing a.txt; false", false],
    ["false && grep nothing a.txt", false],
    ["! grep one a.txt", false],
    ["grep nothing missing.txt", false],
    ["set -o pipefail; false | grep nothing", false],
    ["f() { return 1; }; grep nothing a.txt || f", false],
  ])("judges exit code 1 of %j by its last command", async (command, succeeds) => {
    const { result } = await run({ command });
    expect(result.success).toBe(succeeds);
    if (result.success) {
      expect(result.value.return_code).toBe(1);
      expect(result.value.notices).toEqual([expect.stringMatching(/^exit code 1 of /)]);
    }
  });

  it("kills at the deadline and says what to do", async () => {
    const { result, fields } = await run({ command: "echo begun; sleep 60", timeout: 0.4 });
    expect(result).toMatchObject({
      success: false,
      status: "timed_out",
      code: "timeout",
      retryable: true,
      settled: true,
      suggestion: 'bash(command="echo begun; sleep 60", timeout=60)',
    });
    expect(fields).toMatchObject({ output: "begun\n", timed_out: true, return_code: 143, timeout_applied: 0.4 });
  });

  it("says when a command seems to wait for an answer", async () => {
    const { result } = await run({ command: "printf 'Password: '; sleep 60", timeout: 0.3 });
    expect(!result.success && result.error).toContain("wait for an answer");
  });

  it("reduces a long timeout and says so", async () => {
    const { fields } = await run({ command: "true", timeout: 300 });
    expect(fields).toMatchObject({
      timeout_requested: 300,
      timeout_applied: 60,
      notices: ["timeout reduced from 300 to 60 seconds"],
    });
    expect((await run({ command: "true", timeout: 9 }, { options: { max_timeout: 2 } })).fields.timeout_applied).toBe(
      2,
    );
  });

  it("stops and lists what was left in the background", async () => {
    const { result, fields } = await run({ command: "sleep 60 & echo done" });
    expect(result.success).toBe(true);
    expect(fields).toMatchObject({ output: "done\n", leftovers: [{ pid: expect.any(Number), command: "sleep 60" }] });
    expect(fields.notices?.[0]).toContain("stopped");
  });

  it("keeps the beginning and the end of a long output", async () => {
    const { fields } = await run({ command: "seq 1 100000" });
    expect(fields.truncated).toBe(true);
    expect(fields.output?.length).toBeLessThan(30_100);
    expect(fields.output).toMatch(/^1\n2\n[\s\S]*\[… \d+ lines omitted …\][\s\S]*100000\n$/);
    expect(fields.total_bytes?.stdout).toBe(588_895);
  });

  it.each([
    ["a success", 30_000, { command: "seq 1 100000" }],
    ["a failure", 30_000, { command: "seq 1 100000; exit 3" }],
    ["what JSON writes longer", 5_000, { command: `yes '"\\"' | head -n 4000` }],
    ["a tail", 3_000, { command: "seq 1 100000", output_mode: "tail" }],
    ["many leftovers", 8_000, { command: "for i in {1..60}; do sleep 60 & done; seq 1 10000" }],
    ["a timeout", 1_000, { command: "seq 1 10000; sleep 60", timeout: 0.5 }],
  ])("keeps %s within what reaches the model", async (_what, maxResultCharacters, input) => {
    const { fields } = await run(input, { maxResultCharacters });
    const { length } = JSON.stringify(fields);
    expect(length).toBeLessThanOrEqual(maxResultCharacters);
    expect(length).toBeGreaterThan(maxResultCharacters * 0.75);
    expect(fields.truncated).toBe(true);
    if (!("output_mode" in input)) expect(fields.output?.match(/lines omitted/g)).toHaveLength(1);
  });

  it("cuts nothing that fits", async () => {
    const { fields } = await run({ command: "seq 1 100" }, { maxResultCharacters: 1_000 });
    expect(fields.output?.endsWith("99\n100\n")).toBe(true);
    expect(fields).not.toHaveProperty("truncated");
  });

  it("stops a flood at the cap within bounded memory", async () => {
    const before = process.memoryUsage().rss;
    const { result, fields } = await run({ command: "yes", timeout: 30 });
    expect(result).toMatchObject({ success: false, code: "command_failed", settled: true });
    expect(fields.notices?.join()).toContain("64 MiB");
    expect(fields.output?.length).toBeLessThan(30_100);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1_048_576);
  });

  it("gives the tail alone, or nothing, when asked", async () => {
    const tail = await run({ command: "seq 1 100000", output_mode: "tail" });
    expect(tail.fields.output).toHaveLength(10_000);
    expect(tail.fields.output?.endsWith("100000\n")).toBe(true);
    expect((await run({ command: "echo x", output_mode: "exit_code" })).fields).toMatchObject({
      output: "",
      return_code: 0,
    });
  });

  it("collapses progress bars, strips colours, and marks binary output", async () => {
    const { fields } = await run({ command: "printf '10%%\\r50%%\\r100%%\\n\\033[31mred\\033[0m\\n'" });
    expect(fields.output).toBe("100%\nred\n");
    const binary = await run({ command: "head -c 100 /dev/zero" });
    expect(binary.fields).toMatchObject({ output: "", total_bytes: { stdout: 100, stderr: 0 } });
    expect(binary.fields.notices?.[0]).toContain("binary");
  });

  it("passes stdin and env, and hides values of secret-looking variables", async () => {
    expect((await run({ command: "cat", stdin: "given" })).fields.output).toBe("given");
    const { fields } = await run({
      command: 'echo "$PLAIN $MY_TOKEN"',
      env: { PLAIN: "shown-value", MY_TOKEN: "abcdefgh12345" },
    });
    expect(fields.output).toBe("shown-value [MY_TOKEN hidden]\n");
  });

  it("runs where it is told, inside the roots only", async () => {
    expect((await run({ command: "pwd", working_dir: "src" })).fields).toMatchObject({
      output: `${workspace.cwd}/src\n`,
      working_dir: "src",
    });
    await symlink("/etc", join(workspace.cwd, "link"));
    for (const working_dir of ["/etc", "..", "link", "/", "~"]) {
      const { result } = await run({ command: "pwd", working_dir });
      expect(result).toMatchObject({ success: false, status: "denied", code: "outside_root" });
    }
    for (const working_dir of ["missing", "a.txt"]) {
      const { result } = await run({ command: "pwd", working_dir });
      expect(result).toMatchObject({
        success: false,
        code: "cwd_not_found",
        suggestion: expect.stringContaining(`working_dir=${JSON.stringify(workspace.cwd)}`),
      });
    }
  });

  it("says when the workspace folder is gone", async () => {
    await rm(workspace.cwd, { recursive: true });
    expect((await run({ command: "pwd" })).result).toMatchObject({ success: false, code: "cwd_not_found" });
    await mkdir(workspace.cwd);
  });

  it.each([
    [{ command: "" }, "invalid_input"],
    [{ command: "  \n" }, "invalid_input"],
    [{ command: '["ls", "-l"]' }, "invalid_input"],
    [{ command: '{"command": "ls"}' }, "invalid_input"],
    [{ command: "x".repeat(20_001) }, "invalid_input"],
    [{ command: "ls\0" }, "invalid_input"],
    [{ command: "ls", timeout: 0 }, "invalid_input"],
    [{ command: "ls", timeout: "5" }, "invalid_input"],
    [{ command: "ls", env: { "A B": "x" } }, "invalid_input"],
    [{ command: "ls", run_in_background: true }, "invalid_input"],
    [{ command: "ls", working_dir: "a\0b" }, "invalid_path"],
  ])("refuses %j", async (input, code) => {
    expect((await run(input)).result).toMatchObject({ success: false, code });
  });

  it("refuses denied and interactive commands in execute too, and starts nothing", async () => {
    expect((await run({ command: "touch started; rm -rf /" })).result).toMatchObject({
      success: false,
      status: "denied",
      code: "command_denied",
      error_type: "security_error",
      details: { rule: "protected_tree" },
    });
    expect((await run({ command: "touch started; vim a.txt" })).result).toMatchObject({
      success: false,
      code: "interactive_command",
    });
    expect((await run({ command: "ls" })).fields.output).toBe("a.txt\nsrc\n");
  });

  it("refuses to kill what runs it (SEC-SH-12)", async () => {
    for (const command of [`kill ${process.pid}`, `kill -9 ${process.ppid}`, "pkill -f vitest", "kill -1"]) {
      expect((await run({ command })).result).toMatchObject({ success: false, code: "command_denied" });
    }
  });

  it("settles as cancelled and leaves nothing when the call is aborted", async () => {
    const controller = new AbortController();
    const running = run({ command: "echo begun; sleep 60", timeout: 50 }, { signal: controller.signal });
    await delay(400);
    controller.abort();
    expect((await running).result).toMatchObject({
      success: false,
      status: "cancelled",
      code: "cancelled",
      settled: true,
      details: { output: "begun\n" },
    });
  });

  it("says when the configured shell is missing", async () => {
    const { result } = await run({ command: "ls" }, { options: { shell: "/nonexistent/bash" } });
    expect(result).toMatchObject({
      success: false,
      code: "spawn_failed",
      suggestion: expect.stringContaining('"shell"'),
    });
  });

  it("passes only the host variables the operator names", async () => {
    process.env.AIW_TEST_NAMED = "named-value";
    try {
      const command = "printenv AIW_TEST_NAMED";
      expect((await run({ command })).result.success).toBe(false);
      expect((await run({ command }, { options: { pass_environment: ["AIW_TEST_NAMED"] } })).fields.output).toBe(
        "named-value\n",
      );
    } finally {
      delete process.env.AIW_TEST_NAMED;
    }
  });

  it("assesses read-only commands as such, and others by what they may do", async () => {
    expect(await assess({ command: "ls -l" })).toMatchObject({
      decision: "allow",
      rule: "read_only",
      effects: { readOnly: true, destructive: false, openWorld: false },
    });
    expect(await assess({ command: "npm test" })).toMatchObject({
      decision: "allow",
      reason: "npm is not known to be read-only",
      effects: { readOnly: false, destructive: true, openWorld: true },
      resources: [`folder:${workspace.cwd}`],
    });
    expect(await assess({ command: "eval $X" })).toMatchObject({ decision: "ask", rule: "dynamic_script" });
  });

  it.each([
    [{ command: "rm -rf /" }, "command_denied"],
    [{ command: "vim; rm -rf /" }, "command_denied"],
    [{ command: "vim" }, "interactive_command"],
    [{ command: "ls", working_dir: "missing" }, "cwd_not_found"],
  ])("asks nobody about %j, which cannot run", async (input, code) => {
    await expect(assess(input)).rejects.toMatchObject({ code });
  });
});
