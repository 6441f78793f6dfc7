import * as path from "node:path";
import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import type { Refusal } from "../read/read-declaration.ts";
import { modulesOf, type PackageRecord } from "../read/read-package.ts";
import { checkContainment } from "./import-entry.ts";

/** A file that would not be loaded, and what it takes away. */
export interface MissingEntry {
  /** Ids of tools, or of the package whose tools only the file knows. */
  readonly ids: readonly string[];
  readonly refusal: Refusal;
}

/** Finds the modules of a package that are not in it; runs nothing. */
export function findMissingEntries(record: PackageRecord, fs: DiscoveryFileSystem): MissingEntry[] {
  return modulesOf(record).flatMap((module) => {
    const refusal = checkContainment({ ...record, module }, path.join(record.dir, module), fs);
    if (refusal === undefined) return [];
    const tools = record.tools.filter((tool) => tool.module === module).map(({ name }) => name);
    const [only] = tools;
    if (only === undefined) return [{ ids: [record.id], refusal }];
    const ids = tools.map((name) => `${record.id}/${name}`);
    return [{ ids, refusal: tools.length === 1 ? { ...refusal, tool: only } : refusal }];
  });
}
