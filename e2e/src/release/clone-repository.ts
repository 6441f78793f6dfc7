import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { terminalEnvironment } from "../managers.ts";
import { runWell, type Ended } from "../run.ts";

/** The repository that is released. */
export const ORIGINAL = resolve(import.meta.dirname, "../../..");

/** A copy of the repository in which a release can be made, without a trace in the original. */
export interface ReleaseClone extends AsyncDisposable {
  readonly dir: string;
  /** Runs a program of the clone, of the machine or of the folders of package managers. */
  run(command: string, ...args: readonly string[]): Promise<Ended>;
  /** Compiles, bundles and writes manifests, as `pnpm build` does. */
  build(): Promise<void>;
  commit(message: string): Promise<void>;
}

/** Milliseconds that one step may take on a busy machine. */
const STEP_MS = 480_000;

/** Clones what is committed, installs it, and sends its packages to a registry. */
export async function cloneRepository(npmrc: string, pnpm: string): Promise<ReleaseClone> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "aiw-release-")));
  const dispose = (): Promise<void> => rm(dir, { recursive: true, force: true });
  const environment = releaseEnvironment(dir, pnpm);
  const run = (command: string, ...args: readonly string[]): Promise<Ended> =>
    runWell(command, args, { cwd: dir, environment, timeoutMs: STEP_MS });
  try {
    await run("git", "clone", "--quiet", "--no-hardlinks", ORIGINAL, dir);
    await run(pnpm, "install", "--frozen-lockfile", "--prefer-offline");
    // The clone's own excludes keep it out of the commits of the release.
    await writeFile(join(dir, ".git/info/exclude"), ".npmrc\n");
    await writeFile(join(dir, ".npmrc"), npmrc);
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    dir,
    run,
    build: async () => {
      await run("node", "tooling/commands/src/build.ts");
    },
    commit: async (message) => {
      await run("git", "add", "--all");
      await run("git", "commit", "--quiet", "--no-verify", "--message", message);
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/** Programs of the clone come first; what the original has built already is taken from its cache. */
function releaseEnvironment(dir: string, pnpm: string): NodeJS.ProcessEnv {
  const environment = terminalEnvironment();
  const person = { NAME: "Release rehearsal", EMAIL: "rehearsal@localhost" };
  return {
    ...environment,
    PATH: [join(dir, "node_modules/.bin"), dirname(pnpm), environment["PATH"]].join(delimiter),
    CI: "true",
    NO_COLOR: "1",
    TURBO_CACHE_DIR: join(ORIGINAL, ".turbo/cache"),
    TURBO_TELEMETRY_DISABLED: "1",
    GIT_AUTHOR_NAME: person.NAME,
    GIT_AUTHOR_EMAIL: person.EMAIL,
    GIT_COMMITTER_NAME: person.NAME,
    GIT_COMMITTER_EMAIL: person.EMAIL,
  };
}
