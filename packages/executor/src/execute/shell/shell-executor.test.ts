import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ToolError, type ToolResult } from "@aiw/core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { dataTool, failureOf, runDataTool, type RunDataToolOptions } from "../__fixtures__/run-data-tool.ts";
import { shellExecutor, type ShellGrants } from "./shell-executor.ts";

let folder = "";

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "aiw-command-")));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Prints its arguments, or what else is asked of it, as JSON. */
const NODE = process.execPath;
const REPORT = "console.log(JSON.stringify(process.argv.slice(1)))";

interface CallOptions extends RunDataToolOptions {
  readonly grants?: ShellGrants;
  readonly parameters?: Readonly<Record<string, object>>;
}

async function call(
  implementation: unknown,
  input: object = {},
  { grants = {}, parameters, ...options }: CallOptions = {},
): Promise<ToolResult> {
  const known = parameters ?? Object.fromEntries(Object.keys(input).map((name) => [name, {}]));
  const tool = dataTool("shell", implementation, { parameters: known, ...options });
  const shell = shellExecutor({ grants: () => grants });
  return await runDataTool(tool, input, {
    workspace: { cwd: folder, roots: [folder] },
    executors: { shell },
    ...options,
  });
}

async function argumentsOf(
  words: readonly unknown[],
  input: object,
  parameters?: CallOptions["parameters"],
): Promise<unknown> {
  const options = parameters === undefined ? {} : { parameters };
  const result = await call({ command: [NODE, "-e", REPORT, "--", ...words], output: "json" }, input, options);
  return result.success ? result.value : result.code;
}

