import { ToolError } from "../errors/tool-error.ts";
import { toRefusal, type AccessIntent, type AccessRules } from "./access-rules.ts";
import type { FileSystemPort } from "./file-system-port.ts";
import type { HeldEntry } from "./held-entry.ts";
import { refuseKernelFolder, refuseKernelVolume } from "./kernel-folders.ts";
import type { OpenRoots } from "./open-roots.ts";
import { isLockName, isProtectedName } from "./protected-names.ts";
import { joinNames, pathFlavour, splitPath } from "./resolve-path.ts";

/** What every operation of one workspace shares. */
export interface WorkspaceAccess {
  readonly fs: FileSystemPort;
  readonly roots: OpenRoots;
  readonly rules: AccessRules;
  readonly platform: NodeJS.Platform;
  /** Paths, besides roots, of which no part is removed, moved or replaced. */
  readonly anchors: readonly string[];
  readonly signal: AbortSignal | undefined;
  /** Shows an absolute path as people write it. */
  display(path: string): string;
}

/** One path to find, and why. */
export interface WalkRequest {
  /** Absolute, as `resolvePath` gives it. */
  readonly path: string;
  /** What the caller wrote; messages name nothing else. */
  readonly shown: string;
  /** `none` leaves a link in the last place as it is. */
  readonly lastLink: "follow" | "none";
  /** Writing refuses protected names (SEC-FS-9) and read-only folders anywhere on the way. */
  readonly intent: AccessIntent;
  /** `false` where nobody reads what a missing path is like: finding that out lists its folder. */
  readonly suggests?: boolean | undefined;
}

/** Where a path leads; the entry and its directory stay held until disposal. */
export interface FoundPath extends AsyncDisposable {
  /** Absolute and free of links, below the deepest directory that exists. */
  readonly realPath: string;
  /** Absent when the path is a root itself. */
  readonly directory: HeldEntry | undefined;
  /** The entry's name in `directory`. */
  readonly name: string;
  /** Absent when nothing of that name exists. */
  readonly entry: HeldEntry | undefined;
  /** Names wanted below `name`, which does not exist. */
  readonly rest: readonly string[];
}

const MOST_LINKS = 40;
const MOST_STEPS = 4096;

/**
 * Follows a path name by name from a held root, links by itself and only where they stay inside (SEC-FS-2, SEC-FS-3).
 * A dangling link counts as its target. Missing parents are no error here.
 * @throws ToolError `outside_root`, `protected_path`, `denied_by_policy`, `not_a_directory`, `invalid_path`, and errors of the disk.
 */
export async function walkPath(access: WorkspaceAccess, request: WalkRequest): Promise<FoundPath> {
  const pending = access.roots.toRealNames(splitPath(request.path, access.platform));
  const walk: Walk = { pending, position: [], current: undefined, links: 0 };
  try {
    for (let steps = 0; steps < MOST_STEPS; steps += 1) {
      access.signal?.throwIfAborted();
      const found = await takeStep(access, request, walk);
      if (found !== undefined) return found;
    }
    throw new ToolError("invalid_path", `The path takes too many steps to follow: ${request.shown}`);
  } catch (error) {
    await leave(access, walk);
    throw error;
  }
}

interface Walk {
  /** Names still to go; only link targets bring `..`. */
  pending: string[];
  /** Names gone, from the top, all of them real directories but the one just taken. */
  position: string[];
  /** The directory stood in; absent above the roots, where nothing is touched. */
  current: HeldEntry | undefined;
  links: number;
}

async function takeStep(access: WorkspaceAccess, request: WalkRequest, walk: Walk): Promise<FoundPath | undefined> {
  if (walk.position.length === 0) walk.current ??= access.roots.at([]);
  const name = walk.pending.shift();
  if (name === undefined) return await arrive(access, request, walk);
  if (name === "..") return await startFrom(access, walk, walk.position.slice(0, -1));
  refuseProtected(request, [name]);
  walk.position.push(name);
  refuseByRule(access, request, walk.position);
  refuseKernelFolder(walk.position, access.platform, request.shown);
  const directory = walk.current;
  if (directory === undefined) return enterFromTop(access, request, walk);

  const entry = await lookUp(access, request, { directory, name });
  const isLast = walk.pending.length === 0;
  if (entry?.stat.isSymbolicLink() === true && !(isLast && request.lastLink === "none")) {
    await entry[Symbol.asyncDispose]();
    return await followLink(access, request, walk);
  }
  if (entry === undefined || isLast) return toFoundPath(access, request, { walk, directory, name, entry });
  walk.current = entry;
  await release(access.roots, directory);
  if (!entry.stat.isDirectory()) throw notADirectory(access, request, entry);
  return undefined;
}

/** Ends a walk whose names are used up: at a root, or at a directory that a link to `.` or `..` led to. */
async function arrive(access: WorkspaceAccess, request: WalkRequest, walk: Walk): Promise<FoundPath | undefined> {
  const root = access.roots.at(walk.position);
  if (walk.current === undefined) throw outsideRoot(access, request, walk.position);
  refuseByRule(access, request, walk.position);
  if (walk.current !== root) return await startFrom(access, walk, walk.position);
  return {
    realPath: root.realPath,
    directory: undefined,
    name: "",
    entry: root,
    rest: [],
    [Symbol.asyncDispose]: async () => {},
  };
}

function enterFromTop(access: WorkspaceAccess, request: WalkRequest, walk: Walk): undefined {
  walk.current = access.roots.at(walk.position);
  if (walk.current !== undefined || access.roots.isAbove(walk.position)) return;
  throw outsideRoot(access, request, [...walk.position, ...walk.pending]);
}

