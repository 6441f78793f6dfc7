import { defineTool, type ToolContext, type ToolResult } from "@aiw/core";
import { z } from "zod";
import { shellError } from "../errors.ts";
import { shellOptions, type ShellOptions } from "../options.ts";
import { explainExit } from "../policy/explain-exit.ts";
import type { KeptText, ShownText } from "@aiw/core/node";
import { fitResult } from "./fit-result.ts";
import { assessCall, type CommandCall } from "./prepare-command.ts";
import { KEPT_CHARACTERS, runCommand, type CommandRun } from "./run-command.ts";

const input = z.strictObject({
  command: z.string().min(1).max(20_000).describe("Shell text for bash, as you would type it."),
  description: z.string().max(200).optional().describe("What the command is for, in 5 to 10 words, shown to people."),
  timeout: z.number().positive().default(5).describe("Seconds before it is killed; at most 60."),
  working_dir: z
    .string()
    .min(1)
    .optional()
    .describe("Where to run it, inside the workspace; the workspace folder when absent."),
  stdin: z.string().max(1_048_576).optional().describe("Text for its standard input, which is closed when absent."),
  env: z.record(z.string(), z.string()).optional().describe("Environment variables to add."),
  output_mode: z
    .enum(["full", "tail", "exit_code"])
    .default("full")
    .describe("full: beginning and end of the output; tail: the last 10,000 characters; exit_code: no output."),
});

type BashInput = z.output<typeof input>;

/** What a finished `bash` call says; failures carry the same fields as details. */
export interface BashOutput {
  /** Both streams in arrival order. */
  readonly output: string;
  /** 128 + n after signal n. */
  readonly return_code: number;
  readonly signal?: string;
  readonly timed_out?: true;
  readonly duration_ms: number;
  /** Seconds asked for, when fewer were given. */
  readonly timeout_requested?: number;
  /** Seconds. */
  readonly timeout_applied: number;
  readonly truncated?: true;
  readonly total_bytes: { readonly stdout: number; readonly stderr: number };
  /** Processes that outlived the command and were stopped. */
  readonly leftovers?: readonly { readonly pid: number; readonly command: string }[];
  readonly working_dir: string;
  readonly sandboxed: false;
  readonly notices?: readonly string[];
}

const TAIL_CHARACTERS = 10_000;
/** More are counted in a notice. */
const SHOWN_LEFTOVERS = 20;
/** The end of an output that waits for somebody to answer. */
const PROMPT = /(pass(word|phrase)[^\n]*:|\[y\/n\]|\(yes\/no[^\n]*\)|\?)\s*$/i;

export const bash = defineTool({
  name: "bash",
  title: "Run a shell command",
  description:
    "Runs a command in bash and streams its output. Pipes, redirections and several commands work. It runs in the workspace, without a terminal: " +
    "nothing can be typed, and commands that would wait for a person fail at once. It is stopped after `timeout` seconds (5 unless given, 60 at " +
    "most) together with everything it started. A non-zero exit code is a failure that still carries the output. Commands not known to be " +
    "read-only need approval.",
  category: "System",
  tags: ["shell", "cli", "command", "execute", "system", "default"],
  effects: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  permissions: ["process", "fs:read", "fs:write", "net", "env"],
  timeoutMs: 75_000,
  display: { suppressExecutionAnimation: true },
  instructions: {
    purpose:
      "Use this tool to run programs, scripts and shell commands: build, test, inspect a repository, count or transform files. Prefer the dedicated " +
      "file tools for reading, searching and editing.",
    expectedOutput:
      "An object with `output` (stdout and stderr in the order they arrived), `return_code`, `duration_ms`, `total_bytes`, `working_dir` and, where they " +
      "apply, `truncated`, `signal`, `leftovers` and `notices`. When the exit code is not zero the call fails with the same fields.",
    examples: [
      {
        need: "run a test suite",
        when: "run the tests with half a minute of patience",
        input: { command: "npm test", description: "Run test suite", timeout: 30 },
      },
      { need: "work in a subfolder", when: "list the folder 'src'", input: { command: "ls -l", working_dir: "src" } },
      { need: "count things", when: "count the TypeScript files", input: { command: "find . -name '*.ts' | wc -l" } },
    ],
  },
  options: shellOptions,
  input,
  assess: (args, context) => assessCall(toCall(args), context),
  execute: (args, context) => runBash(args, context),
  preview: (result, maxLines) => previewBash(result, maxLines),
});

function toCall({ command, working_dir, stdin, env }: BashInput): CommandCall {
  return {
    tool: { name: "bash", directoryParameter: "working_dir" },
    command,
    ...(working_dir !== undefined && { directory: working_dir }),
    ...(stdin !== undefined && { stdin }),
    ...(env !== undefined && { environment: env }),
  };
}

