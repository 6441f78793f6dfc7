import { dirname } from "node:path";
import { AiwError } from "@aiw/core";
import type { AuditFs } from "./audit-fs.ts";
import { isInside } from "./is-inside.ts";

/**
 * Makes a folder for records, for its user alone; with `within`, only where links do not lead out of that folder.
 * @throws AiwError `audit_failed` for one that leads out.
 */
export async function makeFolder(folder: string, within: string | undefined, fs: AuditFs): Promise<void> {
  if (within !== undefined) await assertWithin(folder, within, fs);
  if ((await fs.lstat(folder)) === undefined) await fs.mkdir(folder);
}

/** What is there already decides: what is made below it is no link. */
async function assertWithin(folder: string, within: string, fs: AuditFs): Promise<void> {
  let there = folder;
  while ((await fs.lstat(there)) === undefined && dirname(there) !== there) there = dirname(there);
  if (isInside(await fs.realpath(there), await fs.realpath(within))) return;
  throw new AiwError("audit_failed", `${folder} leads out of ${within}.`, {
    fix: "Name an absolute path where the record may be.",
  });
}
