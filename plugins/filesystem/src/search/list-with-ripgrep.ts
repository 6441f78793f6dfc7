import { availableParallelism } from "node:os";
import { ListedFile, type ListedEntry, type ListRequest, type TreeListing } from "./tree-listing.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import type { SearchPlace } from "./search-place.ts";
import type { Weigher } from "./weigh-entry.ts";

const MOST_PATH_BYTES = 64 * 1024;
/** On two cores two threads that list wait for each other so often that one alone takes half their time of the processor. */
const THREADS = availableParallelism() > 2 ? [] : ["--threads=1"];

/** Lists files, or gives `undefined` when the program cannot be started. */
export async function listWithRipgrep(
  program: string,
  place: SearchPlace,
  request: ListRequest,
): Promise<TreeListing | undefined> {
  const { hidden, noIgnore, deadline, weigh } = request;
  await using run = await runRipgrep(program, {
    place,
    hidden,
    noIgnore,
    options: ["--files", "--null", ...THREADS],
    signal: deadline.signal,
    ...(request.only && { only: request.only }),
  });
  if (run === undefined) return undefined;
  const entries: ListedEntry[] = [];
  const toKey = keyReader(place);
  const take = (path: string, bytes?: Buffer): void => {
    const key = toKey(path);
    if (entries.length >= request.maxEntries) return;
    if (!(request.admitsKey?.(key) ?? request.admits(key.split("/")))) return;
    entries.push(
      bytes === undefined ? new ListedFile(key, weigh?.(key)) : toOddFile(key, bytesBelowPlace(bytes, place), weigh),
    );
  };
  const goOn = (): boolean => entries.length < request.maxEntries && !deadline.isOver();
  await eachPath(run.stdout, take, goOn);
  if (!goOn()) return { entries, isComplete: false, unreadable: 0 };
  const { exitCode, messages, isFailed } = await run.ended();
  if (isFailed) return undefined;
  const ignored = messages.ignored?.map((path) => namesBelowPlace(path, place));
  return {
    entries,
    isComplete: !deadline.isOver(),
    // Two means that something could not be read; ripgrep does not say how much.
    unreadable: exitCode === 2 ? 1 : 0,
    ...(ignored && { ignored }),
  };
}

function toOddFile(key: string, bytes: Uint8Array, weigh: Weigher | undefined): ListedEntry {
  return { names: key.split("/"), kind: "file", bytes, weight: weigh?.(bytes) };
}

/** Hands over each path of a stream, with its bytes when they are not UTF-8. */
async function eachPath(
  stream: AsyncIterable<Buffer>,
  take: (path: string, bytes?: Buffer) => void,
  goOn: () => boolean,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of stream) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const end = bytes.lastIndexOf(0);
      if (end !== -1) splitPaths(bytes.subarray(0, end), take);
      rest = bytes.subarray(end + 1);
      if (rest.length > MOST_PATH_BYTES || !goOn()) return;
    }
  } catch (error) {
    if (!isPrematureClose(error)) throw error;
  }
}

/** Decodes many paths at once, and one by one only where some are not UTF-8. */
function splitPaths(bytes: Buffer, take: (path: string, bytes?: Buffer) => void): void {
  const text = bytes.toString("utf8");
  if (!text.includes("\ufffd")) {
    for (const path of text.split("\0")) take(path);
    return;
  }
  for (let start = 0; start <= bytes.length;) {
    const next = bytes.indexOf(0, start);
    const end = next === -1 ? bytes.length : next;
    const one = bytes.subarray(start, end);
    const path = one.toString("utf8");
    take(path, Buffer.from(path, "utf8").equals(one) ? undefined : one);
    start = end + 1;
  }
}

/** Whether a stream ended because its process was ended. */
export function isPrematureClose(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    (error.code === "ERR_STREAM_PREMATURE_CLOSE" || error.code === "ABORT_ERR")
  );
}

/** Reads a path that counts from the root into names that count from the place. */
export function namesBelowPlace(path: string, place: SearchPlace): string[] {
  return path
    .split("/")
    .filter((name) => name !== "" && name !== ".")
    .slice(place.names.length);
}

/** Makes a reader of ripgrep's paths, which count from the root, into paths that count from the place. */
export function keyReader(place: SearchPlace): (path: string) => string {
  const prefix = `./${place.names.map((name) => `${name}/`).join("")}`;
  return (path) => (path.startsWith(prefix) ? path.slice(prefix.length) : namesBelowPlace(path, place).join("/"));
}

function bytesBelowPlace(path: Buffer, place: SearchPlace): Uint8Array {
  const prefix = Buffer.byteLength(["./", ...place.names.map((name) => `${name}/`)].join(""), "utf8");
  return Uint8Array.from(path.subarray(prefix));
}
