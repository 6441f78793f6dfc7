import { constants, type BigIntStats } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../errors/tool-error.ts";
import { closeQuietly, type FileSystemPort } from "./file-system-port.ts";
import { isSameObject, type HeldEntry, type HoldRoot } from "./held-entry.ts";

/** Absent on Windows, where there is nothing to ask for. */
const NEVER_FOLLOW_OR_BLOCK = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Holds entries by remembering which object each name stood for, and checks again at every use (SEC-FS-11).
 * This narrows the race between check and use; it cannot close it.
 */
export function holdByIdentity(fs: FileSystemPort): HoldRoot {
  return async (realPath) => toHeldEntry(fs, { realPath, stat: await fs.lstat(realPath, { bigint: true }) });
}

interface Remembered {
  readonly realPath: string;
  readonly stat: BigIntStats;
  readonly parent?: HeldEntry;
}

function toHeldEntry(fs: FileSystemPort, { realPath, stat, parent }: Remembered): HeldEntry {
  const child = (name: string): string => join(realPath, name);
  const held: HeldEntry = {
    stat,
    realPath,
    reach: realPath,
    child,
    async lookUp(name) {
      await held.confirm();
      const found = await lstatIfThere(fs, child(name));
      return found && toHeldEntry(fs, { realPath: child(name), stat: found, parent: held });
    },
    async open(flags) {
      const handle = await fs.open(realPath, flags | NEVER_FOLLOW_OR_BLOCK);
      try {
        if (!isSameObject(await handle.stat({ bigint: true }), stat)) throw pathChanged();
        await held.confirm();
        return handle;
      } catch (error) {
        await closeQuietly(handle);
        throw error;
      }
    },
    async confirm() {
      const now = await lstatIfThere(fs, realPath);
      if (now === undefined || !isSameObject(now, stat)) throw pathChanged();
      await parent?.confirm();
    },
    [Symbol.asyncDispose]: async () => {},
  };
  return held;
}

async function lstatIfThere(fs: FileSystemPort, path: string): Promise<BigIntStats | undefined> {
  try {
    return await fs.lstat(path, { bigint: true });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/** The failure of an identity check. */
export function pathChanged(): ToolError {
  return new ToolError("path_changed", "A folder or file on the way was exchanged while it was in use.", {
    suggestion: "Call again once nothing else moves files there.",
  });
}
