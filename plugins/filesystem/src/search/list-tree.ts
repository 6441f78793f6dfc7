import type { Workspace } from "@aiw/core/node";
import { listWithRipgrep } from "./list-with-ripgrep.ts";
import type { Engine } from "./open-engine.ts";
import type { SearchPlace } from "./search-place.ts";
import type { ListRequest, TreeListing } from "./tree-listing.ts";
import { walkTree } from "./walk-tree.ts";
import { withoutDenied } from "./without-denied.ts";

/** Lists what lies below a folder: files by the engine, folders, which engines do not tell, by the confined walk. */
export async function listTree(
  engine: Engine,
  { workspace, place }: { readonly workspace: Workspace; readonly place: SearchPlace },
  request: ListRequest,
): Promise<TreeListing> {
  if (request.kinds === "file") {
    const wanted = withoutDenied(workspace, place, request);
    const listing = await engine.withRipgrep(async (ripgrep) => await listWithRipgrep(ripgrep, place, wanted));
    if (listing !== undefined) return listing;
  }
  return await walkTree(workspace, place, request);
}
