import { ToolError } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { RecordCollector } from "./collect-records.ts";
import { startDeadline, type Deadline } from "./deadline.ts";
import { eachRecord } from "./json-records.ts";
import { namesBelowPlace } from "./list-with-ripgrep.ts";
import { runRipgrep } from "./run-ripgrep.ts";
import { pathBelowPlace, type SearchPlace } from "./search-place.ts";
import { MOST_HELD, MOST_HITS, type SearchOutcome, type SearchQuery } from "./search-query.ts";

/** What ripgrep found; files with a line too long to be told wait for another look. */
export interface RipgrepOutcome extends Omit<SearchOutcome, "files" | "counts"> {
  readonly collector: RecordCollector;
}

/** Where ripgrep searches. */
export interface RipgrepScope {
  readonly workspace: Workspace;
  readonly place: SearchPlace;
}

/** Having ripgrep look at the size of every file costs a sixth of a search; it is worth that only where a search takes longer than this. */
const SOON_MS = 2000;
/** A limit below this leaves out so many files that ripgrep does it best. */
const LARGE_LIMIT = 1024 * 1024;

/**
 * Searches a place, or gives `undefined` when the program cannot be started.
 * @throws ToolError `invalid_regex` with ripgrep's message.
 */
export async function searchWithRipgrep(
  program: string,
  scope: RipgrepScope,
  query: SearchQuery,
): Promise<RipgrepOutcome | undefined> {
  const isQuick = scope.place.kind === "directory" && !query.multiline && query.maxFileBytes >= LARGE_LIMIT;
  if (isQuick && query.deadline.remaining() > 2 * SOON_MS) {
    using soon = startDeadline(SOON_MS, query.deadline.signal);
    const outcome = await searchOnce(program, scope, { query, deadline: soon, isBounded: false });
    if (outcome?.stoppedBy !== "time" || query.deadline.isOver()) return outcome;
  }
  return await searchOnce(program, scope, { query, deadline: query.deadline, isBounded: true });
}

interface Attempt {
  readonly query: SearchQuery;
  readonly deadline: Deadline;
  /** Whether ripgrep leaves out large files; else their sizes are asked for afterwards. */
  readonly isBounded: boolean;
}

async function searchOnce(
  program: string,
  { workspace, place }: RipgrepScope,
  { query, deadline, isBounded }: Attempt,
): Promise<RipgrepOutcome | undefined> {
  await using run = await runRipgrep(program, {
    place,
    hidden: query.hidden,
    noIgnore: query.noIgnore,
    options: toOptions(place, query, isBounded),
    signal: deadline.signal,
    ...(query.only && { only: query.only }),
  });
  if (run === undefined) return undefined;
  const collector = new RecordCollector(place, query);
  const outcome = (more: Pick<RipgrepOutcome, "stoppedBy" | "unreadable" | "ignored">): RipgrepOutcome => {
    return { collector, unnamed: collector.unnamed, engine: "ripgrep", ...more };
  };
  const { page } = collector;
  let isTooMuch = false;
  await eachRecord(
    run.stdout,
    (record) => collector.take(record),
    () => {
      isTooMuch = page.counts.lines >= MOST_HITS || page.held >= MOST_HELD;
      return !isTooMuch && !deadline.isOver();
    },
  );
  if (!isTooMuch && deadline.isOver()) {
    addDoubtful(collector, new Set());
    return outcome({ stoppedBy: "time", unreadable: 0 });
  }
  addDoubtful(collector, isBounded ? new Set() : await findLarge(workspace, place, { query, collector }));
  if (isTooMuch) return outcome({ stoppedBy: "volume", unreadable: 0 });
  const { exitCode, messages, isFailed } = await run.ended();
  if (deadline.isOver()) return outcome({ stoppedBy: "time", unreadable: 0 });
  if (isFailed) return undefined;
  if (exitCode === 2 && messages.text.trim() !== "") throw invalidRegex(messages.text, query);
  const ignored = messages.ignored?.map((path) => namesBelowPlace(path, place));
  return outcome({ unreadable: exitCode === 2 ? 1 : 0, ...(ignored && { ignored }) });
}

function addDoubtful({ doubtful }: RecordCollector, large: ReadonlySet<readonly string[]>): void {
  for (const { names, add } of doubtful) if (!large.has(names)) add();
}

/** Files that are really larger than those that are searched. */
async function findLarge(
  workspace: Workspace,
  place: SearchPlace,
  { query, collector }: { readonly query: SearchQuery; readonly collector: RecordCollector },
): Promise<ReadonlySet<readonly string[]>> {
  const large = new Set<readonly string[]>();
  for (const { names } of collector.doubtful) {
    const size = await sizeOf(workspace, pathBelowPlace(place, names));
    if (size > query.maxFileBytes) large.add(names);
  }
  return large;
}

async function sizeOf(workspace: Workspace, path: string): Promise<number> {
  try {
    return (await workspace.stat(path)).size;
  } catch (error) {
    if (ToolError.is(error) && error.code !== "cancelled") return 0;
    throw error;
  }
}

function toOptions(place: SearchPlace, query: SearchQuery, isBounded: boolean): string[] {
  const names = place.kind === "file" ? [] : query.names;
  return [
    "--json",
    "--no-mmap",
    ...(isBounded ? [`--max-filesize=${query.maxFileBytes}`] : []),
    `--encoding=${query.encoding}`,
    query.ignoreCase ? "--ignore-case" : "--case-sensitive",
    ...(query.literal ? ["--fixed-strings"] : query.pcre2 ? ["--pcre2"] : []),
    ...(query.word ? ["--word-regexp"] : []),
    query.multiline ? "--multiline" : "--crlf",
    ...(query.invert ? ["--invert-match"] : []),
    ...names.map((name) => `--type-add=wanted:${name}`),
    ...(names.length > 0 ? ["--type=wanted"] : []),
    "-e",
    query.pattern,
  ];
}

/** What stderr holds is about the pattern: messages about files are off. */
function invalidRegex(stderr: string, { pcre2, multiline, again }: SearchQuery) {
  const said = /(?:error: |PCRE2: )(.+)/u.exec(stderr)?.[1] ?? stderr.replace(/^rg: /u, "").split("\n", 1)[0] ?? "";
  const isAcrossLines = !multiline && /multiline mode/iu.test(stderr);
  const isLookAround = !pcre2 && /look-?a|backreference/iu.test(stderr);
  return filesystemError("invalid_regex", `Invalid regular expression: ${said.slice(0, 500)}`, {
    suggestion: isAcrossLines
      ? `${again({ multiline: true })}: then the pattern may hold line breaks, and carriage returns are seen.`
      : isLookAround
        ? `${again({ pcre2: true })} knows look-around and back-references.`
        : `${again({ literal: true })} searches for it as it is; else escape the special characters.`,
    details: { engine: "ripgrep", message: stderr.slice(0, 1000) },
  });
}
