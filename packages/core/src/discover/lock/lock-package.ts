import type { DiscoveryFileSystem } from "../discovery-ports.ts";
import type { RecordedTool } from "../read/read-declared-tools.ts";
import type { PackageRecord } from "../read/read-package.ts";
import { isEqualJson } from "../../schema/is-equal-json.ts";
import { hashFiles, hashValue } from "./hash-bytes.ts";
import { UnpinnableContent } from "./hash-folder.ts";
import type { LockedPackage, LockedTool } from "./lock-file.ts";
import { readContent } from "./read-content.ts";

/**
 * Says what a lock would pin of a package as it is on disk now, or why nothing can be. What is equal to what is pinned of it
 * already takes its hash from there: that one was right when it was read.
 */
export function lockPackage(
  record: PackageRecord,
  fs: DiscoveryFileSystem,
  known?: LockedPackage,
): LockedPackage | { readonly problem: string } {
  try {
    const files = readContent(record, fs);
    const { id, packageName, version = "", tools } = record;
    return {
      ...(packageName !== undefined && packageName !== id && { name: packageName }),
      version,
      content: known !== undefined && areEqual(known.files, files) ? known.content : hashFiles(files),
      files,
      tools: new Map(tools.flatMap((tool) => toLocked(tool, known?.tools.get(tool.name)))),
    };
  } catch (error) {
    if (error instanceof UnpinnableContent) return { problem: error.message };
    if (error instanceof TypeError || error instanceof RangeError) return { problem: "a definition of it is no JSON" };
    throw error;
  }
}

function toLocked({ name, spec, module, export: exported }: RecordedTool, known?: LockedTool): [string, LockedTool][] {
  if (spec === undefined) return [];
  const locked = {
    definitionHash: known !== undefined && isEqualJson(known.spec, spec) ? known.definitionHash : hashValue(spec),
    ...(module !== undefined && { module }),
    ...(exported !== undefined && { export: exported }),
    spec,
  };
  return [[name, locked]];
}

function areEqual(known: ReadonlyMap<string, string>, files: ReadonlyMap<string, string>): boolean {
  return known.size === files.size && [...known].every(([name, hash]) => files.get(name) === hash);
}
