import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { closeQuietly } from "../../confine/file-system-port.ts";
import type { ImagePlace } from "./journal-history.ts";
import type { ImageReader } from "./journal-store.ts";

/** Reads images from the files that hold them, each of which is opened once; a place names its file by its path. */
export function openPacks(placeOf: (hash: string) => ImagePlace | undefined): ImageReader {
  const handles = new Map<string, Promise<FileHandle | undefined>>();
  const openOnce = async (file: string): Promise<FileHandle | undefined> => {
    const known = handles.get(file) ?? open(file, constants.O_RDONLY).catch(() => undefined);
    handles.set(file, known);
    return await known;
  };
  return {
    async read(hash) {
      const place = placeOf(hash);
      const handle = place && (await openOnce(place.file));
      if (place === undefined || handle === undefined) return undefined;
      try {
        const bytes = new Uint8Array(place.length);
        const { bytesRead } = await handle.read(bytes, 0, place.length, place.start);
        const isWhole = bytesRead === place.length && createHash("sha256").update(bytes).digest("hex") === hash;
        return isWhole ? bytes : undefined;
      } catch {
        return undefined;
      }
    },
    async [Symbol.asyncDispose]() {
      for (const opened of handles.values()) {
        const handle = await opened;
        if (handle !== undefined) await closeQuietly(handle);
      }
      handles.clear();
    },
  };
}
