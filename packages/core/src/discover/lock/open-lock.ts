import type { Environment } from "../../config/resolve-secrets.ts";
import type { AiwConfig } from "../../config/aiw-config.ts";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import { isAbsent } from "../locate-packages.ts";
import { constants } from "node:fs";
import * as path from "node:path";
import { readText, type TextRead } from "../files/read-text.ts";
import { LOCK_FILE, MAX_LOCK } from "./lock-file.ts";

/** A lock's file, and what reading it gave; nothing is judged yet. */
export interface FoundLock {
  readonly file: string;
  readonly read: TextRead;
}

/** Looks for a project's lock: one open that fails where there is none. A link is none that anybody reviewed. */
export function findLock(projectDir: string, fs: DiscoveryFileSystem): FoundLock | undefined {
  const file = path.join(projectDir, LOCK_FILE);
  const read = readText(fs, file, { limit: MAX_LOCK, flags: constants.O_NOFOLLOW ?? 0 });
  return isAbsent(read) ? undefined : { file, read };
}

/** True when anybody asks for it: option, `AIWHISPERER_FROZEN` (other than `0` and `false`) or configuration. */
export function isFrozen(option: boolean | undefined, environment: Environment, config: AiwConfig): boolean {
  const said = (environment["AIWHISPERER_FROZEN"] ?? "").trim().toLowerCase();
  return option === true || !["", "0", "false"].includes(said) || config.discovery?.frozen === true;
}
