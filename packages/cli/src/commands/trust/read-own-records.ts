import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, relative, resolve, sep } from "node:path";
import type { AiwConfig } from "@aiw/core";
import { ANY_CONTENT, discoverTools, type TrustRecord, type TrustStore } from "@aiw/core/node";
import type { CliIo } from "../../io.ts";

/** What is trusted of a project. */
export interface OwnRecord extends TrustRecord {
  /** This content is there now; what was trusted of another allows nothing. */
  readonly current: boolean;
}

/** The project whose records are meant. */
export interface RecordsOf {
  readonly cwd: string;
  readonly environment: CliIo["environment"];
}

/**
 * Lists what is trusted of the project's folder and its folders of tools; projects inside it are others.
 * @throws AiwError as `discoverTools` does
 */
export async function readOwnRecords(store: TrustStore, { cwd, environment }: RecordsOf): Promise<OwnRecord[]> {
  const asked = new Set<string>();
  // Everything is asked for, as if it were trusted: a configuration names folders. Nothing is loaded, so nothing runs.
  const trust = {
    isTrusted: (dir: string, hash: string): boolean => {
      asked.add(keyOf({ dir, hash }));
      return true;
    },
  };
  const { report, config } = await discoverTools({ projectDir: cwd }, { environment, trust });
  const isOwn = createOwnership(report.project.dir, { config, environment });
  return store
    .list()
    .flatMap((record) =>
      isOwn(record) ? [{ ...record, current: record.hash === ANY_CONTENT || asked.has(keyOf(record)) }] : [],
    );
}

function createOwnership(
  dir: string,
  { config, environment }: { config: AiwConfig; environment: CliIo["environment"] },
): (record: TrustRecord) => boolean {
  const project = toReal(dir);
  const directories = [
    ...(config.sources?.directories ?? []),
    ...(environment["AIWHISPERER_PLUGINS_DIR"] ?? "").split(delimiter).filter((directory) => directory !== ""),
  ];
  const named = new Set([project, ...directories.map((directory) => toReal(resolve(dir, directory)))]);
  return (record) => named.has(record.dir) || (record.subject === "directory" && isInside(record.dir, project));
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

function keyOf({ dir, hash }: Pick<TrustRecord, "dir" | "hash">): string {
  return `${hash} ${dir}`;
}
