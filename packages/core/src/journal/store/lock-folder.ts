import { randomBytes } from "node:crypto";
import { readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { errnoOf } from "../../confine/file-failure.ts";
import { isRunning, ownProcess } from "./process-mark.ts";
import { READ_DIRECTLY } from "./read-directly.ts";

const WAIT_MS = 5000;
const STEP_MS = 10;

/** A process may hold two copies of this module. */
const COPY = randomBytes(8).toString("hex");

/** The last who asked for each lock. */
const tails = new Map<string, Promise<void>>();

/**
 * Keeps others from a folder, of this process and of other ones; what a process that ended has left is passed over, and so is one that
 * holds on too long.
 * @throws errors of the disk, also where what stands there cannot be passed over.
 */
export async function lockFolder(folder: string): Promise<AsyncDisposable> {
  const path = join(folder, "lock");
  const before = tails.get(path);
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  tails.set(path, left);
  const release = (): void => {
    if (tails.get(path) === left) tails.delete(path);
    leave();
  };
  try {
    await before;
    await takeLock(path);
  } catch (error) {
    release();
    throw error;
  }
  return {
    [Symbol.asyncDispose]: async () => {
      await unlink(path).catch(() => {});
      release();
    },
  };
}

async function takeLock(path: string): Promise<void> {
  const own = `${ownProcess()}@${COPY}`;
  for (let waited = 0; ; waited += STEP_MS) {
    try {
      await writeFile(path, own, { flag: "wx", mode: 0o600 });
      return;
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
    const owner = await readFile(path, { encoding: "utf8", flag: READ_DIRECTLY }).catch(() => ownProcess());
    // Our own could not be removed when it was done with.
    const isHeld = owner !== own && (owner === "" || isRunning(owner));
    if (waited < WAIT_MS && isHeld) await sleep(STEP_MS);
    else await unlink(path).catch(unlessGone);
  }
}

/** Somebody else may have passed it over first. */
function unlessGone(error: unknown): void {
  if (errnoOf(error) !== "ENOENT") throw error;
}
