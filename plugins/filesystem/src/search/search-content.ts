import type { Workspace } from "@aiw/core/node";
import type { Engine } from "./open-engine.ts";
import { searchBuiltin, searchFiles } from "./search-builtin.ts";
import type { SearchPlace } from "./search-place.ts";
import type { FileHits, SearchOutcome, SearchQuery } from "./search-query.ts";
import { searchWithRipgrep } from "./search-with-ripgrep.ts";

/** Searches files with ripgrep where it can be started, and with the built-in engine otherwise; files come sorted by path. */
export async function searchContent(
  engine: Engine,
  { workspace, place }: { readonly workspace: Workspace; readonly place: SearchPlace },
  query: SearchQuery,
): Promise<SearchOutcome> {
  const found = await engine.withRipgrep(async (program) => await searchWithRipgrep(program, place, query));
  if (found === undefined) return sortFiles(await searchBuiltin(workspace, place, query));
  const { unfinished, ...outcome } = found;
  if (unfinished.length === 0) return sortFiles(outcome);
  if (query.pcre2) return sortFiles({ ...outcome, unreadable: outcome.unreadable + unfinished.length });
  const entries = unfinished.map((names) => ({ names, kind: "file" as const }));
  const rest = await searchFiles(workspace, { place, entries }, query);
  return sortFiles({
    ...outcome,
    files: [...outcome.files, ...rest.files],
    unreadable: outcome.unreadable + rest.unreadable,
    ...(outcome.stoppedBy === undefined && rest.stoppedBy !== undefined && { stoppedBy: rest.stoppedBy }),
  });
}

function sortFiles(outcome: SearchOutcome): SearchOutcome {
  const key = ({ names }: FileHits): string => names.join("/");
  const files = outcome.files.toSorted((left, right) => (key(left) < key(right) ? -1 : 1));
  return { ...outcome, files };
}
