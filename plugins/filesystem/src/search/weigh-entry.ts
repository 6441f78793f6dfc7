import { lstatSync, type Stats } from "node:fs";
import type { SearchPlace } from "./search-place.ts";

/** What a listing is sorted by. */
export type SortKey = "mtime" | "path" | "size";

/** Reads by what an entry is sorted: its time or size, -1 when that cannot be learned. */
export type Weigher = (pathBelow: string | Uint8Array) => number;

/**
 * Makes the weigher of what lies below a place; paths sort without one.
 * It asks the system directly, which costs a twentieth of asking the workspace: a weight decides about the order alone, and what is shown is looked at again.
 */
export function weigherOf({ realPath }: SearchPlace, sort: SortKey): Weigher | undefined {
  if (sort === "path") return undefined;
  const prefix = realPath.endsWith("/") ? realPath : `${realPath}/`;
  return (below) => {
    const facts = lookAt(typeof below === "string" ? prefix + below : Buffer.concat([Buffer.from(prefix), below]));
    return facts === undefined ? -1 : sort === "mtime" ? facts.mtimeMs : facts.size;
  };
}

function lookAt(path: string | Buffer): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
