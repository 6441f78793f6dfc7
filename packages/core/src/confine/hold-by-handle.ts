import { constants, type BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { closeQuietly, type FileSystemPort } from "./file-system-port.ts";
import { isSameObject, type HeldEntry, type HoldRoot } from "./held-entry.ts";

/** Linux `O_PATH`, which Node does not name: a handle on the entry itself, without opening what it stands for. */
const O_PATH = 0o10000000;
const HOLD = O_PATH | constants.O_NOFOLLOW;

/**
 * Holds entries by open handles and reaches everything through `/proc/self/fd` (SEC-FS-2).
 * A swapped parent cannot redirect what is reached through a handle.
 */
export function holdByHandle(fs: FileSystemPort): HoldRoot {
  return async (realPath) => await hold(fs, realPath, realPath);
}

/** Whether `/proc/self/fd` leads back to what a handle holds, which gives `holdByHandle` its strength. */
export async function canHoldByHandle(fs: FileSystemPort, folder: string, platform: NodeJS.Platform): Promise<boolean> {
  if (platform !== "linux") return false;
  try {
    await using held = await hold(fs, folder, folder);
    const through = await fs.lstat(held.child("."), { bigint: true });
    return isSameObject(through, held.stat);
  } catch {
    return false;
  }
}

async function hold(fs: FileSystemPort, reach: string, realPath: string): Promise<HeldEntry> {
  const handle = await fs.open(reach, HOLD);
  try {
    return toHeldEntry(fs, { handle, realPath, stat: await handle.stat({ bigint: true }) });
  } catch (error) {
    await closeQuietly(handle);
    throw error;
  }
}

function toHeldEntry(fs: FileSystemPort, held: { handle: FileHandle; stat: BigIntStats; realPath: string }): HeldEntry {
  const { handle, stat, realPath } = held;
  const reach = `/proc/self/fd/${handle.fd}`;
  const child = (name: string): string => `${reach}/${name}`;
  return {
    stat,
    realPath,
    reach,
    child,
    async lookUp(name) {
      try {
        return await hold(fs, child(name), realPath === "/" ? `/${name}` : `${realPath}/${name}`);
      } catch (error) {
        if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
        throw error;
      }
    },
    open: async (flags) => await fs.open(reach, flags | constants.O_NONBLOCK | constants.O_NOCTTY),
    confirm: async () => {},
    [Symbol.asyncDispose]: async () => await closeQuietly(handle),
  };
}