async function followLink(access: WorkspaceAccess, request: WalkRequest, walk: Walk): Promise<undefined> {
  walk.links += 1;
  if (walk.links > MOST_LINKS) throw new ToolError("invalid_path", `Too many symbolic links: ${request.shown}`);
  const name = walk.position.pop();
  if (name === undefined || walk.current === undefined) return;
  const target = await readLinkIfStill(access, walk.current, name);
  if (target === undefined) walk.pending.unshift(name);
  else if (pathFlavour(access.platform).isAbsolute(target)) {
    await startFrom(access, walk, access.roots.toRealNames(splitPath(target, access.platform)));
  } else walk.pending.unshift(...relativeNames(target, access.platform));
}

/** Begins again at the top with `names` before those still to go; every name is checked anew. */
async function startFrom(access: WorkspaceAccess, walk: Walk, names: readonly string[]): Promise<undefined> {
  await leave(access, walk);
  walk.pending.unshift(...names);
  walk.position = [];
}

async function leave(access: WorkspaceAccess, walk: Walk): Promise<void> {
  const { current } = walk;
  walk.current = undefined;
  if (current !== undefined) await release(access.roots, current);
}

interface Place {
  readonly directory: HeldEntry;
  readonly name: string;
}

async function lookUp(
  access: WorkspaceAccess,
  request: WalkRequest,
  { directory, name }: Place,
): Promise<HeldEntry | undefined> {
  const entry = await directory.lookUp(name);
  if (entry === undefined || entry.stat.dev === directory.stat.dev) return entry;
  try {
    await refuseKernelVolume(access, entry, request.shown);
    return entry;
  } catch (error) {
    await entry[Symbol.asyncDispose]();
    throw error;
  }
}

/** Gives a link's target, or `undefined` when it was exchanged for something else meanwhile. */
async function readLinkIfStill(
  access: WorkspaceAccess,
  directory: HeldEntry,
  name: string,
): Promise<string | undefined> {
  try {
    const target = await access.fs.readlink(directory.child(name));
    await directory.confirm();
    return target;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EINVAL" || error.code === "ENOENT"))
      return undefined;
    throw error;
  }
}

function relativeNames(target: string, platform: NodeJS.Platform): string[] {
  const names = platform === "win32" ? target.split(/[\\/]/u) : target.split("/");
  return names.filter((name) => name !== "" && name !== ".");
}

interface Arrival extends Place {
  readonly walk: Walk;
  readonly entry: HeldEntry | undefined;
}

function toFoundPath(
  access: WorkspaceAccess,
  request: WalkRequest,
  { walk, directory, name, entry }: Arrival,
): FoundPath {
  const rest = walk.pending;
  refuseProtected(request, rest);
  if (rest.includes(".."))
    throw new ToolError("not_found", `A link leads through a folder that does not exist: ${request.shown}`);
  if (rest.length > 0) refuseByRule(access, request, [...walk.position, ...rest]);
  walk.current = undefined;
  return {
    realPath: joinNames([...walk.position, ...rest], access.platform),
    directory,
    name,
    entry,
    rest,
    async [Symbol.asyncDispose]() {
      await entry?.[Symbol.asyncDispose]();
      await release(access.roots, directory);
    },
  };
}

function refuseProtected(request: WalkRequest, names: readonly string[]): void {
  const name = request.intent === "write" ? names.find(isProtectedName) : undefined;
  if (name === undefined) return;
  throw new ToolError("protected_path", `${JSON.stringify(name)} is never written by file tools: ${request.shown}`, {
    suggestion: isLockName(name)
      ? 'Run "aiw lock" to pin what is installed.'
      : "Use git itself to change what belongs to git.",
  });
}

/**
 * Refuses an entry of a tree that is taken as one, as the walk to it would.
 * @throws ToolError what the rule says.
 */
export function refuseWithinTree(
  access: WorkspaceAccess,
  { directory, name }: { readonly directory: HeldEntry; readonly name: string },
  { shown, intent }: Pick<WalkRequest, "shown" | "intent">,
): void {
  const names = [...splitPath(directory.realPath, access.platform), name];
  const refusal = access.rules.refusal(names, intent);
  if (refusal !== undefined) throw toRefusal(refusal, `within ${shown}`);
}

/** Before anything is touched there, so that nobody learns whether a denied entry exists (SEC-FS-8). */
function refuseByRule(access: WorkspaceAccess, request: WalkRequest, names: readonly string[]): void {
  const refusal = access.rules.refusal(names, request.intent);
  if (refusal !== undefined) throw toRefusal(refusal, request.shown);
}

/** Roots stay held for the workspace's whole life. */
async function release(roots: OpenRoots, held: HeldEntry): Promise<void> {
  if (!roots.held.has(held)) await held[Symbol.asyncDispose]();
}

function outsideRoot(access: WorkspaceAccess, request: WalkRequest, names: readonly string[]): ToolError {
  if (access.roots.isInMissingRoot(names)) {
    return new ToolError("not_found", `The workspace folder itself does not exist: ${request.shown}`);
  }
  return new ToolError("outside_root", `The path leads outside the workspace: ${request.shown}`, {
    suggestion: "Use a path inside the workspace, relative to the working directory.",
  });
}

function notADirectory(access: WorkspaceAccess, request: WalkRequest, entry: HeldEntry): ToolError {
  return new ToolError("not_a_directory", `${access.display(entry.realPath)} is not a directory: ${request.shown}`);
}
