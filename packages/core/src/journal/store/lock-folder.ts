import { readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errnoOf } from "../../confine/file-failure.ts";
import { isRunning, ownProcess } from "./process-mark.ts";
import { READ_DIRECTLY } from "./read-directly.ts";

const WAIT_MS = 5000;
const STEP_MS = 10;

/**
 * Keeps other processes from adding to a journal; what a process that ended has left is passed over, and so is one that holds on too long.
 * @throws errors of the disk, also where what stands there cannot be passed over.
 */
export async function lockFolder(folder: string): Promise<AsyncDisposable> {
  const path = join(folder, "lock");
  for (let waited = 0; ; waited += STEP_MS) {
    try {
      await writeFile(path, ownProcess(), { flag: "wx", mode: 0o600 });
      return { [Symbol.asyncDispose]: async () => await unlink(path).catch(() => {}) };
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
    const owner = await readFile(path, { encoding: "utf8", flag: READ_DIRECTLY }).catch(() => ownProcess());
    if (waited < WAIT_MS && (owner === "" || isRunning(owner))) await sleep(STEP_MS);
    else await unlink(path).catch(unlessGone);
  }
}

/** Somebody else may have passed it over first. */
function unlessGone(error: unknown): void {
  if (errnoOf(error) !== "ENOENT") throw error;
}
