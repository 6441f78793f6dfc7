import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, relative, resolve, sep } from "node:path";
import type { AiwConfig, DiscoveryReport } from "@aiw/core";
import type { TrustRecord, TrustStore } from "@aiw/core/node";
import type { CliIo } from "../../io.ts";

/** What is trusted of a project. */
export interface OwnRecord extends TrustRecord {
  /** The folder says something else now, so that the record allows nothing. */
  readonly changed: boolean;
}

/** The project whose records are meant. */
export interface RecordsOf {
  readonly report: DiscoveryReport;
  /** What its configuration names. */
  readonly config: AiwConfig;
  readonly environment: CliIo["environment"];
}

/** Lists what is trusted of the project's folder and its folders of tools; projects inside it are others. */
export function listOwnRecords(store: TrustStore, { report, config, environment }: RecordsOf): OwnRecord[] {
  const { dir } = report.project;
  const project = toReal(dir);
  const directories = [
    ...(config.sources?.directories ?? []),
    ...(environment["AIWHISPERER_PLUGINS_DIR"] ?? "").split(delimiter).filter((directory) => directory !== ""),
  ];
  const named = new Set([project, ...directories.map((directory) => toReal(resolve(dir, directory)))]);
  return store
    .list()
    .filter((record) => named.has(record.dir) || (record.subject === "directory" && isInside(record.dir, project)))
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
