import { defineTool, type ToolContext, type ToolResult } from "@aiw/core";
import { openWorkspace, type Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { showName } from "../files/show-name.ts";
import { spellAgain } from "../files/spell-again.ts";
import { withNextCall } from "../files/suggest-next.ts";
import { filesystemOptions, type FilesystemOptions } from "../options.ts";
import { readStateKey } from "../read-state.ts";
import { jsonSize } from "../result/json-size.ts";
import { roomFor } from "../result/room-for.ts";
import { startDeadline } from "../search/deadline.ts";
import { grepInput, grepOutput, MOST_FILE_BYTES, type GrepInput, type GrepOutput } from "../search/grep-schema.ts";
import { findSearchable } from "../search/ignored-entries.ts";
import { openEngine, type Engine } from "../search/open-engine.ts";
import type { Context } from "../search/render-hits.ts";
import { searchContent } from "../search/search-content.ts";
import { findSearchPlace, type SearchPlace } from "../search/search-place.ts";
import type { FileHits, SearchOutcome, SearchQuery } from "../search/search-query.ts";
import { showHits, type ShownHits } from "../search/show-hits.ts";
import { toSearchQuery } from "../search/to-search-query.ts";

const SEARCH_MS = 20_000;
const SHOW_MS = 6000;
const HIDDEN_MS = 3000;
/** What the result takes beside its hits: names of fields, counts and notices about the whole. */
const BASE_CHARACTERS = 1200;

/** Searches inside files. */
export const grep = defineTool({
  name: "grep",
  title: "Search inside files",
  description:
    "Searches file contents for a regular expression (or plain text with literal=true). Ignore files such as .gitignore are respected, hidden files " +
    "are searched, binary files and .git are not. Few matches come with the lines around them. output_mode chooses lines, files, counts or objects.",
  input: grepInput,
  output: grepOutput,
  options: filesystemOptions,
  effects: "read",
  permissions: ["fs:read"],
  category: "filesystem",
  tags: ["filesystem", "search", "grep", "regex", "default"],
  timeoutMs: 30_000,
  instructions: {
    purpose: "Find where something is said or used in the workspace. To find files by name use glob.",
    expectedOutput:
      "An object with `content` (or `files`, `counts`, `matches` by output_mode), `total_matches`, the `engine` used, and `next_offset` when more follow.",
    examples: [
      {
        need: "find where a function is used",
        when: "find the callers of parseUrl",
        input: { pattern: "parseUrl\\(", include: ["*.ts"] },
      },
      {
        need: "find plain text",
        when: "find a text with special characters as it is",
        input: { pattern: "a[0].b()", literal: true },
      },
      {
        need: "find files that mention something",
        when: "learn which files hold a TODO",
        input: { pattern: "TODO", output_mode: "files" },
      },
    ],
  },
  execute: (args, context) =>
    withNextCall(
      args.path,
      (path) => spellAgain("grep", grepInput, { ...args, path }),
      async () => await runGrep(args, context),
    ),
  preview: previewGrep,
});

interface GrepScope {
  readonly args: GrepInput;
  readonly workspace: Workspace;
  readonly place: SearchPlace;
  readonly engine: Engine;
  readonly query: SearchQuery;
}

async function runGrep(args: GrepInput, context: ToolContext<FilesystemOptions>): Promise<GrepOutput> {
  using deadline = startDeadline(SEARCH_MS, context.signal);
  const query = toSearchQuery(args, deadline);
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const place = await findSearchPlace(workspace, context.workspace, { path: args.path, noIgnore: args.no_ignore });
  if (place.kind === "file") await assertSmallEnough(workspace, args);
  const engine = openEngine({ options: context.options, roots: context.workspace.roots });
  const scope: GrepScope = { args, workspace, place, engine, query };
  const outcome = await searchContent(engine, scope, query);
  context.signal.throwIfAborted();
  const most = roomFor(context);
  using showTime = startDeadline(SHOW_MS, context.signal);
  const page = toPage(args, outcome.files);
  const total = outcome.counts.lines;
  const shown = await showHits(workspace, {
    args,
    place,
    query,
    page,
    context: toContext(args, total),
    mostCharacters: most - BASE_CHARACTERS,
    deadline: showTime,
  });
  context.signal.throwIfAborted();
  const hint = total === 0 ? await findHidden(scope, outcome, context.signal) : undefined;
  const result = toOutput(scope, { outcome, shown, total, hint });
  if (jsonSize(result) <= most) await markSeen(shown, context);
  return result;
}

/** Lines that somebody shortens on their way to the model are not seen; those of a result that fits are. */
async function markSeen({ seen }: ShownHits, context: ToolContext<FilesystemOptions>): Promise<void> {
  const state = await context.session.get(readStateKey);
  for (const { realPath, ...lines } of seen) state.mark(realPath, lines);
}

async function assertSmallEnough(workspace: Workspace, args: GrepInput): Promise<void> {
  const { path, max_file_bytes: most } = args;
  const { size } = await workspace.stat(path);
  if (size <= most) return;
  throw filesystemError("too_large", `The file has ${size} bytes; at most ${most} are searched: ${path}`, {
    suggestion:
      size <= MOST_FILE_BYTES
        ? spellAgain("grep", grepInput, { ...args, max_file_bytes: size })
        : "Files above 100 MiB cannot be searched.",
    details: { size, max_bytes: most },
  });
}

function isByHit({ output_mode: mode }: GrepInput): boolean {
  return mode === "content" || mode === "matches";
}

/** The hits, or files, that this call's page holds. */
function toPage(args: GrepInput, files: readonly FileHits[]): FileHits[] {
  const end = args.offset + args.max_matches;
  if (!isByHit(args)) return files.slice(args.offset, end);
  let before = 0;
  return files.flatMap((file) => {
    const hits = file.hits.slice(Math.max(0, args.offset - before), Math.max(0, end - before));
    before += file.hits.length;
    return hits.length === 0 ? [] : [{ ...file, hits }];
  });
}

/** Few hits are shown with what surrounds them, unless lines around were asked for. */
function toContext(args: GrepInput, total: number): Context {
  const before = Math.max(args.before, args.context);
  const after = Math.max(args.after, args.context);
  if (args.output_mode !== "content" || before > 0 || after > 0 || total > 3) return { before, after };
  const around = total === 1 ? 40 : 15;
  return { before: around, after: around };
}

/** Looks at what ignore rules left out, so that an empty answer names its cause. */
async function findHidden(
  { args, workspace, place, engine, query }: GrepScope,
  { ignored }: SearchOutcome,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (args.no_ignore || place.kind === "file" || query.deadline.isOver()) return undefined;
  const only = ignored && (await findSearchable(workspace, { place, ignored }, query));
  if (only?.length === 0) return undefined;
  using deadline = startDeadline(Math.min(HIDDEN_MS, query.deadline.remaining()), signal);
  const open = { ...place, chain: [] };
  const unhidden = { ...query, keep: 1, noIgnore: true, deadline, ...(only && { only }) };
  const { counts } = await searchContent(engine, { workspace, place: open }, unhidden);
  signal.throwIfAborted();
  if (counts.lines === 0) return undefined;
  return `${plural(counts.lines, "matching line")} in ${plural(counts.files, "file")} hidden by ignore rules; no_ignore=true searches them.`;
}

interface Answer {
  readonly outcome: SearchOutcome;
  readonly shown: ShownHits;
  readonly total: number;
  readonly hint: string | undefined;
}

function toOutput({ args, engine }: GrepScope, { outcome, shown, total, hint }: Answer): GrepOutput {
  const { stoppedBy } = outcome;
  const { files, available } = outcome.counts;
  const next = args.offset + shown.taken;
  const cause = whyCut({ args, outcome, shown, total, hint }, available);
  const notices = toNotices({ args, engine }, { outcome, shown, total, hint }, available);
  return {
    ...shown.value,
    total_matches: total,
    ...(files > 1 && { total_files: files }),
    ...(stoppedBy !== undefined && { total_exact: false }),
    ...(cause !== undefined && { truncated_by: cause }),
    ...(next < available && { next_offset: next }),
    ...(hint !== undefined && { ignored_hint: hint }),
    ...(stoppedBy === "time" && { timed_out: true }),
    engine: outcome.engine,
    ...(notices.length > 0 && { notices }),
  };
}

function whyCut(
  { args, outcome, shown, total }: Answer & { readonly args: GrepInput },
  available: number,
): GrepOutput["truncated_by"] {
  const next = args.offset + shown.taken;
  if (next < available) return shown.taken < args.max_matches ? "size" : "max_matches";
  if (outcome.stoppedBy !== undefined) return outcome.stoppedBy;
  return isByHit(args) && available < total ? "max_per_file" : undefined;
}

function toNotices(
  { args, engine }: Pick<GrepScope, "args" | "engine">,
  { outcome, shown, total }: Answer,
  available: number,
): string[] {
  const { stoppedBy, unreadable, unnamed, counts } = outcome;
  const { fuller } = counts;
  return [
    ...(args.offset > 0 && args.offset >= available
      ? [`offset ${args.offset} is past ${plural(available, isByHit(args) ? "match" : "file")}.`]
      : []),
    ...(total === 0 && stoppedBy === undefined ? ["No line matched."] : []),
    ...(isByHit(args) && fuller > 0
      ? [`${plural(fuller, "file")} had more than max_per_file=${args.max_per_file} matches.`]
      : []),
    ...(stoppedBy === "time"
      ? [`Stopped after ${SEARCH_MS / 1000} s with what was found; search a smaller folder or fewer files.`]
      : []),
    ...(stoppedBy === "volume" ? ["Stopped because of the number of matches; use a narrower pattern."] : []),
    ...(unreadable > 0 ? ["Some files or folders could not be read."] : []),
    ...(unnamed > 0 ? [`${plural(unnamed, "file")} with a name that is not UTF-8 could not be opened.`] : []),
    ...(outcome.engine === "builtin" && engine.missing !== undefined
      ? [`Searched with the built-in engine: ${engine.missing}${boundaryWarning(args)}.`]
      : []),
    ...shown.notices,
  ];
}

/** Words end where ripgrep has them end, but for those with letters beyond ASCII. */
function boundaryWarning({ literal, pattern }: GrepInput): string {
  return !literal && /\\[bB]/u.test(pattern) ? "; its \\b knows ASCII words only, word=true knows all" : "";
}

function plural(count: number, word: string): string {
  return `${count} ${count === 1 ? word : word.endsWith("h") ? `${word}es` : `${word}s`}`;
}

function previewGrep(result: ToolResult<GrepOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { total_matches: total, total_files: files = Math.min(1, total), content, matches, timed_out } = result.value;
  const lines =
    content?.split("\n") ?? matches?.map(({ path, line, text }) => `${showName(path)}:${line}: ${text}`) ?? [];
  const end = timed_out === true ? " before the time was over" : "";
  return [`Found ${plural(total, "matching line")} in ${plural(files, "file")}${end}`, ...lines].slice(0, maxLines);
}
