import type { Reading } from "./read-word.ts";

/** Directories a command may start in; `undefined` when that cannot be told. */
export type Directories = readonly string[] | undefined;

/** A variable set before a command, or on its own. */
export interface AssignedVariable {
  readonly name: string;
  readonly reading: Reading;
}

/** A file a redirection opens. */
export interface Redirection {
  readonly writes: boolean;
  readonly target: Reading;
}

/** One simple command at whatever depth, with all that decides what it does. */
export interface SimpleCommand {
  /** Its words; empty for assignments or redirections alone. */
  readonly words: readonly Reading[];
  readonly assignments: readonly AssignedVariable[];
  readonly redirections: readonly Redirection[];
  readonly directories: Directories;
  /** Its input is a pipe, a file, a here-document, or given with the call. */
  readonly hasInput: boolean;
  /** Names of the commands before it in its pipeline. */
  readonly upstream: readonly string[];
  /** How many wrappers and nested scripts it was taken out of. */
  readonly depth: number;
  /** Runs with another user's rights. */
  readonly elevated: boolean;
  /** Started by another program, which knows no builtins of the shell. */
  readonly external: boolean;
}

/** The name of a command without its directory; absent when only known at run time. */
export function getProgram(command: Pick<SimpleCommand, "words">): string | undefined {
  const name = command.words[0];
  if (name?.value === undefined || name.glob) return undefined;
  return name.value.slice(name.value.lastIndexOf("/") + 1);
}

/** The arguments of a command. */
export function getArguments(command: Pick<SimpleCommand, "words">): readonly Reading[] {
  return command.words.slice(1);
}
