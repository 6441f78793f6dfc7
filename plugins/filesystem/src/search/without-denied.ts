import type { Workspace } from "@aiw/core/node";
import { join } from "node:path";
import type { SearchPlace } from "./search-place.ts";

interface Wish {
  /** Whether `admits` is true of all. */
  readonly admitsAll?: boolean;
  /** `admits` by a shorter way, which would pass by the rules. */
  readonly admitsKey?: ((key: string) => boolean) | undefined;
  admits(names: readonly string[]): boolean;
}

/** Leaves out what rules of the workspace keep from tools: ripgrep finds files without asking the workspace. */
export function withoutDenied<Wanted extends Wish>(workspace: Workspace, place: SearchPlace, wanted: Wanted): Wanted {
  if (!workspace.hasDenials) return wanted;
  return {
    ...wanted,
    ...(wanted.admitsAll !== undefined && { admitsAll: false }),
    ...(wanted.admitsKey !== undefined && { admitsKey: undefined }),
    admits: (names) => wanted.admits(names) && !workspace.isDenied(join(place.realPath, ...names)),
  };
}
