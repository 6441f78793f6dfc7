import type { Readable, Writable } from "node:stream";
import { AiwError } from "@aiw/core";
import type { Environment } from "@aiw/core/node";
import { flushed } from "./flushed.ts";
import { ignoreClosedPipe, StandardOutput, type TextOutput } from "./output/standard-output.ts";

/** The world of one command, so that tests can give another. */
export interface CliIo {
  readonly stdin: Readable;
  readonly stdout: TextOutput;
  readonly stderr: Writable;
  readonly cwd: string;
  /** The environment's variables. */
  readonly environment: Environment;
  /** A person is there to read questions and answer them. */
  readonly interactive: boolean;
  /** Characters of a line people see on standard output; absent where nobody looks. */
  readonly columns?: number;
  /** The same of standard error, which people read when the answer goes elsewhere. */
  readonly talkColumns?: number;
  /** Calls the function at Ctrl-C; returns what takes that back. */
  onInterrupt(listener: () => void): () => void;
  /** Calls the function when the process is asked to end, or its terminal goes; returns what takes that back. */
  onTerminate(listener: () => void): () => void;
}

/** The world of this process. */
export interface ProcessIo extends CliIo {
  /** Waits until all that was written is read, or nobody reads. */
  flush(): Promise<void>;
}

/** Makes streams when they are first needed; many commands need none. */
export function processIo(): ProcessIo {
  const stdout = new StandardOutput();
  let stderr: Writable | undefined;
  return {
    stdout,
    get cwd() {
      return readWorkingDirectory();
    },
    environment: process.env,
    get stdin() {
      return process.stdin;
    },
    get stderr() {
      return (stderr ??= process.stderr.on("error", ignoreClosedPipe));
    },
    get interactive() {
      return process.stdin.isTTY && process.stderr.isTTY;
    },
    get columns() {
      return stdout.columns;
    },
    get talkColumns() {
      // A terminal that has no size says 0.
      return process.stderr.isTTY ? process.stderr.columns || undefined : undefined;
    },
    onInterrupt(listener) {
      process.once("SIGINT", listener);
      return () => process.removeListener("SIGINT", listener);
    },
    onTerminate(listener) {
      const signals = ["SIGTERM", "SIGHUP"] as const;
      for (const signal of signals) process.once(signal, listener);
      return () => {
        for (const signal of signals) process.removeListener(signal, listener);
      };
    },
    async flush() {
      await Promise.all([stdout.flush(), stderr === undefined ? undefined : flushed(stderr)]);
    },
  };
}

/** A folder that was deleted under the process has no name. */
function readWorkingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new AiwError("config_invalid", "The working directory does not exist any more.", {
      fix: "Change to a folder that exists.",
      cause,
    });
  }
}
