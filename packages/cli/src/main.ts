/** Runs the command line of this process. */
import { Console } from "node:console";
import { writeSync } from "node:fs";
import { EXIT } from "./exit-codes.ts";
import { processIo } from "./io.ts";
import { runCli } from "./run-cli.ts";

/** Milliseconds that handles of third-party code may keep a finished command alive. */
const LINGER_MS = 500;

const io = processIo();
let talk: Console | undefined;
// Standard output is the command's answer; what tools and packages print is talk.
Object.defineProperty(globalThis, "console", {
  configurable: true,
  get: () => (talk ??= new Console(io.stderr, io.stderr)),
  set: (value: Console) => (talk = value),
});
Object.defineProperty(process, "stdout", { configurable: true, enumerable: true, get: () => io.stderr });
process.once("exit", sayCutShort);
process.exitCode = await runCli(process.argv.slice(2), io);
process.off("exit", sayCutShort);
await io.flush();
// Unreferenced: it ends a process that something else keeps alive, and never delays one that is done.
// oxlint-disable-next-line unicorn/no-process-exit -- third-party handles may outlive the command
setTimeout(() => process.exit(), LINGER_MS).unref();

/** Code of a package that ends the process must not look like a command that had nothing to say. */
function sayCutShort(code: number): void {
  writeSync(
    2,
    "aiw: the process ended before the command was done; code of a package may have ended it. Look: aiw doctor\n",
  );
  if (code === 0) process.exitCode = EXIT.configuration;
}
