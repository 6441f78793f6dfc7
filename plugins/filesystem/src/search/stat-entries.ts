import { ToolError } from "@aiw/core";
import type { FileFacts, Workspace } from "@aiw/core/node";
import type { Deadline } from "./deadline.ts";
import { pathBelowPlace, showBelow, type SearchPlace } from "./search-place.ts";
import { ListedFile, type ListedEntry } from "./tree-listing.ts";

/** An entry and the place it was found below. */
export interface FoundEntry extends ListedEntry {
  readonly place: SearchPlace;
  /** The path by which results name it. */
  readonly shown: string;
  /** Present once it was seen through the workspace. */
  readonly facts?: FileFacts;
  /** Found although the ignore rules hide it. */
  readonly isIgnored?: boolean;
}

const STATS_AT_ONCE = 32;
/** From so many entries of one folder on, the folder is listed at once. */
const MANY_IN_FOLDER = 8;
/** Unless it holds so many times more than is asked for. */
const MOST_TIMES_MORE = 10;

/** A file of many: its path is its place's and its own. */
class FoundFile implements FoundEntry {
  readonly place: SearchPlace;
  readonly shown: string;
  readonly kind = "file";
  readonly weight: number | undefined;
  readonly #file: ListedFile;

  constructor(place: SearchPlace, shown: string, file: ListedFile) {
    this.place = place;
    this.shown = shown;
    this.weight = file.weight;
    this.#file = file;
  }

  get names(): readonly string[] {
    return this.#file.names;
  }
}

/** Makes what gives entries the path by which results name them. */
export function finderOf(place: SearchPlace): (entry: ListedEntry) => FoundEntry {
  const prefix = showBelow(place, ["x"]).slice(0, -1);
  return (entry) =>
    entry instanceof ListedFile ? new FoundFile(place, prefix + entry.key, entry) : toFoundEntry(place, entry);
}

/** Gives an entry the path by which results name it. */
export function toFoundEntry(place: SearchPlace, { names, kind, bytes, weight }: ListedEntry): FoundEntry {
  return { names, kind, place, weight, shown: showBelow(place, names), ...(bytes && { bytes }) };
}

/** Looks at entries through the workspace; those that are gone or lead out are left out, those time did not reach stay as they are. */
export async function statEntries(
  workspace: Workspace,
  entries: readonly FoundEntry[],
  deadline: Deadline,
): Promise<FoundEntry[]> {
  const folders = await listFolders(workspace, entries, deadline);
  const seen: FoundEntry[] = [];
  for (let start = 0; start < entries.length; start += STATS_AT_ONCE) {
    const group = entries.slice(start, start + STATS_AT_ONCE);
    if (deadline.isOver()) seen.push(...group);
    else
      seen.push(...(await Promise.all(group.map(async (entry) => await statEntry(workspace, entry, folders)))).flat());
  }
  return seen;
}

/** Facts by name, for each folder worth listing. */
type Folders = ReadonlyMap<string, ReadonlyMap<string, FileFacts>>;

async function listFolders(workspace: Workspace, entries: readonly FoundEntry[], deadline: Deadline): Promise<Folders> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const folder = folderOf(entry);
    if (entry.facts === undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const folders = new Map<string, ReadonlyMap<string, FileFacts>>();
  for (const [folder, count] of counts) {
    if (count < MANY_IN_FOLDER || deadline.isOver()) continue;
    const most = count * MOST_TIMES_MORE;
    const listing = await unlessRefused(async () => await workspace.readdir(folder, { facts: true, maxEntries: most }));
    if (listing === undefined || listing.truncated) continue;
    const known = listing.entries.flatMap(({ name, nameBytes, facts }): [string, FileFacts][] =>
      facts === undefined || nameBytes !== undefined ? [] : [[name, facts]],
    );
    folders.set(folder, new Map(known));
  }
  return folders;
}

function folderOf({ place, names }: FoundEntry): string {
  return pathBelowPlace(place, names.slice(0, -1));
}

async function statEntry(workspace: Workspace, entry: FoundEntry, folders: Folders): Promise<FoundEntry[]> {
  if (entry.facts !== undefined) return [entry];
  const known = entry.bytes === undefined ? folders.get(folderOf(entry))?.get(entry.names.at(-1) ?? "") : undefined;
  const facts = known ?? (await unlessRefused(async () => await lookAt(workspace, entry)));
  return facts === undefined || facts.kind !== entry.kind ? [] : [withFacts(entry, facts)];
}

function withFacts({ names, kind, place, shown, bytes, isIgnored }: FoundEntry, facts: FileFacts): FoundEntry {
  return { names, kind, place, shown, facts, ...(bytes && { bytes }), ...(isIgnored !== undefined && { isIgnored }) };
}

async function lookAt(workspace: Workspace, { place, names, bytes }: FoundEntry): Promise<FileFacts | undefined> {
  if (bytes === undefined) return await workspace.lstat(pathBelowPlace(place, names));
  // A name that is no UTF-8 cannot be opened, but it can be found in its folder.
  const name = bytes.subarray(bytes.lastIndexOf(0x2f) + 1);
  const { entries } = await workspace.readdir(pathBelowPlace(place, names.slice(0, -1)), { facts: true });
  return entries.find(({ nameBytes }) => nameBytes !== undefined && Buffer.compare(nameBytes, name) === 0)?.facts;
}

async function unlessRefused<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (ToolError.is(error) && error.code !== "cancelled") return undefined;
    throw error;
  }
}
