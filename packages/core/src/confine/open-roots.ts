import type { WorkspaceRoots } from "../contract/tool-context.ts";
import type { FileSystemPort } from "./file-system-port.ts";
import { canHoldByHandle, holdByHandle } from "./hold-by-handle.ts";
import { holdByIdentity } from "./hold-by-identity.ts";
import type { HeldEntry, RaceProtection } from "./held-entry.ts";
import { joinNames, pathBelow, pathFlavour, splitPath } from "./resolve-path.ts";

/** How roots are opened; all but `fileSystem` and `platform` comes from the host's options. */
export interface RootOptions {
  readonly fileSystem: FileSystemPort;
  readonly platform: NodeJS.Platform;
  /** Forces the weaker way where the stronger one would work. */
  readonly raceProtection?: "narrowed";
}

/** The folders a workspace may touch, held from opening to disposal. */
export interface OpenRoots extends AsyncDisposable {
  readonly raceProtection: RaceProtection;
  /** The working directory without links; as given when it does not exist. */
  readonly realCwd: string;
  /** The roots themselves, held until disposal. */
  readonly held: ReadonlySet<HeldEntry>;
  /** Names of each root from the top, without links. */
  readonly names: readonly (readonly string[])[];
  /** Rewrites names below a root's own spelling (through links above it) to its real names. */
  toRealNames(names: readonly string[]): string[];
  /** The root that stands exactly here. */
  at(names: readonly string[]): HeldEntry | undefined;
  /** Whether some root lies further down. */
  isAbove(names: readonly string[]): boolean;
  /** Whether the names lie in a root that did not exist when the workspace was opened. */
  isInMissingRoot(names: readonly string[]): boolean;
}

interface Root {
  readonly given: readonly string[];
  readonly real: readonly string[];
  readonly held: HeldEntry;
}

/**
 * Resolves and holds the host's roots (SEC-FS-7).
 * A root inside another grants nothing of its own: what stands there may have been exchanged through the outer one.
 */
export async function openRoots(workspace: WorkspaceRoots, options: RootOptions): Promise<OpenRoots> {
  const { fileSystem: fs, platform } = options;
  const given = workspace.roots.map((root) => splitPath(pathFlavour(platform).resolve(root), platform));
  const outermost = given.filter(
    (names, index) => !given.some((other, at) => at !== index && isWithin(other, names, at < index)),
  );
  const roots: Root[] = [];
  const missing: (readonly string[])[] = [];
  const real = new Map<string, string>();
  let protection: RaceProtection | undefined;
  try {
    for (const names of outermost) {
      const realPath = await realPathIfThere(fs, joinNames(names, platform));
      if (realPath === undefined) {
        missing.push(names);
        continue;
      }
      real.set(joinNames(names, platform), realPath);
      protection ??= await chooseProtection(realPath, options);
      const holdRoot = protection === "closed" ? holdByHandle(fs) : holdByIdentity(fs);
      roots.push({ given: names, real: splitPath(realPath, platform), held: await holdRoot(realPath) });
    }
    const realCwd = real.get(workspace.cwd) ?? (await realPathIfThere(fs, workspace.cwd)) ?? workspace.cwd;
    return toOpenRoots(roots, { missing, platform, realCwd, raceProtection: protection ?? "narrowed" });
  } catch (error) {
    await closeAll(roots);
    throw error;
  }

  function isWithin(other: readonly string[], names: readonly string[], isEarlier: boolean): boolean {
    const below = pathBelow(other, names, platform);
    return below !== undefined && (below.length > 0 || isEarlier);
  }
}

type RootFacts = Pick<OpenRoots, "raceProtection" | "realCwd"> & {
  readonly missing: readonly (readonly string[])[];
  readonly platform: NodeJS.Platform;
};

function toOpenRoots(roots: readonly Root[], facts: RootFacts): OpenRoots {
  const { missing, platform, realCwd, raceProtection } = facts;
  const below = (base: readonly string[], names: readonly string[]): string[] | undefined =>
    pathBelow(base, names, platform);
  return {
    raceProtection,
    realCwd,
    held: new Set(roots.map((root) => root.held)),
    names: roots.map((root) => root.real),
    toRealNames(names) {
      for (const spelling of ["real", "given"] as const) {
        for (const root of roots) {
          const rest = below(root[spelling], names);
          if (rest !== undefined) return [...root.real, ...rest];
        }
      }
      return [...names];
    },
    at: (names) => roots.find((root) => below(root.real, names)?.length === 0)?.held,
    isAbove: (names) => roots.some((root) => below(names, root.real) !== undefined),
    isInMissingRoot: (names) => missing.some((root) => below(root, names) !== undefined),
    [Symbol.asyncDispose]: async () => await closeAll(roots),
  };
}

async function chooseProtection(folder: string, options: RootOptions): Promise<RaceProtection> {
  if (options.raceProtection === "narrowed") return "narrowed";
  return (await canHoldByHandle(options.fileSystem, folder, options.platform)) ? "closed" : "narrowed";
}

async function realPathIfThere(fs: FileSystemPort, path: string): Promise<string | undefined> {
  try {
    return await fs.realpath(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    throw error;
  }
}

async function closeAll(roots: readonly Root[]): Promise<void> {
  await Promise.all(roots.map(async ({ held }) => await held[Symbol.asyncDispose]()));
}
