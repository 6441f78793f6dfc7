import { defineTool, type ToolContext, type ToolResult } from "@aiw/core";
import { openWorkspace } from "@aiw/core/node";
import { z } from "zod";
import { filesystemError } from "../errors.ts";
import { throughLink } from "../files/explain-link.ts";
import { quoteName, showName } from "../files/show-name.ts";
import { spellAgain } from "../files/spell-again.ts";
import { withNextCall } from "../files/suggest-next.ts";
import { filesystemOptions, type FilesystemOptions } from "../options.ts";
import { jsonSize } from "../result/json-size.ts";
import { roomFor } from "../result/room-for.ts";
import { takeFitting } from "../result/take-fitting.ts";
import { startDeadline } from "../search/deadline.ts";
import { findPaths, type FindScope, type FoundPaths } from "../search/find-paths.ts";
import { openEngine } from "../search/open-engine.ts";
import { sortEntries } from "../search/sort-entries.ts";
import { statEntries, type FoundEntry } from "../search/stat-entries.ts";

const SEARCH_MS = 20_000;

const globPattern = z.string().min(1).max(4096);

const input = z.strictObject({
  patterns: z
    .array(globPattern)
    .min(1)
    .max(20)
    .describe(
      'Globs counted from path: "src/**/*.ts", "*.md" (that folder only), "**/*.md" (any depth), "a.{js,ts}"; "!…" excludes.',
    ),
  path: z.string().min(1).default(".").describe("Folder to search, relative to the working directory or absolute."),
  exclude: z
    .array(globPattern)
    .max(50)
    .default([])
    .describe('Globs to leave out; without "/" they mean a file or folder name at any depth.'),
  hidden: z.boolean().default(true).describe("Include names that begin with a dot; .git only when it is named."),
  no_ignore: z.boolean().default(false).describe("Include what .gitignore, .ignore and .rgignore hide."),
  case_sensitive: z.boolean().optional().describe("Absent: a pattern without capital letters ignores case."),
  kind: z.enum(["file", "dir", "any"]).default("file").describe("What to find; symbolic links count only as any."),
  sort: z.enum(["mtime", "path", "size"]).default("mtime").describe("mtime: newest first; size: largest first."),
  long: z.boolean().default(false).describe("Give size, mtime_ms and kind of each path."),
  limit: z.int().min(1).max(2000).default(100).describe("Paths to return."),
  offset: z.int().min(0).default(0).describe("Paths to skip; use next_offset of the previous result."),
});

const entrySchema = z.strictObject({
  path: z.string(),
  size: z.int().optional(),
  mtime_ms: z.int().optional(),
  kind: z.string(),
  ignored: z.boolean().optional(),
  path_bytes: z
    .string()
    .optional()
    .describe("The path's bytes from the searched folder, in base64, when they are not UTF-8."),
});

const output = z.strictObject({
  paths: z.array(z.string()).optional(),
  entries: z.array(entrySchema).optional(),
  total: z.int(),
  total_exact: z.boolean().optional().describe("False when more may match."),
  truncated: z.boolean().optional(),
  next_offset: z.int().optional(),
  ignored_count: z.int().optional().describe("Matches that ignore rules hide."),
  timed_out: z.boolean().optional(),
  notices: z.array(z.string()).optional(),
});

type GlobInput = z.output<typeof input>;

/** What a successful `glob` gives. */
export type GlobOutput = z.output<typeof output>;

/** Finds paths by pattern. */
export const glob = defineTool({
  name: "glob",
  title: "Find files by pattern",
  description:
    "Finds files and folders by glob patterns, newest first. Ignore files such as .gitignore are respected unless no_ignore=true, hidden files are " +
    "included, .git is not. `*` stays within one name, `**` crosses folders. A path that exists exactly as written is found even if it is ignored.",
  input,
  output,
  options: filesystemOptions,
  effects: "read",
  permissions: ["fs:read"],
  category: "filesystem",
  tags: ["filesystem", "search", "glob", "find", "default"],
  timeoutMs: 30_000,
  instructions: {
    purpose: "Find files whose names are known in part. To search inside files use grep; to see one folder use list.",
    expectedOutput:
      "An object with `paths` (or `entries` when long=true), `total`, `next_offset` when more follow, and `ignored_count` when ignore rules hide matches.",
    examples: [
      { need: "find all files of a kind", when: "find all TypeScript files", input: { patterns: ["**/*.ts"] } },
      {
        need: "find files but leave some out",
        when: "list the sources without their tests",
        input: { patterns: ["src/**/*.ts"], exclude: ["*.test.ts"], sort: "path" },
      },
      {
        need: "find folders",
        when: "find every folder called test",
        input: { patterns: ["**/test"], kind: "dir" },
      },
    ],
  },
  execute: (args, context) =>
    withNextCall(
      args.path,
      (path) => spellAgain("glob", input, { ...args, path }),
      async () => await runGlob(args, context),
    ),
  preview: previewGlob,
});

