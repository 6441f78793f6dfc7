import { statSync } from "node:fs";
import { resolve } from "node:path";
import { AiwError } from "@aiw/core";
import { findCommand, overview } from "./command-table.ts";
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
    return report(error, { io, json: argv.includes("--json") });
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
  const invocation = parse(command, { rest, io });
  if (invocation === undefined) return help(name, io);
  return command.run(invocation);
}

async function help(name: string | undefined, io: CliIo): Promise<ExitCode> {
  const command = name === undefined ? undefined : await findCommand(name);
  printLine(io.stdout, command?.help ?? overview());
  return name !== undefined && command === undefined ? EXIT.usage : EXIT.ok;
}

/** Reads the flags; nothing when the person asked for help. */
function parse(command: Command, { rest, io }: { rest: readonly string[]; io: CliIo }): Invocation | undefined {
  const { values, positionals } = read(command, rest);
  const { cwd, help: wantsHelp, json, ...flags } = values;
  if (wantsHelp === true) return undefined;
  const { min, max } = command.positionals;
  if (positionals.length < min || positionals.length > max) {
    const wanted = max === 0 ? "no word" : min === max ? `${min} word` : `${min} to ${max} words`;
    throw new UsageError(`${usageLine(command)}\nIt takes ${wanted} after its name, not ${positionals.length}.`);
  }
  return { io, cwd: resolveFolder(io.cwd, cwd), json: json === true, positionals, flags: flags as Invocation["flags"] };
}

/** A misspelt folder would be a project without tools. */
function resolveFolder(from: string, given: unknown): string {
  if (typeof given !== "string") return from;
  const folder = resolve(from, given);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new UsageError(`--cwd: there is no folder ${folder}.`);
}

function read(command: Command, rest: readonly string[]): Flags {
  try {
    return readFlags({ ...COMMON_OPTIONS, ...command.options }, rest);
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${usageLine(command)}`);
  }
}

function usageLine({ help: text }: Command): string {
  return text.split("\n", 1)[0] ?? "";
}

function report(error: unknown, { io, json }: { io: CliIo; json: boolean }): ExitCode {
  if (error instanceof UsageError) {
    if (json) printJson(io.stdout, { error: { code: "wrong_use", message: error.message } });
    printLine(io.stderr, `aiw: ${error.message}`);
    return EXIT.usage;
  }
  const known = AiwError.is(error) ? error : undefined;
  const message = error instanceof Error ? error.message : String(error);
  if (json)
    printJson(io.stdout, {
      error: { code: known?.code ?? "internal_error", message, ...(known?.fix !== undefined && { fix: known.fix }) },
    });
  printLine(io.stderr, `aiw: ${message}${known?.fix === undefined ? "" : `\nFix: ${known.fix}`}`);
  return known === undefined || known.code === "tool_not_found" ? EXIT.failed : EXIT.configuration;
}
