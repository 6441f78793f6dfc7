import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run, runWell, type Ended, type RunOptions } from "./run.ts";
import type { World } from "./world.ts";

/** The package managers that a stranger may use. */
export type Manager = "npm" | "pnpm";

/** A project outside of the repository, as a stranger would begin one. */
export interface Project extends AsyncDisposable {
  readonly dir: string;
  write(path: string, content: string): Promise<string>;
  install(...packages: string[]): Promise<void>;
  uninstall(...packages: string[]): Promise<void>;
  /** Runs the installed `aiw`. */
  aiw(args: readonly string[], options?: Partial<RunOptions>): Promise<Ended>;
  /** Runs a JavaScript file of the project. */
  node(file: string): Promise<Ended>;
}

/** Makes an empty project whose packages of our scope come from the local registry. */
export async function createProject(
  { registry, managers }: Pick<World, "registry" | "managers">,
  manager: Manager,
): Promise<Project> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), `aiw-${manager}-`)));
  const write = async (path: string, content: string): Promise<string> => {
    const file = join(dir, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    return file;
  };
  await write(
    "package.json",
    JSON.stringify({ name: "stranger", version: "1.0.0", private: true, type: "module" }, undefined, 2),
  );
  await write(".npmrc", registry.scopedNpmrc);
  // Packages published a moment ago are quarantined unless named.
  if (manager === "pnpm") await write("pnpm-workspace.yaml", 'packages: []\nminimumReleaseAgeExclude: ["@aiw/*"]\n');
  const program = managers[manager];
  const manage = async (...args: string[]): Promise<void> => {
    await runWell(program.command, [...program.args, ...args], {
      cwd: dir,
      env: { npm_config_verify_deps_before_run: "false" },
    });
  };
  return {
    dir,
    write,
    install: async (...packages) => manage(manager === "npm" ? "install" : "add", ...packages),
    uninstall: async (...packages) => manage(manager === "npm" ? "uninstall" : "remove", ...packages),
    aiw: (args, options = {}) => run(join(dir, "node_modules/.bin/aiw"), args, { cwd: dir, ...options }),
    node: (file) => run(process.execPath, [file], { cwd: dir }),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}
