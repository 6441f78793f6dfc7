import type { Readable, Writable } from "node:stream";

/** The world of one command, so that tests can give another. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly cwd: string;
  /** A person is there to read questions and answer them. */
  readonly interactive: boolean;
  /** Characters of a line people see; absent where nobody looks. */
  readonly columns?: number;
  /** Calls the function at Ctrl-C; returns what takes that back. */
  onInterrupt(listener: () => void): () => void;
}

/** The world of this process. */
export function processIo(): CliIo {
  const { stdin, stdout, stderr } = process;
  // A reader that went away (`aiw list | head -1`) is no failure of the command.
  for (const stream of [stdout, stderr]) stream.on("error", ignoreClosedPipe);
  return {
    stdin,
    stdout,
    stderr,
    cwd: process.cwd(),
    interactive: stdin.isTTY && stderr.isTTY,
    ...(stdout.isTTY && { columns: stdout.columns }),
    onInterrupt(listener) {
      process.once("SIGINT", listener);
      return () => process.removeListener("SIGINT", listener);
    },
  };
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
