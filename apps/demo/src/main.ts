#!/usr/bin/env node
import { statSync } from "node:fs";
import path from "node:path";
import { terminalApprover } from "@aiw/executor/node";
import { parseArguments, USAGE, type DemoOptions } from "./parse-arguments.ts";
import { runDemo } from "./run-demo.ts";

/** Exit codes of a process that a signal ends. */
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

const PROJECT = path.resolve(import.meta.dirname, "..");
const REPOSITORY = path.resolve(PROJECT, "../..");

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  const line = parseArguments(argv);
  if (line.kind === "help") {
    process.stdout.write(USAGE);
    return 0;
  }
  if (line.kind === "wrong") return refuse(line.problem);
  const cwd = path.resolve(line.options.cwd ?? REPOSITORY);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) return refuse(`--cwd ${cwd} is no folder.`);
  return await runUntilSignal(line.options, cwd);
}

function refuse(problem: string): number {
  process.stderr.write(`${problem}\n\n${USAGE}`);
  return 2;
}

async function runUntilSignal(options: DemoOptions, cwd: string): Promise<number> {
  const stop = new AbortController();
  let signalled: keyof typeof SIGNAL_CODES | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      // Whoever asks twice does not want to wait for what still runs.
      if (signalled !== undefined) process.exit(SIGNAL_CODES[signal]);
      signalled = signal;
      process.stderr.write("\nStopping; once more stops at once.\n");
      stop.abort();
    });
  }
  // Whoever read the output has gone: there is nobody left to work for.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => stop.abort());
  const asks = process.stdin.isTTY && process.stderr.isTTY;
  const code = await runDemo(options, {
    env: process.env,
    write: (text) => process.stdout.write(text),
    isTerminal: process.stdout.isTTY === true,
    ...(asks && { approver: terminalApprover() }),
    projectDir: PROJECT,
    aiw: `node ${path.relative(process.cwd(), path.join(REPOSITORY, "packages/cli/bin/aiw.js"))}`,
    cwd,
    signal: stop.signal,
  });
  return signalled === undefined ? code : SIGNAL_CODES[signalled];
}