describe("shellExecutor", () => {
  it("gives both streams and the code", async () => {
    const script = "console.log('out'); console.error('err')";
    expect(await call({ command: [NODE, "-e", script] })).toMatchObject({
      success: true,
      value: { exit_code: 0, stdout: "out\n", stderr: "err\n" },
    });
  });

  it("delivers any text as exactly one argument (SEC-SH-1)", async () => {
    const texts = fc.record({ first: fc.string({ unit: "grapheme" }), second: fc.string({ unit: "grapheme" }) });
    await fc.assert(
      fc.asyncProperty(texts, async ({ first, second }) => {
        const expected = `${first}${second}`.includes("\0") ? "invalid_input" : [first, `--flag=${second}`];
        expect(await argumentsOf(["{first}", "--flag={second}"], { first, second })).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it.each([
    "$(touch x)",
    "`touch x`",
    "; touch x",
    "| touch x",
    "&& touch x",
    "> x",
    "*",
    "~",
    "a b",
    "'",
    '"',
    "\n",
    "\\",
    "{first}",
    "%PATH%",
    "",
    " ",
  ])("runs nothing of %j", async (text) => {
    expect(await argumentsOf(["{first}", "{second}"], { first: text, second: text })).toEqual([text, text]);
    expect(existsSync(path.join(folder, "x"))).toBe(false);
  });

  it.each(["-r", "--force", "-", "--", "-5", "\u2013flag", "\u2014x", "\u22125", "\u00ad-x", "\uff0dx"])(
    "refuses %j where it could be taken for an option",
    async (text) => {
      const command = `echo {text}`;
      expect(await failureOf(call({ command }, { text }))).toMatchObject({ code: "invalid_input" });
      expect(await failureOf(call({ command: ["echo", "{...text}"] }, { text: ["a", text] }))).toMatchObject({
        code: "invalid_input",
      });
      expect(await call({ command: "echo --text={text} -- {text}" }, { text })).toMatchObject({
        value: { stdout: `--text=${text} -- ${text}\n` },
      });
    },
  );

  it("spreads a list only where the spec says so", async () => {
    const input = { list: ["a b", "", "c"] };
    expect(await argumentsOf(["{...list}"], input)).toEqual(["a b", "", "c"]);
    expect(await argumentsOf(["{list}"], input)).toBe("invalid_input");
    expect(await argumentsOf(["{...list}"], { list: [["a"]] })).toBe("invalid_input");
    expect(await argumentsOf(["{...list}"], { list: [] })).toEqual([]);
  });

  it("leaves out words of arguments that were not given, and those that belong to them", async () => {
    const parameters = { a: {}, b: {} };
    const words = ["{a}", ["-n", "{b}"], "--b={b}", "end"];
    expect(await argumentsOf(words, {}, parameters)).toEqual(["end"]);
    expect(await argumentsOf(words, { a: 1, b: true }, parameters)).toEqual(["1", "-n", "true", "--b=true", "end"]);
  });

  it.each([
    { command: "echo $HOME" },
    { command: "echo a | cat" },
    { command: "" },
    { command: [] },
    { command: ["{text}"] },
    { command: "{text} a" },
    { command: ["echo", "-{text}"] },
    { command: ["echo", "--{text}=1"] },
    { command: ["echo", "a{...text}"] },
    { command: ["echo", 1] },
    { command: "echo" },
    { command: "echo {other}" },
    { command: "echo {text}", shell: true },
    { command: "bin/echo {text}" },
    { command: "./echo {text}" },
    { command: "echo {text}", cwd: "/" },
    { command: "echo {text}", env: { LD_PRELOAD: "x" } },
    { command: "echo {text}", env: { PATH: "{text}" } },
    { command: "echo {text}", env: { "a b": "x" } },
    { command: "echo {text}", output: "xml" },
    "echo {text}",
    null,
  ])("refuses the implementation %j", async (implementation) => {
    const failure = await failureOf(call(implementation, { text: "x" }));
    expect(failure).toMatchObject({ code: "implementation_invalid" });
  });

  it("builds the environment from nothing (SEC-SH-6)", async () => {
    const environment = {
      PATH: process.env["PATH"],
      HOME: "/h",
      SECRET: "s",
      OWN: "o",
      NODE_OPTIONS: "--bad",
      LD_PRELOAD: "x",
    };
    const command = [NODE, "-e", "console.log(JSON.stringify(process.env))"];
    const result = await call(
      { command, output: "json", env: { GIVEN: "{text}", FIXED: "1", LANG: "C.UTF-8" } },
      { text: "a=b" },
      { grants: { environment, env: ["OWN"] } },
    );
    const value = (result as { value: Record<string, string> }).value;
    expect(value).toMatchObject({ HOME: "/h", OWN: "o", GIVEN: "a=b", FIXED: "1", LANG: "C.UTF-8" });
    expect(Object.keys(value)).not.toEqual(expect.arrayContaining(["SECRET"]));
    for (const name of ["SECRET", "NODE_OPTIONS", "LD_PRELOAD"]) expect(value).not.toHaveProperty(name);
  });

  it("reads variables for specs that may, and hides their values in what is printed", async () => {
    const grants = { environment: { PATH: process.env["PATH"], THE_KEY: "s3cret-value" } };
    const spec = { command: [NODE, "-e", "console.log(process.env.API_KEY)"], env: { API_KEY: { $env: "THE_KEY" } } };
    expect(await failureOf(call(spec, {}, { grants }))).toMatchObject({ code: "not_configured" });
    const result = await call(spec, {}, { grants, readsEnvironment: true });
    expect(result).toMatchObject({ value: { stdout: "[API_KEY hidden]\n" } });
    const place = { LOGIN: ["user:", { $env: "THE_KEY" }, "@host"] };
    const shown = { command: [NODE, "-e", "console.error(process.env.LOGIN); process.exit(2)"], env: place };
    expect(await failureOf(call(shown, {}, { grants, readsEnvironment: true }))).toMatchObject({
      error: expect.stringContaining("user:[THE_KEY hidden]@host"),
      details: { stderr: "user:[THE_KEY hidden]@host\n" },
    });
  });

  it("lets no file of the workspace stand in for a program (SEC-SH-8)", async () => {
    const bin = path.join(folder, "bin");
    mkdirSync(bin);
    for (const name of ["echo", "only-here"]) {
      writeFileSync(path.join(bin, name), "#!/bin/sh\ntouch ran\n");
      chmodSync(path.join(bin, name), 0o755);
    }
    const elsewhere = mkdtempSync(path.join(tmpdir(), "aiw-elsewhere-"));
    onTestFinished(() => rmSync(elsewhere, { recursive: true }));
    const link = path.join(elsewhere, "bin");
    symlinkSync(bin, link);
    const environment = { PATH: [bin, link, ".", "", "bin", process.env["PATH"]].join(":") };
    // Nor for one that the program starts.
    expect(
      await failureOf(call({ command: ["sh", "-c", "only-here"] }, {}, { grants: { environment } })),
    ).toMatchObject({
      code: "command_failed",
      details: { exit_code: 127 },
    });
    expect(await call({ command: "echo a" }, {}, { grants: { environment } })).toMatchObject({
      value: { stdout: "a\n" },
    });
    expect(await failureOf(call({ command: "only-here" }, {}, { grants: { environment } }))).toMatchObject({
      code: "not_found",
    });
    expect(existsSync(path.join(folder, "ran"))).toBe(false);
  });

  it("runs a program in the folder of its spec, and none beside it", async () => {
    const own = path.join(folder, "own");
    mkdirSync(own);
    writeFileSync(path.join(own, "hello"), "#!/bin/sh\necho hello\n");
    chmodSync(path.join(own, "hello"), 0o755);
    symlinkSync("/bin/echo", path.join(own, "link"));
    expect(await call({ command: "./hello" }, {}, { baseDirectory: own })).toMatchObject({
      value: { stdout: "hello\n" },
    });
    for (const command of ["./link", "../own/../../../../../../../bin/echo"]) {
      expect(await failureOf(call({ command }, {}, { baseDirectory: own }))).toMatchObject({
        code: "implementation_invalid",
      });
    }
  });

  it("works in the workspace, or a folder below it", async () => {
    mkdirSync(path.join(folder, "sub"));
    symlinkSync(tmpdir(), path.join(folder, "out"));
    expect(await call({ command: "pwd" })).toMatchObject({ value: { stdout: `${folder}\n` } });
    expect(await call({ command: "pwd", cwd: "sub" })).toMatchObject({ value: { stdout: `${folder}/sub\n` } });
    expect(await failureOf(call({ command: "pwd", cwd: "out" }))).toMatchObject({ code: "outside_root" });
    expect(await failureOf(call({ command: "pwd", cwd: ".." }))).toMatchObject({ code: "outside_root" });
    expect(await failureOf(call({ command: "pwd", cwd: "gone" }))).toMatchObject({ code: "not_a_directory" });
    const none = { workspace: { cwd: "/", roots: [] } };
    expect(await failureOf(call({ command: "pwd" }, {}, none))).toMatchObject({ code: "not_configured" });
  });

  it("feeds standard input, and closes it when there is none", async () => {
    expect(await call({ command: "cat", stdin: "a {text}" }, { text: "b\n" })).toMatchObject({
      value: { stdout: "a b\n" },
    });
    expect(await call({ command: "cat" })).toMatchObject({ value: { stdout: "" } });
  });

  it("fails with what was printed when the code is not 0", async () => {
    const script = "console.log('some'); console.error('went wrong'); process.exitCode = 3";
    expect(await failureOf(call({ command: [NODE, "-e", script] }))).toMatchObject({
      code: "command_failed",
      error: expect.stringContaining("went wrong"),
      details: { exit_code: 3, stdout: "some\n", stderr: "went wrong\n" },
    });
  });

  it("fails with the signal that ended the program", async () => {
    expect(await failureOf(call({ command: [NODE, "-e", "process.kill(process.pid, 'SIGTERM')"] }))).toMatchObject({
      code: "command_failed",
      details: { exit_code: null, signal: "SIGTERM" },
    });
  });

  it("says when a program does not print the JSON it should", async () => {
    expect(await failureOf(call({ command: "echo no", output: "json" }))).toMatchObject({ code: "invalid_output" });
  });

  it("keeps a bounded part of a long output", async () => {
    const result = await call({
      command: [NODE, "-e", "for (let i = 0; i < 50_000; i += 1) console.log('line ' + i)"],
    });
    const { value } = result as { value: { stdout: string; truncated: boolean } };
    expect(value.truncated).toBe(true);
    expect(value.stdout.length).toBeLessThan(31_000);
    expect(value.stdout).toMatch(/^line 0\n[^]*lines omitted[^]*line 49999\n$/);
  });

  it("leaves nothing alive when the call is aborted", async () => {
    const script = "echo $$ > main; setsid sleep 61 & echo $! > moved; trap '' TERM; while :; do sleep 0.05; done";
    const controller = new AbortController();
    const ended = call({ command: ["/bin/bash", "-c", script] }, {}, { signal: controller.signal });
    while (!existsSync(path.join(folder, "moved"))) await delay(10);
    controller.abort(new ToolError("cancelled", "Enough."));
    expect(await failureOf(ended)).toMatchObject({ code: "cancelled", settled: true });
    for (const name of ["main", "moved"])
      expect(isAlive(Number(readFileSync(path.join(folder, name), "utf8")))).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
