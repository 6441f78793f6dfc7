import type { ToolSource } from "../../contract/tool-source.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { PackageHold } from "./hold-packages.ts";
import { refuseMissing, requireLock } from "./judge-lock.ts";
import type { LookedAt } from "./find-off.ts";
import type { PackageRecord } from "../read/read-package.ts";
import type { LockedRecords, LockGuard } from "./lock-guard.ts";
import { LockSource, refuseDrift } from "./lock-source.ts";
import type { FoundLock } from "./open-lock.ts";

/** A lock in force. */
export interface EnforcedLock extends LockGuard {
  /** What judges the whole after these sources have listed. */
  toSource(sources: readonly ToolSource[]): ToolSource;
  /**
   * Holds what code names later, when the whole has been judged.
   * @throws AiwError `lock_drift`, `lock_missing` where the lock must hold
   */
  holdMore(records: readonly PackageRecord[]): LockedRecords;
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
    holdMore: (records) => {
      const held = hold.hold(records);
      if (!isFrozen || held.notEnabled.length === 0) return held;
      const keys = new Set(held.notEnabled.map((one) => one.package));
      throw refuseDrift(
        file,
        held.notEnabled,
        hold.differences.filter((one) => keys.has(one.package)),
      );
    },
  };
}
