import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AROUND, DEPENDENCIES, LINKED, OPTIONAL_DEPENDENCIES } from "./fixtures/nine.ts";
import { filesOf } from "./fixtures/publish-fixtures.ts";
import type { Layout } from "./layouts.ts";
import { strangersEnvironment } from "./managers.ts";
import { run, runWell, type Ended, type RunOptions } from "./run.ts";
import type { World } from "./world.ts";

/** What a program of the project may be started with. */
export type StrangerOptions = Partial<
  Pick<RunOptions, "cwd" | "env" | "user" | "timeoutMs" | "interruptAt" | "interrupt">
>;

/** The nine packages, installed in one layout. */
export interface InstalledLayout extends AsyncDisposable {
  readonly layout: Layout;
  /** Holds everything; the projects of a layout are below it. */
  readonly folder: string;
  /** The project whose tools are looked for. */
  readonly dir: string;
  /** Runs the project's own `aiw`. */
  aiw(args: readonly string[], options?: StrangerOptions): Promise<Ended>;
  /** Runs a JavaScript file of the project. */
  node(args: readonly string[], options?: StrangerOptions): Promise<Ended>;
}

/** How an installation differs from the plain one. */
export interface InstallOptions {
  /** Packages installed beside the nine. */
  readonly beside?: Readonly<Record<string, string>>;
  /** The project's folder, `project` unless named. */
  readonly folderName?: string;
  /** The project brings no `aiw` of its own. */
  readonly withoutHost?: boolean;
  /** Puts more beside the project before the manager runs. */
  prepare?(folder: string): Promise<void>;
}

/** What runs the tools, installed like every other package. */
const HOST: Readonly<Record<string, string>> = { "@aiw/cli": "*", "@aiw/core": "*", "@aiw/executor": "*" };

/** Makes a project of the nine packages in a folder of its own and installs it. */
export async function installLayout(
  layout: Layout,
  world: World,
  options: InstallOptions = {},
): Promise<InstalledLayout> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "aiw-layout-")));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const root = join(folder, options.folderName ?? "project");
    await writeFiles(root, layout.settings(world.registry, world.caches));
    const dir = await writeProjects(root, layout, options);
    await options.prepare?.(folder);
    await install(root, layout, world);
    return {
      layout,
      folder,
      dir,
      ...startersOf(dir, layout, { ...world, environment: strangersEnvironment(world.caches) }),
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Writes files below a folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

/** Writes the project and the package it links to; gives the project's folder. */
async function writeProjects(root: string, layout: Layout, options: InstallOptions): Promise<string> {
  const dir = layout.isWorkspace ? join(root, "packages/app") : root;
  const linked = layout.isWorkspace ? join(root, "packages/fx-linked") : join(root, "../linked/fx-linked");
  await writeFiles(linked, filesOf(LINKED));
  await writeFiles(dir, { "package.json": toJson(projectManifest(layout, options)) });
  if (layout.isWorkspace) await writeFiles(root, { "package.json": toJson(workspaceManifest()) });
  return dir;
}

function projectManifest({ linked }: Layout, { beside, withoutHost }: InstallOptions): object {
  return {
    name: "fx-app",
    version: "1.0.0",
    private: true,
    type: "module",
    dependencies: { ...(withoutHost !== true && HOST), ...DEPENDENCIES, ...beside, [LINKED.name]: linked },
    optionalDependencies: OPTIONAL_DEPENDENCIES,
  };
}

/** The root has a tool package of its own, which its members do not have. */
function workspaceManifest(): object {
  return {
    name: "fx-root",
    version: "1.0.0",
    private: true,
    workspaces: ["packages/*"],
    dependencies: { [AROUND.name]: "^1.0.0" },
  };
}

async function install(root: string, layout: Layout, { managers, caches }: World): Promise<void> {
  const program = managers[layout.manager];
  if (program === undefined) throw new Error(`There is no ${layout.manager} for this platform.`);
  await runWell(program.command, [...program.args, ...layout.install], {
    cwd: root,
    environment: strangersEnvironment(caches),
  });
}

/** What starts programs of a project in its layout. */
export function startersOf(
  dir: string,
  layout: Layout,
  { managers, environment }: Pick<World, "managers"> & { readonly environment: NodeJS.ProcessEnv },
): Pick<InstalledLayout, "aiw" | "node"> {
  const start = ([command = "", ...args]: readonly string[], options: StrangerOptions = {}): Promise<Ended> =>
    run(command, args, { cwd: dir, environment, ...options });
  if (layout.isZipped) {
    const { command, args } = managers.yarn;
    return {
      aiw: (rest, options) => start([command, ...args, "run", "aiw", ...rest], options),
      node: (rest, options) => start([command, ...args, "node", ...rest], options),
    };
  }
  return {
    aiw: (rest, options) => start([findCommand(dir), ...rest], options),
    node: (rest, options) => start([process.execPath, ...rest], options),
  };
}

/** A member of a workspace may have its commands in the root. */
function findCommand(dir: string): string {
  for (let at = dir; ; at = dirname(at)) {
    const command = join(at, "node_modules/.bin/aiw");
    if (existsSync(command)) return command;
    if (dirname(at) === at) throw new Error(`There is no aiw in ${dir} or above it.`);
  }
}

function toJson(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
