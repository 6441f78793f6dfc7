import { ToolError } from "../errors/tool-error.ts";
import { kindOf, toFileFacts, type FileFacts, type FileKind } from "../confine/file-facts.ts";
import { errnoOf, toNotFound } from "../confine/file-failure.ts";
import type { HeldEntry } from "../confine/held-entry.ts";
import { splitPath } from "../confine/resolve-path.ts";
import { walkPath, type WalkRequest, type WorkspaceAccess } from "../confine/walk-path.ts";

/** One name in a directory; links are told, not followed. */
export interface DirectoryEntry {
  /** With U+FFFD where the bytes are not UTF-8. */
  readonly name: string;
  /** The name's bytes, only when they are not UTF-8. */
  readonly nameBytes?: Uint8Array;
  readonly kind: FileKind;
  /** Only when asked for, and only while the entry was still there. */
  readonly facts?: FileFacts;
}

/** A directory's content in no particular order. */
export interface DirectoryListing {
  readonly entries: DirectoryEntry[];
  /** True when `maxEntries` ended the listing. */
  readonly truncated: boolean;
  /** How many entries rules keep from tools; their names are not told. */
  readonly denied: number;
  /** Absolute and free of links. */
  readonly realPath: string;
}

/** How much a listing says. */
export interface ReadDirectoryOptions {
  /** Adds size, times and mode to each entry. */
  readonly facts?: boolean;
  /** Entries after which the listing ends; 100,000 unless given. */
  readonly maxEntries?: number;
}

const MOST_ENTRIES = 100_000;
const STATS_AT_ONCE = 32;

/** Lists a directory through the handle that was checked. */
export async function readDirectory(
  access: WorkspaceAccess,
  request: WalkRequest,
  options: ReadDirectoryOptions = {},
): Promise<DirectoryListing> {
  await using found = await walkPath(access, request);
  const { entry } = found;
  if (entry === undefined) throw await toNotFound(access, found, request);
  if (!entry.stat.isDirectory()) throw new ToolError("not_a_directory", `Not a directory: ${request.shown}`);
  const listed = await listNames(access, entry, options.maxEntries ?? MOST_ENTRIES);
  const { truncated } = listed;
  const { realPath } = found;
  const names = withoutDenied(access, entry, listed.names);
  const denied = listed.names.length - names.length;
  if (options.facts === true) return { entries: await addFacts(access, entry, names), truncated, denied, realPath };
  // Some file systems do not tell kinds while listing.
  const known = names.some(({ kind }) => kind === "unknown") ? await addFacts(access, entry, names) : names;
  const entries = known.map(({ facts: _, ...told }) => told);
  return { entries, truncated, denied, realPath };
}

/** What rules keep from tools is not named to them (SEC-FS-8). */
function withoutDenied(
  access: WorkspaceAccess,
  directory: HeldEntry,
  names: readonly DirectoryEntry[],
): readonly DirectoryEntry[] {
  const above = splitPath(directory.realPath, access.platform);
  return names.filter(({ name }) => access.rules.refusal([...above, name], "read") === undefined);
}

/** Names and kinds of a held directory's entries. */
export async function listNames(
  access: WorkspaceAccess,
  directory: HeldEntry,
  limit: number,
): Promise<{ names: DirectoryEntry[]; truncated: boolean }> {
  const names: DirectoryEntry[] = [];
  await directory.confirm();
  // The declared type knows text names only; with "buffer" they come as bytes.
  const directoryStream = await access.fs.opendir(directory.reach, {
    encoding: "buffer" as BufferEncoding,
    bufferSize: 256,
  });
  let truncated = false;
  for await (const found of directoryStream) {
    access.signal?.throwIfAborted();
    truncated = names.length >= limit;
    if (truncated) break;
    names.push({ ...toName(found.name), kind: kindOf(found) });
  }
  await directory.confirm();
  return { names, truncated };
}

function toName(raw: string | Uint8Array): Pick<DirectoryEntry, "name" | "nameBytes"> {
  if (typeof raw === "string") return { name: raw };
  const name = new TextDecoder("utf-8", { ignoreBOM: true }).decode(raw);
  const same = Buffer.from(name, "utf8").equals(raw);
  return same ? { name } : { name, nameBytes: Uint8Array.from(raw) };
}

async function addFacts(
  access: WorkspaceAccess,
  directory: HeldEntry,
  names: readonly DirectoryEntry[],
): Promise<DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  for (let start = 0; start < names.length; start += STATS_AT_ONCE) {
    access.signal?.throwIfAborted();
    const group = names.slice(start, start + STATS_AT_ONCE);
    entries.push(
      ...(await Promise.all(
        group.map(async (entry) => {
          const facts = await factsOf(access, directory, entry);
          return facts === undefined ? entry : { ...entry, kind: facts.kind, facts };
        }),
      )),
    );
  }
  await directory.confirm();
  return entries;
}

async function factsOf(
  access: WorkspaceAccess,
  directory: HeldEntry,
  entry: DirectoryEntry,
): Promise<FileFacts | undefined> {
  const { name, nameBytes } = entry;
  const target =
    nameBytes === undefined ? directory.child(name) : Buffer.concat([Buffer.from(`${directory.reach}/`), nameBytes]);
  try {
    return toFileFacts(await access.fs.lstat(target, { bigint: true }));
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
