import type { Workspace } from "@aiw/core/node";
import { HitPage } from "./hit-page.ts";
import type { Engine } from "./open-engine.ts";
import { searchBuiltin, searchFiles } from "./search-builtin.ts";
import type { SearchPlace } from "./search-place.ts";
import type { SearchOutcome, SearchQuery } from "./search-query.ts";
import { searchWithRipgrep } from "./search-with-ripgrep.ts";
import { withoutDenied } from "./without-denied.ts";

/** Searches files with ripgrep where it can be started, and with the built-in engine otherwise. */
export async function searchContent(
  engine: Engine,
  { workspace, place }: { readonly workspace: Workspace; readonly place: SearchPlace },
  query: SearchQuery,
): Promise<SearchOutcome> {
  const wanted = withoutDenied(workspace, place, query);
  const found = await engine.withRipgrep(
    async (program) => await searchWithRipgrep(program, { workspace, place }, wanted),
  );
  if (found === undefined) {
    const page = new HitPage(query);
    const outcome = await searchBuiltin(workspace, { place, page }, query);
    return { ...outcome, files: page.finish(), counts: page.counts };
  }
  const { collector, ...outcome } = found;
  const { page, unfinished } = collector;
  const finish = (more: Partial<SearchOutcome>): SearchOutcome => {
    return { ...outcome, ...more, files: page.finish(), counts: page.counts };
  };
  if (unfinished.length === 0) return finish({});
  if (query.pcre2) return finish({ unreadable: outcome.unreadable + unfinished.length });
  const entries = unfinished.map((names) => ({ names, kind: "file" as const }));
  const rest = await searchFiles(workspace, { place, page, entries }, query);
  const stoppedBy = outcome.stoppedBy ?? rest.stoppedBy;
  return finish({ unreadable: outcome.unreadable + rest.unreadable, ...(stoppedBy && { stoppedBy }) });
}
