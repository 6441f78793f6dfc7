import { constants, openSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { AiwError } from "@aiw/core";
import type { pino as Pino } from "pino";
import { assertLoggerOptions } from "./assert-options.ts";
import type { CreateLoggerOptions } from "./logging-options.ts";
import type { StructuredLogger } from "./structured-logger.ts";

/** A logger of its own and what ends it. */
export interface OwnLogger {
  readonly logger: StructuredLogger;
  /** Writes what is left, and lets go of the file. */
  close(): Promise<void>;
}

/** Bytes that wait for a slow disk, at most; what comes then is lost. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** Milliseconds that ending waits for the disk. */
const CLOSE_MS = 1500;

const STDERR = 2;

/**
 * Makes a pino logger.
 * @throws AiwError `extension_unavailable` where pino is not installed, `config_invalid` for what is no level and for a file that cannot be opened.
 */
export async function createLogger(options: CreateLoggerOptions = {}): Promise<OwnLogger> {
  assertLoggerOptions(options);
  const { level = "info", file } = options;
  const { pino } = await loadPino();
  const isFile = file !== undefined;
  const destination = pino.destination({
    dest: isFile ? await openFile(file) : STDERR,
    // Standard error is for people and for the end of short commands: nothing waits in a buffer.
    sync: !isFile,
    maxLength: MAX_WAITING_BYTES,
  });
  // A disk that fails must not end the process.
  destination.on("error", () => undefined);
  const form = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  return {
    logger: pino(form, destination),
    close: () => (isFile ? endWithin(destination) : Promise.resolve()),
  };
}

/** Ending writes what is left in its order, and closes the file; a disk that does not answer is not waited for. */
async function endWithin(destination: ReturnType<typeof Pino.destination>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, CLOSE_MS);
  destination.once("close", resolve);
  destination.end();
  await promise;
  clearTimeout(timer);
}

/** For its user alone, and never through a link; whoever writes to it closes it. */
async function openFile(file: string): Promise<number> {
  const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_WRONLY } = constants;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    return openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AiwError("config_invalid", `The log ${file} cannot be opened: ${why}`, {
      fix: "Make it writable for whoever runs the calls, or name another file that is no link.",
      cause,
      details: { file },
    });
  }
}

async function loadPino(): Promise<{ readonly pino: typeof Pino }> {
  try {
    return await import("pino");
  } catch (cause) {
    throw new AiwError("extension_unavailable", "Logging needs the package pino, which cannot be loaded.", {
      fix: "npm install pino",
      cause,
    });
  }
}
