import type { Finding } from "../../register/discovery-report.ts";
import type { PackageRecord } from "../read/read-package.ts";

/** What a lock lets through. */
export interface LockedRecords {
  readonly records: readonly PackageRecord[];
  readonly notEnabled: readonly Finding[];
}

/** Stands between what was read and what is listed: holds back what is not as it is pinned. */
export interface LockGuard {
  hold(records: readonly PackageRecord[]): LockedRecords;
}
