import { toJsonValue, type ToolResult } from "@aiw/core";
import type { Approver } from "@aiw/executor";
import { openTools, terminalApprover } from "@aiw/executor/node";
import type { Command } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { printJson, printLine, printText } from "../output/print.ts";
import { readInput, readTimeout } from "./read-input.ts";

/** `aiw call` */
export const call: Command = {
  name: "call",
  summary: "Calls a tool",
  help: `Usage: aiw call NAME [--input JSON|@FILE|-] [--yes] [--timeout SECONDS] [--json] [--cwd DIR]

Calls one tool, which may touch the folder it runs in (--cwd) and nothing else. Output streams to stderr, the result goes to stdout.
--input    the arguments: JSON, the file after @, or - for standard input; {} unless given
--yes      approves what would be asked; without it and without a terminal such calls are refused (exit 3)
--timeout  seconds of work, if fewer than the tool allows
--json     prints the whole ToolResult`,
  options: { input: { type: "string" }, yes: { type: "boolean", short: "y" }, timeout: { type: "string" } },
  positionals: { min: 1, max: 1 },
  async run({ io, cwd, json, positionals: [name = ""], flags }) {
    const input = await readInput(flags["input"], { io, cwd: io.cwd });
    const timeoutMs = readTimeout(flags["timeout"]);
    const approver = chooseApprover(flags["yes"] === true, io);
    await using tools = await openTools({ projectDir: cwd, load: "on_call", ...(approver && { approver }) });
    const interrupt = new AbortController();
    const stopListening = io.onInterrupt(() => interrupt.abort());
    const unsubscribe = tools.activity.subscribe("tool_output_chunk", ({ data }) => printText(io.stderr, data.chunk));
    const result = await tools.executeTool(name, input, {
      signal: interrupt.signal,
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    unsubscribe();
    stopListening();
    if (json) printJson(io.stdout, toJsonValue(result));
    else printPeople(result, io);
    if (!result.success && result.code === "approval_required")
      printLine(io.stderr, "To approve it here: the same command with --yes, or at a terminal.");
    return interrupt.signal.aborted ? EXIT.interrupted : exitCodeOf(result);
  },
};

/** Somebody at a terminal is asked; `--yes` answers for them; nobody means refusal. */
function chooseApprover(yes: boolean, io: CliIo): Approver | undefined {
  if (yes) return () => ({ decision: "allow" });
  return io.interactive ? terminalApprover({ input: io.stdin, output: io.stderr }) : undefined;
}

function exitCodeOf(result: ToolResult): ExitCode {
  if (result.success) return EXIT.ok;
  return result.status === "denied" ? EXIT.refused : EXIT.failed;
}

function printPeople(result: ToolResult, io: CliIo): void {
  if (result.success) {
    if (typeof result.value === "string") printLine(io.stdout, result.value);
    else printJson(io.stdout, toJsonValue(result.value));
    return;
  }
  const { error, suggestion, details, code } = result;
  printLine(io.stderr, `${error}\n(${code})`);
  if (suggestion !== undefined) printLine(io.stderr, suggestion);
  if (details !== undefined) printJson(io.stdout, toJsonValue(details));
}
