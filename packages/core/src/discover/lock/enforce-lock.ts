import type { ToolSource } from "../../contract/tool-source.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { PackageHold } from "./hold-packages.ts";
import { refuseMissing, requireLock } from "./judge-lock.ts";
import type { LookedAt } from "./find-off.ts";
import type { LockGuard } from "./lock-guard.ts";
import { LockSource } from "./lock-source.ts";
import type { FoundLock } from "./open-lock.ts";

/** A lock in force. */
export interface EnforcedLock extends LockGuard {
  /** What judges the whole after these sources have listed. */
  toSource(sources: readonly ToolSource[]): ToolSource;
}

/** What is to be enforced. */
export interface EnforceLockOptions {
  readonly found: FoundLock | undefined;
  /** Where it would be. */
  readonly file: string;
  readonly isFrozen: boolean;
  readonly fs: DiscoveryFileSystem;
  readonly lookedAt: LookedAt;
}

/**
 * Reads a lock and lets only what it pins through.
 * @throws AiwError `lock_missing` where it must be there, `lock_invalid`
 */
export function enforceLock({ found, file, isFrozen, fs, lookedAt }: EnforceLockOptions): EnforcedLock {
  if (found === undefined) return refuseMissing(file);
  const lock = requireLock(found);
  const hold = new PackageHold({ lock, file, fs });
  return {
    hold: (records) => hold.hold(records),
    toSource: (sources) => new LockSource({ lock, file, isFrozen, hold, sources, lookedAt }),
  };
}
