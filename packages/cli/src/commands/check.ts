import { resolve } from "node:path";
import { ToolError } from "@aiw/core";
import type { Command, Invocation } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { CliIo } from "../io.ts";
import { printJson } from "../output/print.ts";
import { checkPackage } from "./check/check-package.ts";
import { formatScorecard } from "./check/format-scorecard.ts";
import type { Scorecard } from "./check/scorecard.ts";

/** `aiw check` */
export const check: Command = {
  name: "check",
  summary: "Whether a tool package is fit to publish",
  help: `Usage: aiw check [DIR] [--strict] [--all] [--json] [--cwd DIR]

Packs the tool package in DIR (the working directory unless named) as it would be published, installs the tarball in a folder of its
own beside the dependencies that it declares, and looks at everything that whoever installs it relies on: package.json, the manifest,
each definition, and the code, which runs in processes of its own. Nothing is fetched, published or left. Build first: aiw build.
--strict  warnings count as failures
--all     also tells the checks that pass
Exit code 1 when a check fails, 4 when DIR is no tool package.`,
  options: { strict: { type: "boolean" }, all: { type: "boolean" } },
  positionals: { min: 0, max: 1 },
  async run(invocation) {
    const { io } = invocation;
    const stop = new AbortController();
    const releases = [io.onInterrupt(() => stop.abort()), io.onTerminate(() => stop.abort())];
    try {
      return print(await checkFor(invocation, stop.signal), invocation);
    } catch (error) {
      if (ToolError.is(error) && error.code === "cancelled") return EXIT.interrupted;
      throw error;
    } finally {
      for (const release of releases) release();
    }
  },
};

async function checkFor({ io, cwd, positionals, flags }: Invocation, signal: AbortSignal): Promise<Scorecard> {
  const progress = createProgress(io);
  try {
    return await checkPackage({
      dir: resolve(cwd, positionals[0] ?? "."),
      environment: io.environment,
      strict: flags["strict"] === true,
      signal,
      onStage: progress.say,
    });
  } finally {
    progress.clear();
  }
}

function print(card: Scorecard, { io, json, flags }: Invocation): ExitCode {
  if (json) printJson(io.stdout, card);
  else {
    const isTerminal = io.stdout.isTTY === true && io.environment["NO_COLOR"] === undefined;
    const style = { width: io.columns, isTerminal, all: flags["all"] === true, strict: flags["strict"] === true };
    // What is foreign in it was escaped already; the colours are ours.
    io.stdout.write(`${formatScorecard(card, style)}\n`);
  }
  return card.ok ? EXIT.ok : EXIT.failed;
}

interface Progress {
  say(stage: string): void;
  clear(): void;
}

const CLEAR_LINE = "\r\u001b[K";

/** One line that changes, where somebody watches. */
function createProgress({ stderr, talkColumns }: Pick<CliIo, "stderr" | "talkColumns">): Progress {
  if (talkColumns === undefined) return { say: () => undefined, clear: () => undefined };
  return {
    say: (stage) => void stderr.write(`${CLEAR_LINE}aiw check: ${stage}…`),
    clear: () => void stderr.write(CLEAR_LINE),
  };
}
