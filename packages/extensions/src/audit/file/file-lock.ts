import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { AiwError } from "@aiw/core";
import { FILE_MODE, isErrno, OPEN, type AuditFs } from "./audit-fs.ts";

/** Milliseconds to wait for others, and after which a lock that did not change counts as left behind. */
const MAX_WAIT_MS = 1400;
const STALE_MS = 10_000;
/** Milliseconds a turn may last until its work must not begin to write any more. */
const MAX_TURN_MS = 5000;
const MAX_LOCK_BYTES = 512;

/** What the lock needs beside the disk. */
export interface LockPorts {
  readonly fs: AuditFs;
  readonly processId: number;
  readonly hostName: string;
  isAlive(processId: number): boolean;
  wait(ms: number): Promise<void>;
  /** A clock that never goes back, in milliseconds. */
  tick(): number;
}

/** The lock of this process on a disk. */
export function toLockPorts(fs: AuditFs): LockPorts {
  return {
    fs,
    processId: process.pid,
    hostName: hostname(),
    isAlive,
    wait: (ms) => sleep(ms),
    tick: () => performance.now(),
  };
}

/**
 * Lets processes take turns at a trail by a file that only one of them can make. What a killed process left is removed: at once
 * where it can be asked for, else when it has not changed for ten seconds.
 */
export class FileLock {
  readonly #path: string;
  readonly #ports: LockPorts;
  /** The owner of a turn whose lock could not be removed. */
  #left: string | undefined;
  readonly #seen = new Map<string, { readonly owner: string; readonly since: number }>();

  constructor(path: string, ports: LockPorts) {
    this.#path = path;
    this.#ports = ports;
  }

  /** Runs work while nobody else does; the work asks `assertHeld` before it writes. @throws AiwError `audit_failed` when others do not let it have its turn. */
  async hold<Value>(work: (assertHeld: () => void) => Promise<Value>): Promise<Value> {
    const { tick } = this.#ports;
    const owner = await this.#take();
    const since = tick();
    try {
      return await work(() => {
        if (tick() - since > MAX_TURN_MS) throw busy(this.#path);
      });
    } finally {
      await this.#release(owner);
    }
  }

  async #take(): Promise<string> {
    const { processId, hostName, tick, wait } = this.#ports;
    const owner = `${processId} ${randomUUID()} ${hostName}\n`;
    const since = tick();
    for (let pause = 1; ; pause = Math.min(pause * 2, 16)) {
      if (await this.#make(this.#path, owner)) return owner;
      await this.#releaseLeftBehind();
      if (tick() - since > MAX_WAIT_MS) throw busy(this.#path);
      // Processes that began to wait together must not stay together.
      await wait(pause * (0.5 + Math.random()));
    }
  }

  async #make(path: string, content: string): Promise<boolean> {
    const { fs } = this.#ports;
    try {
      const file = await fs.open(path, OPEN.create, FILE_MODE);
      try {
        const bytes = new TextEncoder().encode(content);
        await file.write(bytes, { offset: 0, length: bytes.length, position: 0 });
      } catch (error) {
        await this.#remove(path);
        throw error;
      } finally {
        await file.close();
      }
      return true;
    } catch (error) {
      if (isErrno(error, "EEXIST")) return false;
      throw error;
    }
  }

  /** One process at a time looks and removes, so that what is removed is what was judged. */
  async #releaseLeftBehind(): Promise<void> {
    if (!this.#isLeftBehind(await this.#readOwner(this.#path))) return;
    const breaking = `${this.#path}.breaking`;
    if (!(await this.#make(breaking, "\n"))) {
      // Whoever was killed between two system calls leaves this one.
      if (this.#isUnchanged(breaking, "\n")) await this.#remove(breaking);
      return;
    }
    this.#seen.delete(breaking);
    try {
      if (this.#isLeftBehind(await this.#readOwner(this.#path))) await this.#remove(this.#path);
    } finally {
      await this.#remove(breaking);
    }
  }

  #isLeftBehind(owner: string | undefined): boolean {
    if (owner === undefined) return false;
    if (owner === this.#left) return true;
    const { hostName, isAlive: lives } = this.#ports;
    const [id = "", , host] = owner.trimEnd().split(" ");
    // Of another machine, or another container, nobody here knows which processes live.
    if (host === hostName && /^[1-9]\d*$/.test(id) && !lives(Number(id))) return true;
    return this.#isUnchanged(this.#path, owner);
  }

  #isUnchanged(path: string, owner: string): boolean {
    const { tick } = this.#ports;
    const seen = this.#seen.get(path);
    if (seen?.owner === owner) return tick() - seen.since > STALE_MS;
    this.#seen.set(path, { owner, since: tick() });
    return false;
  }

  async #release(owner: string): Promise<void> {
    try {
      // Who took very long may have lost the turn to somebody else.
      if ((await this.#readOwner(this.#path)) === owner) await this.#remove(this.#path);
    } catch {
      // The work is done whatever becomes of the lock; it is removed at the next turn.
      this.#left = owner;
    }
  }

  async #readOwner(path: string): Promise<string | undefined> {
    const { fs } = this.#ports;
    try {
      const file = await fs.open(path, OPEN.read);
      try {
        const bytes = new Uint8Array(MAX_LOCK_BYTES);
        const { bytesRead } = await file.read(bytes, { offset: 0, length: bytes.length, position: 0 });
        return new TextDecoder().decode(bytes.subarray(0, bytesRead));
      } finally {
        await file.close();
      }
    } catch (error) {
      if (isErrno(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  async #remove(path: string): Promise<void> {
    try {
      await this.#ports.fs.unlink(path);
    } catch (error) {
      if (!isErrno(error, "ENOENT")) throw error;
    }
  }
}

function busy(path: string): AiwError {
  return new AiwError("audit_failed", `Another process keeps ${path}.`, {
    fix: `When no other process records calls there, remove ${path}.`,
  });
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // Somebody else's process lives too.
    return !isErrno(error, "ESRCH");
  }
}
