import type { ParseArgsOptionsConfig } from "node:util";
import type { CliIo } from "./io.ts";
import type { ExitCode } from "./exit-codes.ts";

/** Flags every command has. */
export const COMMON_OPTIONS: ParseArgsOptionsConfig = {
  cwd: { type: "string" },
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
};

/** A command after its flags were read. */
export interface Invocation {
  readonly io: CliIo;
  /** The project's folder, or one below it. */
  readonly cwd: string;
  readonly json: boolean;
  readonly positionals: readonly string[];
  /** The words after `--` of a command that runs another; empty for all others, whose words they are. */
  readonly commandLine: readonly string[];
  /** The command's own flags; repeated ones keep the last value. */
  readonly flags: { readonly [name: string]: string | boolean | undefined };
  /** All values of flags that may be repeated. */
  readonly lists: { readonly [name: string]: readonly string[] | undefined };
}

/** One verb of the command line. */
export interface Command {
  readonly name: string;
  /** One line of the overview. */
  readonly summary: string;
  /** The whole help text. */
  readonly help: string;
  readonly options: ParseArgsOptionsConfig;
  /** How many words may follow the name. */
  readonly positionals: { readonly min: number; readonly max: number };
  /** The words after `--` are another program's. */
  readonly takesCommandLine?: true;
  /** What a wrong number of words may have meant; it is said before how many there may be. */
  explainWords?(words: readonly string[]): string | undefined;
  run(invocation: Invocation): Promise<ExitCode>;
}
