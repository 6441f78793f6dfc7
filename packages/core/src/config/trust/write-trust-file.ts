import * as path from "node:path";
import { AiwError } from "../../errors/aiw-error.ts";
import { isErrno, MAX_TRUST_FILE, READ_ONLY, readTrustFile, TRUST_VERSION } from "./read-trust-file.ts";
import type { TrustPorts } from "./trust-ports.ts";
import type { TrustProblem, TrustRecord } from "./trust-store.ts";

/** Milliseconds to wait for another process that is writing, until asking whether it lives, and between two looks. */
const MAX_WAIT_MS = 10_000;
const PATIENCE_MS = 5_000;
const WAIT_MS = 20;

/**
 * Replaces the records at once, as they are at that moment; processes take turns, so that none loses another's.
 * @throws AiwError `trust_store_invalid` when the file is not believed or cannot be written: it stays as it was.
 */
export async function changeTrustFile(
  file: string,
  change: (records: readonly TrustRecord[]) => readonly TrustRecord[],
  ports: TrustPorts,
): Promise<void> {
  try {
    ports.fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const lock = await takeTurn(file, ports);
    try {
      const state = readTrustFile(file, ports);
      if (state.problem !== undefined) throw toTrustError(state.problem);
      replace(file, change(state.records), ports);
    } finally {
      ports.fs.unlinkSync(lock);
    }
  } catch (error) {
    if (AiwError.is(error)) throw error;
    throw new AiwError("trust_store_invalid", `${file} cannot be written.`, {
      fix: "Make its folder writable for you alone, or set AIW_CONFIG_HOME to a folder that is.",
      cause: error,
    });
  }
}

/** Says of a file that is not believed what a person can do. */
export function toTrustError({ reason, fix }: TrustProblem): AiwError {
  return new AiwError("trust_store_invalid", `What is trusted cannot be recorded: ${reason}`, { fix });
}

/** Whoever makes the lock's file has the turn; the turn itself never waits, so that only a killed process leaves the file. */
async function takeTurn(file: string, ports: TrustPorts): Promise<string> {
  const lock = `${file}.lock`;
  for (let waited = 0; ; waited += WAIT_MS) {
    if (makeFile(lock, sayOwner(ports), ports)) return lock;
    if (waited >= PATIENCE_MS) releaseOfDead(lock, ports);
    if (waited >= MAX_WAIT_MS) {
      throw new AiwError("trust_store_invalid", `Another process keeps ${lock}.`, {
        fix: `When no other aiw is running, remove ${lock} and ${toBreaking(lock)}.`,
      });
    }
    await ports.wait(WAIT_MS);
  }
}

/**
 * Removes a lock whose process no longer runs on this machine. One process at a time does so, and nobody makes a lock where one
 * is: what is removed is what was judged.
 */
function releaseOfDead(lock: string, ports: TrustPorts): void {
  const breaking = toBreaking(lock);
  if (!makeFile(breaking, sayOwner(ports), ports)) return;
  try {
    if (isOfDead(readLock(lock, ports), ports)) ports.fs.unlinkSync(lock);
  } finally {
    ports.fs.unlinkSync(breaking);
  }
}

function toBreaking(lock: string): string {
  return `${lock}.breaking`;
}

function sayOwner({ processId, hostName }: TrustPorts): string {
  return `${processId} ${hostName()}\n`;
}

/** A process of another machine cannot be asked for. */
function isOfDead(owner: string, { hostName, isRunning }: TrustPorts): boolean {
  const [, id = "", host = ""] = /^([1-9][0-9]{0,9}) ([^\n]+)\n$/.exec(owner) ?? [];
  return id !== "" && host === hostName() && !isRunning(Number(id));
}

/** Longest name of a machine, with room for a number. */
const MAX_OWNER = 512;

function readLock(lock: string, { fs }: TrustPorts): string {
  try {
    const descriptor = fs.openSync(lock, READ_ONLY);
    try {
      const buffer = Buffer.alloc(MAX_OWNER);
      return buffer.toString("utf8", 0, fs.readSync(descriptor, buffer, 0, MAX_OWNER, null));
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    // Gone meanwhile, or nobody's to judge.
    return "";
  }
}

/** False when there is one already. */
function makeFile(file: string, text: string, { fs }: TrustPorts): boolean {
  try {
    fs.writeFileSync(file, text, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if (isErrno(error, "EEXIST")) return false;
    throw error;
  }
}

function replace(file: string, records: readonly TrustRecord[], { fs }: TrustPorts): void {
  const text = `${JSON.stringify({ trustVersion: TRUST_VERSION, records }, undefined, 2)}\n`;
  if (Buffer.byteLength(text) > MAX_TRUST_FILE) {
    throw toTrustError({
      reason: `${file} would become larger than ${MAX_TRUST_FILE} bytes.`,
      fix: "Take back trust in folders that are gone.",
    });
  }
  const temporary = `${file}.${crypto.randomUUID()}.tmp`;
  try {
    fs.writeFileSync(temporary, text, { flag: "wx", mode: 0o600 });
    fs.renameSync(temporary, file);
  } catch (error) {
    removeQuietly(temporary, fs);
    throw error;
  }
}

function removeQuietly(file: string, fs: TrustPorts["fs"]): void {
  try {
    fs.unlinkSync(file);
  } catch {
    // Never made, or renamed already.
  }
}
