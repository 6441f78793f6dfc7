import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strangersEnvironment } from "../managers.ts";
import { run, runWell, type Ended, type RunOptions } from "../run.ts";
import type { World } from "../world.ts";

/** Somebody who writes tool packages, with npm alone. */
export interface Author extends AsyncDisposable {
  /** Begins empty; packages are made in it. */
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  npm(args: readonly string[], options?: Partial<RunOptions>): Promise<Ended>;
  /** The author's package in a folder below. */
  open(folder: string): AuthoredPackage;
}

/** A package that its author has in hand. */
export interface AuthoredPackage {
  readonly dir: string;
  npm(...args: string[]): Promise<Ended>;
  /** Runs the package's own `aiw`. */
  aiw(...args: string[]): Promise<Ended>;
  /** Replaces text of a file, which must have it. */
  edit(file: string, ...replacements: readonly (readonly [from: string, to: string])[]): Promise<void>;
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
}

/** Begins in an empty folder, with settings that lead to the local registry. */
export async function createAuthor({ registry, caches }: World): Promise<Author> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "aiw-author-")));
  const settings = await realpath(await mkdtemp(join(tmpdir(), "aiw-settings-")));
  await writeFile(join(settings, "npmrc"), `${registry.npmrc}audit=false\nfund=false\nupdate-notifier=false\n`);
  const environment = { ...strangersEnvironment(caches), npm_config_userconfig: join(settings, "npmrc") };
  const npm = (args: readonly string[], options: Partial<RunOptions> = {}): Promise<Ended> =>
    run("npm", args, { cwd: folder, environment, ...options });
  return {
    folder,
    environment,
    npm,
    open: (name) => openPackage(join(folder, name), environment),
    [Symbol.asyncDispose]: async () => {
      await rm(folder, { recursive: true, force: true });
      await rm(settings, { recursive: true, force: true });
    },
  };
}

function openPackage(dir: string, environment: NodeJS.ProcessEnv): AuthoredPackage {
  const read = (file: string): Promise<string> => readFile(join(dir, file), "utf8");
  const write = (file: string, text: string): Promise<void> => writeFile(join(dir, file), text);
  return {
    dir,
    read,
    write,
    npm: (...args) => run("npm", args, { cwd: dir, environment }),
    aiw: (...args) => run(join(dir, "node_modules/.bin/aiw"), args, { cwd: dir, environment }),
    edit: async (file, ...replacements) => {
      let text = await read(file);
      for (const [from, to] of replacements) {
        if (!text.includes(from)) throw new Error(`${file} has no ${from}:\n${text}`);
        text = text.replace(from, () => to);
      }
      await write(file, text);
    },
  };
}

/** Publishes as a person does, scripts and all. */
export async function publish({ dir }: AuthoredPackage, { environment }: Author): Promise<Ended> {
  return runWell("npm", ["publish", "--access", "public"], { cwd: dir, environment });
}
