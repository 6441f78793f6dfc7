import { access, constants, realpath } from "node:fs/promises";
import { delimiter, isAbsolute, join, relative, sep } from "node:path";
import type { FilesystemOptions } from "../options.ts";

/** The search program of one call, looked for when it is first needed. */
export interface Engine {
  /** Runs `use` with each program that may be there until one could be started; `undefined` when none could. */
  withRipgrep<Result>(use: (program: string) => Promise<Result | undefined>): Promise<Result | undefined>;
  /** Why no program is used, once that is known. */
  readonly missing: string | undefined;
}

/** Settings that choose the engine. */
type EngineOptions = Pick<FilesystemOptions, "search_engine" | "ripgrep_path">;

/** What decides about the engine. */
export interface EngineRequest {
  readonly options: EngineOptions;
  /** Folders whose programs are never trusted. */
  readonly roots: readonly string[];
  /** The value of `PATH`; that of the process unless given. */
  readonly searchPath?: string;
}

/** Opens the engine an operator chose: the configured program, the bundled one, then one of `PATH`. */
export function openEngine({ options, roots, searchPath = process.env["PATH"] ?? "" }: EngineRequest): Engine {
  let missing = options.search_engine === "builtin" ? "the operator chose the built-in engine" : undefined;
  let working: string | undefined;
  return {
    get missing() {
      return missing;
    },
    async withRipgrep(use) {
      if (missing !== undefined) return undefined;
      const known = working === undefined ? undefined : await use(working);
      if (known !== undefined) return known;
      for await (const program of findPrograms(options, roots, searchPath)) {
        const result = await use(program);
        if (result === undefined) continue;
        working = program;
        return result;
      }
      missing = "ripgrep was not found";
      return undefined;
    },
  };
}

async function* findPrograms(
  options: EngineOptions,
  roots: readonly string[],
  searchPath: string,
): AsyncGenerator<string> {
  const { ripgrep_path: configured } = options;
  if (configured !== undefined && isAbsolute(configured)) yield configured;
  const bundled = await findBundled();
  if (bundled !== undefined) yield bundled;
  for (const folder of searchPath.split(delimiter)) {
    const found = isAbsolute(folder) ? await findIn(folder) : undefined;
    if (found !== undefined && !roots.some((root) => isInside(root, found))) yield found;
  }
}

async function findBundled(): Promise<string | undefined> {
  try {
    // Importing it fails where the platform's package was left out.
    const { rgPath } = await import("@vscode/ripgrep");
    await access(rgPath, constants.X_OK);
    return rgPath;
  } catch {
    return undefined;
  }
}

async function findIn(folder: string): Promise<string | undefined> {
  try {
    const found = await realpath(join(folder, process.platform === "win32" ? "rg.exe" : "rg"));
    await access(found, constants.X_OK);
    return found;
  } catch {
    return undefined;
  }
}

function isInside(root: string, path: string): boolean {
  const below = relative(root, path);
  return below !== ".." && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}
