/** Runs the command line of this process. */
import { flushed } from "./flushed.ts";
import { processIo } from "./io.ts";
import { runCli } from "./run-cli.ts";

/** Milliseconds that handles of third-party code may keep a finished command alive. */
const LINGER_MS = 500;

process.exitCode = await runCli(process.argv.slice(2), processIo());
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// Unreferenced: it ends a process that something else keeps alive, and never delays one that is done.
// oxlint-disable-next-line unicorn/no-process-exit -- third-party handles may outlive the command
setTimeout(() => process.exit(), LINGER_MS).unref();
