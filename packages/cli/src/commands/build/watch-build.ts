import * as path from "node:path";
import type { Invocation } from "../../command.ts";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { oneLine } from "../../output/one-line.ts";
import { printAnswer, printTalk } from "../../output/print-prose.ts";
import { printLine } from "../../output/print.ts";
import { ManifestMaker } from "../author/manifest/manifest-maker.ts";
import { readAuthorPackage } from "../author/read-author-package.ts";
import { followChanges } from "../author/watch/follow-changes.ts";
import { buildOnce, removeStale, type BuildOutcome } from "./build-once.ts";
import { toPackageOptions } from "./package-options.ts";
import { sayBuilt, sayRemarks, toBuildJson } from "./say-build.ts";

/** What code and configuration are written in; nothing else decides what is built. */
const CODE = /\.(?:[cm]?[jt]sx?|json)$/;

/** Builds after each change until Ctrl-C; while the author writes, the last good manifest stays. */
export async function watchBuild(dir: string, { io, cwd, json, flags }: Invocation): Promise<ExitCode> {
  const { manifestPath, module, source = module } = await readAuthorPackage(dir, toPackageOptions(flags));
  const interruption = new AbortController();
  const release = io.onInterrupt(() => interruption.abort());
  const { signal } = interruption;
  const maker = new ManifestMaker(dir, { ...toPackageOptions(flags), signal });
  const manifest = path.join(dir, manifestPath);
  let last: BuildOutcome | undefined;
  const say = (outcome: BuildOutcome): void => {
    if (json) return printLine(io.stdout, JSON.stringify(toBuildJson(outcome)));
    sayRemarks(outcome, {
      io,
      cwd,
      all: flags["all"] === true,
      format: (diagnostic, from) => maker.format(diagnostic, from),
    });
    printAnswer(io, outcome.kind === "built" ? sayBuilt(outcome, cwd) : FAILED);
  };
  if (!json && source !== module) printTalk(io, START);
  const work = async (): Promise<void> => {
    const outcome = await buildUnlessStopped(maker, { write: flags["write"] === true, signal });
    if (outcome === undefined) return;
    last = outcome;
    say(outcome);
  };
  const isIgnored = (file: string, isFolder: boolean): boolean => !isFolder && (file === manifest || !CODE.test(file));
  try {
    await followChanges({ files: { dir, elsewhere: () => maker.files, isIgnored }, signal, work });
  } finally {
    release();
  }
  const removed = last?.kind === "failed" ? await removeStale(dir) : undefined;
  if (removed !== undefined) printTalk(io, `${oneLine(removed)} was removed: the last build failed.`);
  return EXIT.interrupted;
}

const START =
  "Follows the built module: run the compiler beside it, such as tsc --watch. To have your build script run: aiw dev";
const FAILED = "Not built; the last good manifest stays until this is corrected.";

async function buildUnlessStopped(
  maker: ManifestMaker,
  { write, signal }: { readonly write: boolean; readonly signal: AbortSignal },
): Promise<BuildOutcome | undefined> {
  try {
    return await buildOnce(maker, { write });
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
