import type { ListedEntry, ListRequest, TreeListing } from "./tree-listing.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import type { SearchPlace } from "./search-place.ts";

const MOST_PATH_BYTES = 64 * 1024;

/** Lists files, or gives `undefined` when the program cannot be started. */
export async function listWithRipgrep(
  program: string,
  place: SearchPlace,
  request: ListRequest,
): Promise<TreeListing | undefined> {
  const { hidden, noIgnore, deadline } = request;
  await using run = await runRipgrep(program, {
    place,
    hidden,
    noIgnore,
    options: ["--files", "--null"],
    signal: deadline.signal,
    ...(request.only && { only: request.only }),
  });
  if (run === undefined) return undefined;
  const entries: ListedEntry[] = [];
  for await (const path of splitAtNull(run.stdout)) {
    const entry = toEntry(path, place);
    if (deadline.isOver()) return { entries, isComplete: false, unreadable: 0 };
    if (entry === undefined || !request.admits(entry.names)) continue;
    entries.push(entry);
    if (entries.length >= request.maxEntries) return { entries, isComplete: false, unreadable: 0 };
  }
  const { exitCode, messages, isFailed } = await run.ended();
  if (isFailed) return undefined;
  const ignored = messages.ignored?.map((path) => namesBelowPlace(path, place));
  // Two means that something could not be read; ripgrep does not say how much.
  return { entries, isComplete: !deadline.isOver(), unreadable: exitCode === 2 ? 1 : 0, ...(ignored && { ignored }) };
}

async function* splitAtNull(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of stream) {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let start = 0;
      for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
        yield bytes.subarray(start, end);
        start = end + 1;
      }
      rest = bytes.subarray(start);
      if (rest.length > MOST_PATH_BYTES) return;
    }
  } catch (error) {
    if (!isPrematureClose(error)) throw error;
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

function toEntry(path: Buffer, place: SearchPlace): ListedEntry | undefined {
  const text = path.toString("utf8");
  const names = namesBelowPlace(text, place);
  if (Buffer.from(text, "utf8").equals(path)) return { names, kind: "file" };
  const prefix = Buffer.byteLength(["./", ...place.names.map((name) => `${name}/`)].join(""), "utf8");
  return { names, kind: "file", bytes: Uint8Array.from(path.subarray(prefix)) };
}
