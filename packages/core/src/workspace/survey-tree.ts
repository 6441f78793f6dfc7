import { constants } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../errors/tool-error.ts";
import { kindOf } from "../confine/file-facts.ts";
import { closeQuietly } from "../confine/file-system-port.ts";
import type { HeldEntry } from "../confine/held-entry.ts";
import { isProtectedName, isRepositoryName } from "../confine/protected-names.ts";
import { toRefusal } from "../confine/access-rules.ts";
import { joinNames, pathBelow, splitPath } from "../confine/resolve-path.ts";
import { refuseWithinTree, type WorkspaceAccess } from "../confine/walk-path.ts";
import { listNames, type DirectoryEntry } from "./read-directory.ts";

/** What is about to be done with a whole tree. */
export interface SurveyRequest {
  /** What the caller wrote; messages name it. */
  readonly shown: string;
  /** `copy` opens every file and link, so it refuses what cannot be opened; `remove` needs every name; `rename` leaves the inside alone. */
  readonly intent: "copy" | "remove" | "rename";
  /** The path it gets, where it gets one: rules hold for all of it there too. */
  readonly becomes?: string;
}

/** What a tree holds. */
export interface Survey {
  /** Files, links and directories, the top included. */
  readonly entries: number;
}

/** Levels of directories below which nothing is taken as one tree. */
export const DEEPEST_TREE: number = 256;

const MOST_IN_ONE = 1_000_000;
const MOUNTS = "/proc/self/mountinfo";

interface Walk {
  readonly access: WorkspaceAccess;
  readonly request: SurveyRequest;
  readonly top: HeldEntry;
  entries: number;
}

/**
 * Looks through a whole tree before it is copied, moved or removed, so that a refusal leaves it whole.
 * @throws ToolError `protected_path` where it holds a protected name or a mount point, `not_regular_file` for what cannot be copied,
 * `too_large` where it is nested too deep.
 */
export async function surveyTree(access: WorkspaceAccess, top: HeldEntry, request: SurveyRequest): Promise<Survey> {
  const walk: Walk = { access, request, top, entries: 1 };
  if (!top.stat.isDirectory()) {
    if (request.intent === "copy") refuseSpecial(walk, kindOf(top.stat), top.realPath);
    return walk;
  }
  await refuseMountsWithin(access, top.realPath, request.shown);
  await surveyDirectory(walk, top, 0);
  return walk;
}

/**
 * Lists a directory of a tree whole.
 * @throws ToolError where a name is not UTF-8, or there are too many.
 */
export async function listWhole(
  access: WorkspaceAccess,
  directory: HeldEntry,
  shown: string,
): Promise<readonly DirectoryEntry[]> {
  const { names, truncated } = await listNames(access, directory, MOST_IN_ONE);
  if (truncated) throw new ToolError("too_large", `More than ${MOST_IN_ONE} entries in one directory: ${shown}`);
  return names;
}

/** Refuses a name that cannot be used as text. */
export function refuseOddName({ name, nameBytes }: DirectoryEntry, shown: string): void {
  if (nameBytes !== undefined)
    throw new ToolError("invalid_path", `Holds a name that is not UTF-8 (${name}): ${shown}`);
}

async function surveyDirectory(walk: Walk, directory: HeldEntry, depth: number): Promise<void> {
  const { access, request } = walk;
  if (depth >= DEEPEST_TREE)
    throw new ToolError("too_large", `Nested deeper than ${DEEPEST_TREE} directories: ${request.shown}`);
  for (const found of await listWhole(access, directory, request.shown)) {
    walk.entries += 1;
    refuseWithin(walk, directory, found);
    if (found.kind !== "directory" && found.kind !== "unknown") continue;
    await using entry = await directory.lookUp(found.name);
    if (entry === undefined) continue;
    if (request.intent === "copy") refuseSpecial(walk, kindOf(entry.stat), entry.realPath);
    if (!entry.stat.isDirectory()) continue;
    if (entry.stat.dev !== directory.stat.dev) throw holdsMount(request.shown, access.display(entry.realPath));
    await surveyDirectory(walk, entry, depth + 1);
  }
}

/** What one entry may keep the whole tree from; every rule on names inside a tree belongs here. */
function refuseWithin(walk: Walk, directory: HeldEntry, found: DirectoryEntry): void {
  const { access, request } = walk;
  const path = join(directory.realPath, found.name);
  const intent = request.intent === "copy" ? "read" : "write";
  refuseWithinTree(access, { directory, name: found.name }, { shown: request.shown, intent });
  refuseAtNewPlace(walk, path);
  if (isProtectedName(found.name)) {
    const what = isRepositoryName(found.name)
      ? "a git repository"
      : `${JSON.stringify(found.name)}, which is protected`;
    throw new ToolError("protected_path", `Holds ${what}: ${request.shown}`, {
      suggestion: `Take what lies beside ${JSON.stringify(access.display(path))} one by one.`,
      details: { protected: access.display(path) },
    });
  }
  if (request.intent !== "rename" || found.kind === "directory") refuseOddName(found, request.shown);
  if (request.intent === "copy") refuseSpecial(walk, found.kind, path);
}

/** What is free where it is may be denied where it goes, and could not be taken back from there. */
function refuseAtNewPlace({ access, request, top }: Walk, path: string): void {
  if (request.becomes === undefined || access.rules.isEmpty) return;
  const below = splitPath(path, access.platform).slice(splitPath(top.realPath, access.platform).length);
  const names = [...splitPath(request.becomes, access.platform), ...below];
  const refusal = access.rules.refusal(names, "write");
  if (refusal === undefined) return;
  throw toRefusal(refusal, access.display(joinNames(names, access.platform)));
}

function refuseSpecial({ access, request }: Walk, kind: DirectoryEntry["kind"], path: string): void {
  if (kind === "file" || kind === "directory" || kind === "link" || kind === "unknown") return;
  const shown = access.display(path);
  throw new ToolError(
    "not_regular_file",
    `Only files, links and folders are copied, and ${shown} is a ${kind}: ${request.shown}`,
    {
      details: { kind, path: shown },
    },
  );
}

/** A folder mounted from the same volume looks like any other, so the system is asked where mounts are. */
async function refuseMountsWithin(access: WorkspaceAccess, realPath: string, shown: string): Promise<void> {
  if (access.platform !== "linux") return;
  const top = splitPath(realPath, access.platform);
  for (const mount of await listMounts(access)) {
    const below = pathBelow(top, splitPath(mount, access.platform), access.platform);
    if (below !== undefined && below.length > 0) throw holdsMount(shown, access.display(mount));
  }
}

async function listMounts(access: WorkspaceAccess): Promise<string[]> {
  const handle = await access.fs.open(MOUNTS, constants.O_RDONLY).catch(() => undefined);
  if (handle === undefined) return [];
  try {
    const lines = (await handle.readFile("utf8")).split("\n");
    return lines.flatMap((line) => {
      const path = line.split(" ")[4];
      return path === undefined ? [] : [path.replaceAll(/\\([0-7]{3})/gu, (_, code: string) => toCharacter(code))];
    });
  } finally {
    await closeQuietly(handle);
  }
}

function toCharacter(octal: string): string {
  return String.fromCodePoint(Number.parseInt(octal, 8));
}

function holdsMount(shown: string, mount: string): ToolError {
  return new ToolError("protected_path", `Holds a mount point (${mount}): ${shown}`, { details: { mount } });
}