async function runGlob(args: GlobInput, context: ToolContext<FilesystemOptions>): Promise<GlobOutput> {
  using deadline = startDeadline(SEARCH_MS, context.signal);
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const { kind, realPath } = await throughLink(workspace, args.path, async () => await workspace.stat(args.path));
  if (kind !== "directory") {
    throw filesystemError("not_a_directory", `Not a directory: ${args.path}`, {
      suggestion: `read(file_paths=[${quoteName(workspace.display(realPath))}])`,
    });
  }
  const engine = openEngine({ options: context.options, roots: context.workspace.roots });
  const scope: FindScope = { workspace, roots: context.workspace, engine, deadline, signal: context.signal };
  const found = await findPaths(
    {
      ...args,
      caseSensitive: args.case_sensitive,
      kinds: args.kind,
      noIgnore: args.no_ignore,
    },
    scope,
  );
  const page = sortEntries(found.entries, args);
  const seen = await statEntries(workspace, page, deadline);
  context.signal.throwIfAborted();
  const room = roomFor(context, BASE_CHARACTERS);
  const entries = takeFitting(seen, room, (entry) => sizeOfEntry(args, entry));
  const next = args.offset + countTaken(page, seen, entries.length);
  return toOutput(args, { found, entries, next, total: found.entries.length, timedOut: deadline.isOver() });
}

/** What the result takes beside its paths: names of fields, counts and notices about the whole. */
const BASE_CHARACTERS = 800;
const MOST_PATTERN_SHOWN = 200;

function sizeOfEntry(args: GlobInput, entry: FoundEntry): number {
  const shown = args.long ? jsonSize(toLongEntry(entry)) : jsonSize(entry.shown);
  return shown + 1 + jsonSize(noticesOf(args, entry));
}

/** How many of a page are through when so many of those still there are shown. */
function countTaken(page: readonly FoundEntry[], seen: readonly FoundEntry[], count: number): number {
  const next = seen[count];
  return next === undefined ? page.length : page.findIndex(({ shown }) => shown === next.shown);
}

interface Shown {
  readonly found: FoundPaths;
  readonly entries: readonly FoundEntry[];
  /** The offset of what follows. */
  readonly next: number;
  readonly total: number;
  readonly timedOut: boolean;
}

function toOutput(args: GlobInput, shown: Shown): GlobOutput {
  const { found, entries, next, total, timedOut } = shown;
  const hasMore = args.offset < total && next < total;
  const notices = toNotices(args, shown);
  return {
    ...(args.long ? { entries: entries.map(toLongEntry) } : { paths: entries.map((entry) => entry.shown) }),
    total,
    ...(!(found.isComplete && !timedOut) && { total_exact: false }),
    ...(hasMore && { truncated: true, next_offset: next }),
    ...(found.ignored !== undefined && found.ignored > 0 && { ignored_count: found.ignored }),
    ...(timedOut && { timed_out: true }),
    ...(notices.length > 0 && { notices }),
  };
}

function toLongEntry({ shown, kind, facts, isIgnored, bytes }: FoundEntry) {
  return {
    path: shown,
    ...(facts !== undefined && { size: facts.size, mtime_ms: Math.round(facts.mtimeMs) }),
    kind,
    ...(isIgnored === true && { ignored: true }),
    ...(bytes !== undefined && { path_bytes: Buffer.from(bytes).toString("base64") }),
  };
}

function toNotices(args: GlobInput, { found, entries, total, timedOut }: Shown): string[] {
  const notices: string[] = [];
  // Of a search that was stopped nobody knows what it would have found.
  if (total === 0 && !timedOut) notices.push(...explainNothing(args, found));
  else if (args.offset > 0 && args.offset >= total) notices.push(`offset ${args.offset} is past ${total} matches.`);
  if (timedOut) notices.push(`Stopped after ${SEARCH_MS / 1000} s; search a smaller folder for a whole answer.`);
  if (found.unreadable > 0) notices.push("Some folders could not be read.");
  notices.push(...entries.flatMap((entry) => noticesOf(args, entry)));
  return notices.slice(0, 20);
}

/** What is told about one path when only paths are given. */
function noticesOf({ long }: GlobInput, { shown, isIgnored, bytes }: FoundEntry): string[] {
  if (long) return [];
  return [
    ...(isIgnored === true ? [`${showName(shown)} exists, though ignore rules hide it.`] : []),
    ...(bytes === undefined
      ? []
      : [`${showName(shown)} is not UTF-8; its bytes in base64: ${Buffer.from(bytes).toString("base64")}`]),
  ];
}

function explainNothing(args: GlobInput, { ignored = 0 }: FoundPaths): string[] {
  if (ignored > 0) return [`All ${ignored} matches are hidden by ignore rules; no_ignore=true shows them.`];
  const shallow = args.patterns.find(
    (pattern) => !pattern.includes("/") && !pattern.startsWith("!") && pattern.length <= MOST_PATTERN_SHOWN,
  );
  const hints = [
    ...(shallow === undefined ? [] : [`${quoteName(`**/${shallow}`)} looks at any depth.`]),
    ...(args.kind === "file" ? [] : [`Only kind=${args.kind} was looked for.`]),
    ...(args.hidden ? [] : ["Hidden names were left out; hidden=true includes them."]),
  ];
  return [["Nothing matched.", ...hints].join(" ")];
}

function previewGlob(result: ToolResult<GlobOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { paths, entries, total, timed_out } = result.value;
  const names = (paths ?? entries?.map(({ path }) => path) ?? []).map(showName);
  const end = timed_out === true ? " before the time was over" : "";
  return [`Found ${total} ${total === 1 ? "path" : "paths"}${end}`, ...names].slice(0, maxLines);
}
