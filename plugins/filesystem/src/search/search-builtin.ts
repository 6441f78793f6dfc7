import { ToolError } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { toRegexSource } from "./compile-regex.ts";
import type { TextHits } from "./find-hits.ts";
import type { HitPage } from "./hit-page.ts";
import { pathBelowPlace, type SearchPlace } from "./search-place.ts";
import { MOST_HELD, MOST_HITS, type FileHits, type SearchOutcome, type SearchQuery } from "./search-query.ts";
import { proveLines, toLines, toSearchText } from "./search-text.ts";
import { startMatcher, type MatcherThread } from "./start-matcher.ts";
import type { ListedEntry } from "./tree-listing.ts";
import { walkTree } from "./walk-tree.ts";

const MOST_FILES = 1_000_000;

/** What a search says beside the files, which it gives to the page. */
type BuiltinOutcome = Omit<SearchOutcome, "files" | "counts">;

/**
 * Searches a place with the built-in engine, reading through the confined workspace.
 * @throws ToolError `invalid_regex`, and `not_configured` for `pcre2`.
 */
export async function searchBuiltin(
  workspace: Workspace,
  { place, page }: { readonly place: SearchPlace; readonly page: HitPage },
  query: SearchQuery,
): Promise<BuiltinOutcome> {
  // Wrong patterns are told before anything is listed.
  toRegex(query);
  const listing =
    place.kind === "file"
      ? { entries: [{ names: [], kind: "file" } as const], isComplete: true, unreadable: 0 }
      : await walkTree(workspace, place, { ...query, kinds: "file", maxEntries: MOST_FILES });
  const outcome = await searchFiles(workspace, { place, page, entries: listing.entries }, query);
  const stoppedBy = outcome.stoppedBy ?? (listing.isComplete ? undefined : query.deadline.isOver() ? "time" : "volume");
  return { ...outcome, unreadable: outcome.unreadable + listing.unreadable, ...(stoppedBy && { stoppedBy }) };
}

interface FilesToSearch {
  readonly place: SearchPlace;
  readonly page: HitPage;
  readonly entries: readonly ListedEntry[];
}

/** Searches the files given. */
export async function searchFiles(
  workspace: Workspace,
  { place, page, entries }: FilesToSearch,
  query: SearchQuery,
): Promise<BuiltinOutcome> {
  const { multiline, invert, keep, deadline } = query;
  await using matcher = startMatcher({ regex: toRegex(query), multiline, invert, keep }, deadline.signal);
  const count = { unreadable: 0, unnamed: 0 };
  const finish = (stoppedBy?: "time" | "volume"): BuiltinOutcome => {
    return { engine: "builtin", ...count, ...(stoppedBy && { stoppedBy }) };
  };
  for (const { names, bytes } of entries) {
    if (deadline.isOver()) return finish("time");
    if (page.counts.lines >= MOST_HITS || page.held >= MOST_HELD) return finish("volume");
    if (bytes !== undefined) {
      count.unnamed += 1;
      continue;
    }
    const found = await searchFile(workspace, { matcher, path: pathBelowPlace(place, names), names }, query);
    if (deadline.isOver()) return finish("time");
    if (found === "unreadable") count.unreadable += 1;
    else if (found !== undefined && found.total > 0) {
      page.add({ key: names.join("/"), total: found.total, toHits: () => found });
    }
  }
  return finish();
}

interface FileSearch {
  readonly matcher: MatcherThread;
  readonly path: string;
  readonly names: readonly string[];
}

async function searchFile(
  workspace: Workspace,
  { matcher, path, names }: FileSearch,
  { encoding, maxFileBytes }: SearchQuery,
): Promise<FileHits | "unreadable" | undefined> {
  try {
    const { bytes } = await workspace.readFile(path, { maxBytes: maxFileBytes });
    const content = toSearchText(bytes, encoding);
    if (content === undefined) return undefined;
    const found = await matcher.find(content.text);
    return found === undefined ? "unreadable" : toFileHits(content.text, names, found);
  } catch (error) {
    if (!ToolError.is(error) || error.code === "cancelled") throw error;
    return error.code === "too_large" || error.code === "not_found" ? undefined : "unreadable";
  }
}

function toFileHits(text: string, names: readonly string[], { total, hits }: TextHits): FileHits {
  if (total === 0) return { names, total, hits: [] };
  const lines = toLines(text);
  const proved = hits.map((hit) => ({ ...hit, proof: proveLines(lines.slice(hit.line - 1, hit.endLine)) }));
  return { names, total, hits: proved };
}

function toRegex(query: SearchQuery) {
  const { pattern } = query;
  if (query.pcre2 && !query.literal) {
    throw filesystemError("not_configured", "pcre2=true needs ripgrep, which is not available here.", {
      suggestion: `${query.again({ pcre2: false })}, with the pattern written without look-around and back-references.`,
    });
  }
  const regex = toRegexSource(query);
  if (!("problem" in regex)) return regex;
  throw filesystemError("invalid_regex", `Invalid regular expression: ${regex.problem.slice(0, 500)}`, {
    suggestion: /\(\?[=!<]/u.test(pattern)
      ? `${query.again({ pcre2: true })} knows look-around and back-references.`
      : `${query.again({ literal: true })} searches for it as it is; else escape the special characters.`,
    details: { engine: "builtin", message: regex.problem.slice(0, 1000) },
  });
}
