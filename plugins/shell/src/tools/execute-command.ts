import { defineTool, type ToolContext, type ToolResult } from "@aiw/core";
import { z } from "zod";
import { shellError } from "../errors.ts";
import { shellOptions, type ShellOptions } from "../options.ts";
import { fitResult } from "./fit-result.ts";
import { assessCall, type CommandCall } from "./prepare-command.ts";
import { KEPT_CHARACTERS, listPids, runCommand } from "./run-command.ts";

const input = z.strictObject({
  command: z.string().min(1).max(20_000).describe('The command to execute (e.g., "python script.py --arg", "ls -l").'),
  cwd: z.string().min(1).default(".").describe("The directory to run it in, inside the workspace."),
});

type ExecuteCommandInput = z.output<typeof input>;

/** What a process did, as data. */
export interface ExecuteCommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** 128 + n after signal n, 124 when time ran out. */
  readonly returncode: number;
}

const TIMEOUT_SECONDS = 60;
/** What `timeout` of coreutils gives. */
const TIMED_OUT_CODE = 124;

export const executeCommand = defineTool({
  name: "execute_command",
  title: "Execute a command",
  description:
    "Executes a system command in bash and returns its standard output, standard error, and return code. Allows specifying a working directory. " +
    "Nothing can be typed; it is stopped after 60 seconds (return code 124). A non-zero return code is data, not a failure. Commands not known to be " +
    "read-only need approval.",
  category: "System",
  tags: ["cli", "command", "execute", "system", "compat"],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  permissions: ["process", "fs:read", "fs:write", "net", "env"],
  timeoutMs: 75_000,
  display: { suppressExecutionAnimation: true },
  instructions: {
    purpose:
      "Use this tool when you need to run an external program, script, or shell command: compiling code, running scripts, executing utility commands, or " +
      "automated tasks made of command-line operations. Shell features like pipes (`|`) and redirection (`>>`) are supported.",
    expectedOutput:
      "A dictionary containing `stdout` (string), `stderr` (string) and `returncode` (integer; `0` typically indicates success, other codes an error or a " +
      "specific status).",
    examples: [
      { need: "list files", when: "list files in the 'src' directory", input: { command: "ls -l src" } },
      {
        need: "run a script",
        when: "run 'data_processor.py' with an argument, in the 'scripts' subdirectory",
        input: { command: "python data_processor.py --input data.csv", cwd: "scripts" },
      },
      {
        need: "count files",
        when: "find all Python files and count them",
        input: { command: "find . -name '*.py' | wc -l" },
      },
    ],
  },
  options: shellOptions,
  input,
  assess: (args, context) => assessCall(toCall(args), context),
  execute: (args, context) => executeIn(args, context),
  preview: (result, maxLines) => previewExecution(result, maxLines),
});

function toCall({ command, cwd }: ExecuteCommandInput): CommandCall {
  return { tool: { name: "execute_command", directoryParameter: "cwd" }, command, directory: cwd };
}

async function executeIn(args: ExecuteCommandInput, context: ToolContext<ShellOptions>): Promise<ExecuteCommandOutput> {
  const timeout = Math.min(TIMEOUT_SECONDS, context.options.max_timeout);
  const { outcome, output, returnCode, notices } = await runCommand(toCall(args), timeout * 1_000, context);
  const timedOut = outcome.ended === "timeout";
  const said = timedOut ? [...notices, `stopped after ${timeout} seconds`] : notices;
  const compose = (limit: number): ExecuteCommandOutput => ({
    stdout: output.stdout.read(limit).text,
    stderr: describeErrors(output.stderr.read(limit).text, said),
    returncode: timedOut ? TIMED_OUT_CODE : returnCode,
  });
  // One limit for both: the shorter stream leaves its rest to the longer.
  const value = fitResult(compose, { limit: KEPT_CHARACTERS, budget: context.maxResultCharacters });
  const details = { ...value };
  if (outcome.ended === "cancelled") {
    throw shellError("cancelled", "The command was cancelled and stopped.", {
      details,
      settled: outcome.survivors.length === 0,
    });
  }
  if (outcome.survivors.length > 0) {
    throw shellError(
      timedOut ? "timeout" : "command_failed",
      `Processes could not be stopped: ${listPids(outcome.survivors)}.`,
      { details, settled: false },
    );
  }
  return value;
}

/** The three fields are all there is, so what a caller should know stands at the end of stderr. */
function describeErrors(text: string, notices: readonly string[]): string {
  const joint = text === "" || text.endsWith("\n") ? "" : "\n";
  return notices.length === 0 ? text : `${text}${joint}[${notices.join("; ")}]`;
}

function previewExecution(result: ToolResult<ExecuteCommandOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { stdout, stderr, returncode } = result.value;
  const lines = `${stdout}\n${stderr}`.split("\n").filter((line) => line.trim() !== "");
  return [`exit ${returncode}`, ...lines].slice(0, maxLines);
}
