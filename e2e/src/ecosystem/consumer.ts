import { chmod, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startersOf, writeFiles, type InstalledLayout } from "../installed-layout.ts";
import { layoutOf, type Layout } from "../layouts.ts";
import type { RegistryAddress } from "../local-registry.ts";
import { strangersEnvironment, type Managers } from "../managers.ts";
import { run, runWell, type Ended, type RunOptions } from "../run.ts";
import type { World } from "../world.ts";

/** A project that uses what others publish. */
export interface Consumer extends Pick<InstalledLayout, "aiw" | "node">, AsyncDisposable {
  readonly dir: string;
  readonly layout: Layout;
  readonly environment: NodeJS.ProcessEnv;
  /** Adds packages by the package manager itself. */
  add(...packages: string[]): Promise<void>;
  /** A file of the project, or undefined. */
  read(path: string): Promise<string | undefined>;
  write(path: string, text: string): Promise<void>;
  /** Runs the command at a terminal that the test makes, and types the answer to its question. */
  atTerminal(args: readonly string[], answer: string): Promise<Ended>;
}

/** What a project of a layout asks for. */
export interface ConsumerOptions {
  /** Where it gets packages from; the registry of the world unless named. */
  readonly registry?: RegistryAddress;
  /** Lines added to its settings of npm. */
  readonly npmrc?: string;
}

/** Makes an empty project. */
export async function createConsumer(name: string, world: World, options: ConsumerOptions = {}): Promise<Consumer> {
  const layout = layoutOf(name);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "aiw-consumer-")));
  const dir = join(folder, "project");
  const environment = { ...strangersEnvironment(world.caches), ...(await writeCommands(join(folder, "bin"), world)) };
  await writeFiles(dir, toFiles(layout, world, options));
  const start = startersOf(dir, layout, { ...world, environment });
  return {
    dir,
    layout,
    environment,
    ...start,
    add: async (...packages) => {
      const { command, args } = programOf(layout, world.managers);
      const verb = layout.manager === "npm" ? ["install", "--ignore-scripts"] : ["add"];
      await runWell(command, [...args, ...verb, ...packages], { cwd: dir, environment });
    },
    read: (path) => readFile(join(dir, path), "utf8").catch(() => undefined),
    write: (path, text) => writeFile(join(dir, path), text),
    atTerminal: (args, answer) =>
      runAtTerminal([join(dir, "node_modules/.bin/aiw"), ...args], answer, { cwd: dir, environment }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** One cache of archives for each project, so that a test may change them. */
function toFiles(layout: Layout, { registry, caches }: World, options: ConsumerOptions): Record<string, string> {
  const settings = { ...layout.settings(options.registry ?? registry, caches) };
  const yarn = settings[".yarnrc.yml"]?.replace("enableGlobalCache: true", "enableGlobalCache: false");
  const npmrc = settings[".npmrc"];
  return {
    "package.json": `${JSON.stringify({ name: "fx-consumer", version: "1.0.0", private: true, type: "module" }, undefined, 2)}\n`,
    ...settings,
    ...(npmrc !== undefined && { ".npmrc": `${npmrc}${options.npmrc ?? ""}` }),
    ...(yarn !== undefined && { ".yarnrc.yml": yarn }),
  };
}

function programOf({ manager }: Layout, managers: Managers): { command: string; args: readonly string[] } {
  const program = managers[manager];
  if (program === undefined) throw new Error(`There is no ${manager} for this platform.`);
  return program;
}

/** The managers by their names, as strangers have them on the PATH. */
async function writeCommands(folder: string, { managers }: World): Promise<NodeJS.ProcessEnv> {
  await mkdir(folder);
  for (const [name, program] of Object.entries(managers)) {
    if (name === "npm") continue;
    const words = [program.command, ...program.args].map((word) => `'${word}'`).join(" ");
    await writeFile(join(folder, name), `#!/bin/sh\nexec ${words} "$@"\n`);
    await chmod(join(folder, name), 0o755);
  }
  return { PATH: [folder, ...pathsOf()].join(delimiter) };
}

function pathsOf(): string[] {
  return (strangersEnvironment("")["PATH"] ?? "").split(delimiter);
}

/** The command `script` of util-linux gives a program a terminal. */
function runAtTerminal(words: readonly string[], answer: string, options: RunOptions): Promise<Ended> {
  const command = words.map((word) => `'${word}'`).join(" ");
  const args = ["--quiet", "--return", "--command", command, "/dev/null"];
  return run("script", args, { ...options, answer: { at: "[y/N]", text: `${answer}\r` } });
}
