import { COMMANDS, findCommand } from "./command-table.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import type { CliIo } from "./io.ts";
import { printLine } from "./output/print.ts";
import { joinLongLines, wrapLines } from "./output/wrap-lines.ts";

/** Prints the help of a command, or the overview; a name that no command has is wrong use. */
export async function printHelp(name: string | undefined, io: CliIo): Promise<ExitCode> {
  const command = name === undefined ? undefined : await findCommand(name);
  const text = command?.help ?? overview();
  printLine(io.stdout, io.columns === undefined ? text : wrapLines(joinLongLines(text), io.columns));
  return name !== undefined && command === undefined ? EXIT.usage : EXIT.ok;
}

/** The text of `aiw --help`. */
function overview(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(12)} ${summary}`);
  return `Usage: aiw COMMAND [options]

${lines.join("\n")}

Options of every command: --json, --cwd DIR, --help. aiw --version prints the version.
Exit codes: 0 ok, 1 the tool or check failed, 2 wrong use, 3 refused by policy, 4 configuration or discovery problem,
130 interrupted.`;
}