async function runBash(args: BashInput, context: ToolContext<ShellOptions>): Promise<BashOutput> {
  const timeout = Math.min(args.timeout, context.options.max_timeout);
  const run = await runCommand(toCall(args), timeout * 1_000, context);
  const note = explainAnswer(args, run);
  const bounds = { limit: KEPT_CHARACTERS, budget: context.maxResultCharacters };
  const output = fitResult((limit) => toOutput(args, run, { timeout, limit, note }), bounds);
  if (note !== undefined || (endedByItself(run) && run.returnCode === 0)) return output;
  throw toError(args, run, output);
}

function endedByItself({ outcome }: CommandRun): boolean {
  return outcome.ended === "exit" && outcome.survivors.length === 0;
}

/** What exit code 1 means, where a command gave it as its answer. */
function explainAnswer({ command }: BashInput, run: CommandRun): string | undefined {
  const mayBeAnswer = endedByItself(run) && run.returnCode === 1 && run.output.lastError === "";
  return mayBeAnswer ? explainExit(command) : undefined;
}

interface Composing {
  /** Seconds. */
  readonly timeout: number;
  /** Characters of output. */
  readonly limit: number;
  readonly note: string | undefined;
}

function toOutput(
  args: BashInput,
  { outcome, output, place, returnCode, notices }: CommandRun,
  { timeout, limit, note }: Composing,
): BashOutput {
  const { text, truncated } = show(args, output.combined, limit);
  const reduced = timeout < args.timeout ? [`timeout reduced from ${args.timeout} to ${timeout} seconds`] : [];
  const said = [...notices, ...reduced, ...(note === undefined ? [] : [note])];
  return {
    output: text,
    return_code: returnCode,
    ...(outcome.signal !== null && { signal: outcome.signal }),
    ...(outcome.ended === "timeout" && { timed_out: true as const }),
    duration_ms: outcome.durationMs,
    ...(reduced.length > 0 && { timeout_requested: args.timeout }),
    timeout_applied: timeout,
    ...(truncated && { truncated: true as const }),
    total_bytes: outcome.totalBytes,
    ...(outcome.leftovers.length > 0 && { leftovers: outcome.leftovers.slice(0, SHOWN_LEFTOVERS) }),
    working_dir: place.shown,
    sandboxed: false,
    ...(said.length > 0 && { notices: said }),
  };
}

function show({ output_mode }: BashInput, combined: KeptText, limit: number): ShownText {
  if (output_mode === "full") return combined.read(limit);
  if (output_mode === "tail") return combined.readTail(Math.min(TAIL_CHARACTERS, limit));
  return { text: "", truncated: combined.read(0).truncated };
}

function toError(args: BashInput, run: CommandRun, output: BashOutput) {
  const { ended, survivors } = run.outcome;
  const options = { details: { ...output }, settled: survivors.length === 0 };
  if (ended === "cancelled") return shellError("cancelled", "The command was cancelled and stopped.", options);
  if (ended === "timeout") {
    const hint = PROMPT.test(output.output) ? " It seems to wait for an answer, which nobody can give." : "";
    return shellError(
      "timeout",
      `The command did not end within ${output.timeout_applied} seconds and was stopped.${hint}`,
      {
        ...options,
        ...suggestLonger(args, output.timeout_applied),
      },
    );
  }
  const { lastError } = run.output;
  const how = output.signal === undefined ? `exit code ${output.return_code}` : `killed by ${output.signal}`;
  // What stands on standard output is no reason.
  return shellError("command_failed", `Command failed with ${how}${lastError === "" ? "" : `: ${lastError}`}`, options);
}

function suggestLonger({ command }: BashInput, applied: number): { suggestion: string } {
  if (applied >= 60) return { suggestion: "Split the work into commands that each end within 60 seconds." };
  return { suggestion: `bash(command=${JSON.stringify(command)}, timeout=60)` };
}

function previewBash(result: ToolResult<BashOutput>, maxLines: number): string[] {
  const fields = (result.success ? result.value : result.details) as Partial<BashOutput> | undefined;
  if (fields?.return_code === undefined) return result.success ? [] : [result.error].slice(0, maxLines);
  const how = fields.timed_out === true ? "timed out" : `exit ${fields.return_code}`;
  const lines = (fields.output ?? "").split("\n").filter((line) => line.trim() !== "");
  return [`${how} after ${((fields.duration_ms ?? 0) / 1_000).toFixed(1)} s`, ...lines].slice(0, maxLines);
}
