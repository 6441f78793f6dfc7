import { createHash } from "node:crypto";
import { open, type FileHandle } from "node:fs/promises";
import { errnoOf, toFileFailure } from "../../confine/file-failure.ts";
import { closeQuietly } from "../../confine/file-system-port.ts";
import type { ImagePlace } from "./journal-history.ts";
import type { ImageReader } from "./journal-store.ts";
import { READ_DIRECTLY } from "./read-directly.ts";

/** Reads images from the files that hold them, each of which is opened once; a place names its file by its path. */
export function openPacks(placeOf: (hash: string) => ImagePlace | undefined): ImageReader {
  const handles = new Map<string, Promise<FileHandle | undefined>>();
  const openOnce = async (file: string): Promise<FileHandle | undefined> => {
    const known = handles.get(file) ?? open(file, READ_DIRECTLY).catch(orMissing);
    handles.set(file, known);
    return await known;
  };
  return {
    async read(hash) {
      const place = placeOf(hash);
      if (place === undefined) return undefined;
      try {
        const handle = await openOnce(place.file);
        if (handle === undefined) return undefined;
        const bytes = new Uint8Array(place.length);
        const { bytesRead } = await handle.read(bytes, 0, place.length, place.start);
        const isWhole = bytesRead === place.length && createHash("sha256").update(bytes).digest("hex") === hash;
        return isWhole ? bytes : undefined;
      } catch (error) {
        throw toFileFailure(error, "the history of changes");
      }
    },
    async [Symbol.asyncDispose]() {
      for (const opened of handles.values()) {
        const handle = await opened.catch(() => undefined);
        if (handle !== undefined) await closeQuietly(handle);
      }
      handles.clear();
    },
  };
}

/** Bytes that are gone are gone; a disk that fails may give them later. */
function orMissing(error: unknown): undefined {
  if (errnoOf(error) !== "ENOENT") throw error;
}
