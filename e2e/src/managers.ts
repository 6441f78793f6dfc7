import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { runWell } from "./run.ts";

/** How a package manager is started. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** The package managers of this machine; one that has no program here is absent. */
export interface Managers {
  readonly npm: Program;
  readonly pnpm: Program;
  readonly yarn: Program;
  readonly bun?: Program;
}

/** Finds every manager once, so that no test waits for `npx`. */
export async function findManagers(): Promise<Managers> {
  const bun = findBun();
  return {
    npm: { command: "npm", args: [] },
    pnpm: { command: await findPnpm(), args: [] },
    yarn: { command: process.execPath, args: [findYarn()] },
    ...(bun !== undefined && { bun: { command: bun, args: [] } }),
  };
}

/** The environment of a terminal: nothing of the package manager that runs the tests, and this Node first. */
export function terminalEnvironment(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm|pnpm|yarn|bun|vitest|node_options|node_path|node_env|init_cwd|aiw)(?:_|$)/i.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"] ?? ""}`,
  };
}

/** The environment strangers have. Caches are the run's own, so that it neither helps nor harms whoever works on this machine. */
export function strangersEnvironment(caches: string): NodeJS.ProcessEnv {
  return {
    ...terminalEnvironment(),
    npm_config_cache: join(caches, "npm"),
    BUN_INSTALL_CACHE_DIR: join(caches, "bun"),
    YARN_GLOBAL_FOLDER: join(caches, "yarn"),
    XDG_CONFIG_HOME: join(caches, "config"),
    XDG_DATA_HOME: join(caches, "data"),
    XDG_STATE_HOME: join(caches, "state"),
    XDG_CACHE_HOME: join(caches, "cache"),
  };
}

async function findPnpm(): Promise<string> {
  const asked = await runWell("npx", ["--yes", "--package=pnpm@12", "--call", "command -v pnpm"], { cwd: tmpdir() });
  return asked.stdout.trim().split("\n").at(-1) ?? "";
}

function findYarn(): string {
  return join(dirname(createRequire(import.meta.url).resolve("@yarnpkg/cli-dist/package.json")), "bin/yarn.js");
}

/** The program itself is in a package of the platform; the package `bun` only fetches it by an install script. */
function findBun(): string | undefined {
  const architecture = process.arch === "arm64" ? "aarch64" : process.arch;
  try {
    const manifest = createRequire(import.meta.url).resolve(
      `@oven/bun-${process.platform}-${architecture}/package.json`,
    );
    const program = join(dirname(manifest), "bin/bun");
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
