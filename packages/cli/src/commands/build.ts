import { resolve } from "node:path";
import type { Command, Invocation } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { oneLine } from "../output/one-line.ts";
import { printAnswer, printTalk } from "../output/print-prose.ts";
import { printJson } from "../output/print.ts";
import { UsageError } from "../usage-error.ts";
import { ManifestMaker } from "./author/manifest/manifest-maker.ts";
import { buildOnce, removeStale } from "./build/build-once.ts";
import { toPackageOptions } from "./build/package-options.ts";
import { sayBuilt, sayRemarks, toBuildJson } from "./build/say-build.ts";

/** `aiw build` */
export const build: Command = {
  name: "build",
  summary: "Writes the static manifest of a tool package",
  help: `Usage: aiw build [DIR] [--watch] [--source FILE] [--module FILE] [--write] [--all] [--registry FILE] [--json] [--cwd DIR]

Writes aiw-tools.json, or where package.json declares it, from the built module of the package in DIR (or here). The module is
imported in a process of its own. Documented functions and classes that are no tools by their code are compiled from their source,
which takes @aiw/compiler. A build that fails removes the manifest of an earlier one, so that it cannot be packed (exit 1).
--module FILE    the built module; else what package.json declares or exports, else ./dist/index.js
--source FILE    what it is built from; else by tsconfig.json, else ./src/index.ts
--watch          builds again after each change, until Ctrl-C (exit 130)
--write          also edits package.json so that the manifest is declared and packed
--all            also tells the remarks of the compiler that ask for nothing
--registry FILE  in a project that uses tools: writes a module that imports them all, for bundlers`,
  options: {
    watch: { type: "boolean" },
    source: { type: "string" },
    module: { type: "string" },
    write: { type: "boolean" },
    all: { type: "boolean" },
    registry: { type: "string" },
  },
  positionals: { min: 0, max: 1 },
  async run(invocation) {
    const { flags } = invocation;
    assertFlags(flags);
    const dir = resolve(invocation.cwd, invocation.positionals[0] ?? ".");
    if (typeof flags["registry"] === "string") {
      const { buildRegistry } = await import("./build/registry/build-registry.ts");
      return buildRegistry({ ...invocation, dir, file: flags["registry"] });
    }
    if (flags["watch"] === true) return (await import("./build/watch-build.ts")).watchBuild(dir, invocation);
    return runOnce(dir, invocation);
  },
};

function assertFlags(flags: Invocation["flags"]): void {
  if (flags["registry"] === undefined) return;
  const other = ["watch", "source", "module", "write", "all"].find((flag) => flags[flag] !== undefined);
  if (other !== undefined) throw new UsageError(`--registry is for a project that uses tools and takes no --${other}.`);
}

/** Whoever ends this ends the process of the module too, which belongs to no terminal. */
async function runOnce(dir: string, invocation: Invocation): Promise<ExitCode> {
  const { io, flags } = invocation;
  const stop = new AbortController();
  const releases = [io.onInterrupt(() => stop.abort()), io.onTerminate(() => stop.abort())];
  try {
    return await buildAndSay(
      new ManifestMaker(dir, { ...toPackageOptions(flags), signal: stop.signal }),
      invocation,
      dir,
    );
  } catch (error) {
    if (stop.signal.aborted) return EXIT.interrupted;
    throw error;
  } finally {
    for (const release of releases) release();
  }
}

async function buildAndSay(maker: ManifestMaker, { io, cwd, json, flags }: Invocation, dir: string): Promise<ExitCode> {
  const outcome = await buildOnce(maker, { write: flags["write"] === true });
  const removed = outcome.kind === "failed" ? await removeStale(dir) : undefined;
  if (json) printJson(io.stdout, toBuildJson(outcome, removed));
  if (!json || outcome.kind === "failed")
    sayRemarks(outcome, {
      io,
      cwd,
      all: flags["all"] === true,
      format: (diagnostic, from) => maker.format(diagnostic, from),
    });
  if (removed !== undefined)
    printTalk(io, `${oneLine(removed)} of an earlier build was removed, so that it cannot be packed.`);
  if (outcome.kind === "failed")
    return outcome.error.code === "package_not_buildable" ? EXIT.configuration : EXIT.failed;
  if (!json) printAnswer(io, sayBuilt(outcome, cwd));
  return EXIT.ok;
}
