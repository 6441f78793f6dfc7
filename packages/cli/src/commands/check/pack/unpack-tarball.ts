import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { extract, Parser, type ReadEntry } from "tar";
import type { PackedFile, PackedPackage } from "../subject.ts";

/** What a tarball holds, and what of it was not unpacked. */
export type UnpackedTarball = Pick<PackedPackage, "files" | "bytes" | "refused">;

const MAX_ENTRIES = 100_000;
const MAX_BYTES = 1024 * 1024 * 1024;

/**
 * Unpacks ordinary files of a tarball below a folder, as managers do: without the first folder of their paths. What else is in it, or
 * leads elsewhere, is refused and told.
 * @throws what the tarball's format breaks.
 */
export async function unpackTarball(tarball: string, target: string): Promise<UnpackedTarball> {
  const files = new Map<string, PackedFile>();
  const refused: { path: string; reason: string }[] = [];
  let total = 0;
  await readEntries(tarball, (entry) => {
    total += entry.size;
    if (files.size + refused.length >= MAX_ENTRIES) throw new RangeError(`it has more than ${MAX_ENTRIES} files`);
    if (total > MAX_BYTES) throw new RangeError(`it unpacks to more than ${MAX_BYTES} bytes`);
    const reason = refuse(entry);
    const path = toInnerPath(entry.path);
    if (reason !== undefined) refused.push({ path: entry.path, reason });
    else if (entry.type !== "Directory") files.set(path, { path, bytes: entry.size });
  });
  const wanted = new Set(files.keys());
  await extract({
    file: tarball,
    cwd: target,
    strip: 1,
    preserveOwner: false,
    filter: (path, entry) =>
      isFile(entry) && refuse({ path, type: entry.type }) === undefined && wanted.has(toInnerPath(path)),
  });
  const sorted = [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { files: sorted, bytes: (await stat(tarball)).size, refused };
}

type Entry = Pick<ReadEntry, "path" | "type">;

function isFile(entry: object): entry is ReadEntry {
  return "type" in entry && (entry.type === "File" || entry.type === "OldFile");
}

/** Why managers, or this one, do not unpack an entry. */
function refuse({ path, type }: Entry): string | undefined {
  const parts = path.replaceAll("\\", "/").split("/");
  if (parts.includes("..") || path.startsWith("/") || /^[A-Za-z]:/.test(path)) return "leads out of the package";
  if (path.includes("\\") || path.includes("\0")) return "has a name that is a path elsewhere";
  if (type === "SymbolicLink" || type === "Link") return "is a link";
  if (!["File", "OldFile", "Directory"].includes(type)) return "is no ordinary file";
  return parts.filter((part) => part !== "").length < 2 && type !== "Directory" ? "is in no folder" : undefined;
}

/** Without the first folder, which is `package` by custom alone. */
function toInnerPath(path: string): string {
  return path
    .split("/")
    .slice(1)
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}

/** Reads what is there without taking its content. */
async function readEntries(tarball: string, take: (entry: ReadEntry) => void): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  const stream = createReadStream(tarball);
  const stop = (cause: unknown): void => {
    stream.destroy();
    reject(cause instanceof Error ? cause : new RangeError(String(cause)));
  };
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      try {
        take(entry);
        entry.resume();
      } catch (cause) {
        stop(cause);
      }
    },
  });
  parser.on("end", () => resolve(undefined));
  parser.on("error", stop);
  stream.on("error", stop);
  stream.on("data", (chunk) => {
    if (parser.write(chunk)) return;
    stream.pause();
    parser.once("drain", () => stream.resume());
  });
  stream.on("end", () => parser.end());
  await promise;
}
