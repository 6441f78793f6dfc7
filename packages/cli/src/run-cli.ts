import { statSync } from "node:fs";
import { resolve } from "node:path";
import { findCommand } from "./command-table.ts";
import { COMMON_OPTIONS, type Command, type Invocation } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import type { CliIo } from "./io.ts";
import { printJson, printLine } from "./output/print.ts";
import { readFlags, type Flags } from "./read-flags.ts";
import { UsageError } from "./usage-error.ts";
import { readVersion } from "./version.ts";

/** Runs one command line and says how it ended; whatever is thrown becomes a message and a code. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<ExitCode> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    return await report(error, { io, json: beforeTerminator(argv).includes("--json") });
  }
}

async function dispatch([name, ...rest]: readonly string[], io: CliIo): Promise<ExitCode> {
  if (name === undefined || name === "help" || name === "--help" || name === "-h") return help(rest[0], io);
  if (name === "--version" || name === "-v") {
    printLine(io.stdout, await readVersion());
    return EXIT.ok;
  }
  const command = await findCommand(name);
  if (command === undefined) {
    const { refuseCommand } = await import("./refuse-command.ts");
    throw refuseCommand(name);
  }
  const invocation = await parse(command, { rest, io });
  if (invocation === undefined) return help(name, io);
  return command.run(invocation);
}

/** Help is read by people; what runs commands starts without it. */
async function help(name: string | undefined, io: CliIo): Promise<ExitCode> {
  const { printHelp } = await import("./print-help.ts");
  return printHelp(name, io);
}

/** Reads the flags; nothing when the person asked for help. */
async function parse(
  command: Command,
  { rest, io }: { rest: readonly string[]; io: CliIo },
): Promise<Invocation | undefined> {
  const own = command.takesCommandLine === true ? beforeTerminator(rest) : rest;
  const { values, positionals } = await read(command, own);
  const { cwd, help: wantsHelp, json, ...given } = values;
  if (wantsHelp === true) return undefined;
  const { min, max } = command.positionals;
  if (positionals.length < min || positionals.length > max) {
    const wanted = max === 0 ? "no word" : min === max ? `${min} word` : `${min} to ${max} words`;
    const meant = command.explainWords?.(positionals);
    if (meant !== undefined) throw new UsageError(`${meant}\n${usageLine(command)}`);
    throw new UsageError(`${usageLine(command)}\nIt takes ${wanted} after its name, not ${positionals.length}.`);
  }
  const commandLine = rest.slice(own.length + 1);
  return { io, cwd: resolveFolder(io.cwd, cwd), json: json === true, positionals, commandLine, ...separate(given) };
}

function beforeTerminator(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  return end < 0 ? words : words.slice(0, end);
}

/** Repeatable flags apart from the others. */
function separate(given: Flags["values"]): Pick<Invocation, "flags" | "lists"> {
  const named = Object.entries(given);
  return {
    flags: Object.fromEntries(named.filter(([, value]) => !Array.isArray(value))) as Invocation["flags"],
    lists: Object.fromEntries(named.filter(([, value]) => Array.isArray(value))) as Invocation["lists"],
  };
}

/** A misspelt folder would be a project without tools. */
function resolveFolder(from: string, given: unknown): string {
  if (typeof given !== "string") return from;
  const folder = resolve(from, given);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new UsageError(`--cwd: there is no folder ${folder}.`);
}

async function read(command: Command, rest: readonly string[]): Promise<Flags> {
  const options = { ...COMMON_OPTIONS, ...command.options };
  try {
    return readFlags(options, rest);
  } catch (error) {
    const { describeFlagError } = await import("./refuse-flags.ts");
    throw new UsageError(`${describeFlagError(error, options)}\n${usageLine(command)}`);
  }
}

function usageLine({ help: text }: Command): string {
  return text.split("\n", 1)[0] ?? "";
}

interface Reader {
  readonly io: CliIo;
  readonly json: boolean;
}

/** Programs get data, people a sentence; at a terminal that gets the data nothing is said twice. */
async function report(error: unknown, { io, json }: Reader): Promise<ExitCode> {
  const { describeFailure } = await import("./output/describe-failure.ts");
  const { code, message, fix, exitCode } = describeFailure(error);
  if (json) printJson(io.stdout, { error: { code, message, ...(fix !== undefined && { fix }) } });
  if (!json || io.stdout.isTTY !== true) {
    const { wrapLines } = await import("./output/wrap-lines.ts");
    printLine(io.stderr, wrapLines(`aiw: ${message}${fix === undefined ? "" : `\nFix: ${fix}`}`, io.talkColumns));
  }
  return exitCode;
}
