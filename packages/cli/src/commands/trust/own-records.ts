import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { ToolRegistry } from "@aiw/core";
import type { TrustRecord, TrustStore } from "@aiw/core/node";

/** What is trusted of a project. */
export interface OwnRecord extends TrustRecord {
  /** The folder says something else now, so that the record allows nothing. */
  readonly changed: boolean;
}

/** Lists what is trusted of the project's folder, folders in it, and those that its configuration names. */
export function listOwnRecords(
  store: TrustStore,
  { report, config }: Pick<ToolRegistry, "report" | "config">,
): OwnRecord[] {
  const { dir } = report.project;
  const project = toReal(dir);
  const named = new Set((config.sources?.directories ?? []).map((directory) => toReal(resolve(dir, directory))));
  return store
    .list()
    .filter((record) => isInside(record.dir, project) || named.has(record.dir))
    .map((record) => ({ ...record, changed: report.waiting.some((one) => isSameSubject(one, record)) }));
}

function isSameSubject(
  waiting: Pick<TrustRecord, "subject" | "dir">,
  record: Pick<TrustRecord, "subject" | "dir">,
): boolean {
  return waiting.dir === record.dir && waiting.subject === record.subject;
}

function isInside(target: string, folder: string): boolean {
  const path = relative(folder, target);
  return !isAbsolute(path) && path.split(sep)[0] !== "..";
}

function toReal(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    // A folder that is gone may have been trusted by that name.
    return path;
  }
}
