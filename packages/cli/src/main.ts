/** Runs the command line of this process. */
import { Console } from "node:console";
import { flushed } from "./flushed.ts";
import { processIo } from "./io.ts";
import { runCli } from "./run-cli.ts";

/** Milliseconds that handles of third-party code may keep a finished command alive. */
const LINGER_MS = 500;

// Standard output is the command's answer; what tools and packages print is talk.
globalThis.console = new Console(process.stderr, process.stderr);
process.exitCode = await runCli(process.argv.slice(2), processIo());
await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
// Unreferenced: it ends a process that something else keeps alive, and never delays one that is done.
// oxlint-disable-next-line unicorn/no-process-exit -- third-party handles may outlive the command
setTimeout(() => process.exit(), LINGER_MS).unref();
