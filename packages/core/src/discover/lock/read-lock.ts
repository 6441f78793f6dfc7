import { nodePorts } from "../discovery-ports.ts";
import { requireLock } from "./judge-lock.ts";
import type { AiwLock } from "./lock-file.ts";
import { findLock } from "./open-lock.ts";

/**
 * Reads the lock of a project's folder; undefined when there is none.
 * @throws AiwError `lock_invalid` for one that cannot be read, has conflicts, is newer, or is not as it is written.
 */
export function readLock(projectDir: string): AiwLock | undefined {
  const found = findLock(projectDir, nodePorts.fs);
  return found && requireLock(found);
}
