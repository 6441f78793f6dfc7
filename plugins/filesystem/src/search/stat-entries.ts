import { ToolError } from "@aiw/core";
import type { FileFacts, Workspace } from "@aiw/core/node";
import type { Deadline } from "./deadline.ts";
import { pathBelowPlace, showBelow, type SearchPlace } from "./search-place.ts";
import type { ListedEntry } from "./tree-listing.ts";

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

/** Gives an entry the path by which results name it. */
export function toFoundEntry(place: SearchPlace, entry: ListedEntry): FoundEntry {
  return { ...entry, place, shown: showBelow(place, entry.names) };
}

/** Looks at entries through the workspace; those that are gone or lead out are left out, those time did not reach stay as they are. */
export async function statEntries(
  workspace: Workspace,
  entries: readonly FoundEntry[],
  deadline: Deadline,
): Promise<FoundEntry[]> {
  const seen: FoundEntry[] = [];
  for (let start = 0; start < entries.length; start += STATS_AT_ONCE) {
    const group = entries.slice(start, start + STATS_AT_ONCE);
    if (deadline.isOver()) seen.push(...group);
    else seen.push(...(await Promise.all(group.map(async (entry) => await statEntry(workspace, entry)))).flat());
  }
  return seen;
}

async function statEntry(workspace: Workspace, entry: FoundEntry): Promise<FoundEntry[]> {
  if (entry.facts !== undefined) return [entry];
  try {
    const facts = await (entry.bytes === undefined
      ? workspace.lstat(pathBelowPlace(entry.place, entry.names))
      : statByBytes(workspace, entry, entry.bytes));
    return facts === undefined || facts.kind !== entry.kind ? [] : [{ ...entry, facts }];
  } catch (error) {
    if (ToolError.is(error) && error.code !== "cancelled") return [];
    throw error;
  }
}

/** A name that is no UTF-8 cannot be opened, but it can be found in its folder. */
async function statByBytes(workspace: Workspace, entry: FoundEntry, bytes: Uint8Array): Promise<FileFacts | undefined> {
  const name = bytes.subarray(bytes.lastIndexOf(0x2f) + 1);
  const { entries } = await workspace.readdir(pathBelowPlace(entry.place, entry.names.slice(0, -1)), { facts: true });
  return entries.find(({ nameBytes }) => nameBytes !== undefined && Buffer.compare(nameBytes, name) === 0)?.facts;
}
