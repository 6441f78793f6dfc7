import { defineTool, ToolError, type ToolContext, type ToolResult } from "@aiw/core";
import { openWorkspace, type DirectoryEntry, type Workspace } from "@aiw/core/node";
import { z } from "zod";
import { filesystemError } from "../errors.ts";
import { quoteName, showName } from "../files/show-name.ts";
import { spellAgain } from "../files/spell-again.ts";
import { withNextCall } from "../files/suggest-next.ts";
import { jsonSize } from "../result/json-size.ts";
import { roomFor } from "../result/room-for.ts";
import { takeFitting } from "../result/take-fitting.ts";
import { startDeadline, type Deadline } from "../search/deadline.ts";
import { isIgnored, RULE_FILES } from "../search/ignore-rules.ts";
import { findSearchPlace, loadFolderRules, pathBelowPlace, type SearchPlace } from "../search/search-place.ts";
import { takeTurns } from "../search/take-turns.ts";

const MOST_ENTRIES = 100_000;
const LIST_MS = 20_000;
/** What the result takes beside its entries: names of fields, counts and notices. */
const BASE_CHARACTERS = 500;

const input = z.strictObject({
  path: z.string().min(1).default(".").describe("Folder to list, relative to the working directory or absolute."),
  hidden: z.boolean().default(true).describe("Include names that begin with a dot."),
  long: z.boolean().default(false).describe("Give size, mtime_ms and mode of each entry, and where links lead."),
  no_ignore: z.boolean().default(false).describe("Include what .gitignore, .ignore and .rgignore hide."),
  kind: z
    .enum(["any", "file", "dir"])
    .default("any")
    .describe("Which entries to return; links and others count only as any."),
  sort: z.enum(["name", "mtime", "size"]).default("name").describe("mtime: newest first; size: largest first."),
  limit: z.int().min(1).max(10_000).default(1000).describe("Entries to return."),
  offset: z.int().min(0).default(0).describe("Entries to skip; use next_offset of the previous result."),
});

const entrySchema = z.strictObject({
  name: z.string(),
  kind: z.enum(["file", "dir", "link", "fifo", "socket", "device", "unknown"]),
  size: z.int().optional(),
  mtime_ms: z.int().optional(),
  mode: z.string().optional().describe("Permission bits in octal."),
  link_target: z.string().optional().describe("What the link says; it may lead out of the workspace."),
  broken: z.boolean().optional().describe("The link leads to nothing."),
  name_bytes: z.string().optional().describe("The name's bytes in base64, when they are not UTF-8."),
});

const output = z.strictObject({
  entries: z.array(entrySchema),
  total: z.int(),
  total_exact: z.boolean().optional().describe("False when the folder has more."),
  ignored_count: z.int().optional().describe("Entries that ignore rules hide."),
  next_offset: z.int().optional(),
  notices: z.array(z.string()).optional(),
});

type ListInput = z.output<typeof input>;

/** What a successful `list` gives. */
export type ListOutput = z.output<typeof output>;

/** Lists one folder. */
export const list = defineTool({
  name: "list",
  title: "List a folder",
  description:
    "Lists one folder, folders first. Entries hidden by ignore files such as .gitignore are counted, not shown, unless no_ignore=true. Links are " +
    "told, not followed.",
  input,
  output,
  effects: "read",
  permissions: ["fs:read"],
  category: "filesystem",
  tags: ["filesystem", "list", "directory", "default"],
  timeoutMs: 30_000,
  instructions: {
    purpose: "See what a folder holds. To find files by name in a whole tree use glob.",
    expectedOutput:
      "An object with `entries` (name and kind, more when long=true), `total`, `ignored_count`, and `next_offset` when more follow.",
    examples: [
      { need: "see the workspace", when: "see what the project is made of", input: {} },
      {
        need: "find what changed last",
        when: "see the newest files in 'logs'",
        input: { path: "logs", sort: "mtime", long: true },
      },
      {
        need: "see ignored folders too",
        when: "see the build output in 'dist', which is ignored",
        input: { path: "dist", no_ignore: true },
      },
    ],
  },
  execute: (args, context) =>
    withNextCall(
      args.path,
      (path) => spellAgain("list", input, { ...args, path }),
      async () => await runList(args, context),
    ),
  preview: previewList,
});

async function runList(args: ListInput, context: ToolContext): Promise<ListOutput> {
  using deadline = startDeadline(LIST_MS, context.signal);
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const place = await findSearchPlace(workspace, context.workspace, { path: args.path, noIgnore: args.no_ignore });
  if (place.kind !== "directory") {
    throw filesystemError("not_a_directory", `Not a directory: ${args.path}`, {
      suggestion: `read(file_paths=[${quoteName(place.shown)}])`,
    });
  }
  const facts = args.long || args.sort !== "name";
  const { entries, truncated } = await workspace.readdir(args.path, { facts, maxEntries: MOST_ENTRIES });
  const wanted = entries.filter((entry) => isWanted(args, entry));
  const { shown, isWhole } = args.no_ignore
    ? { shown: wanted, isWhole: true }
    : await dropIgnored(workspace, { place, entries, wanted, deadline });
  context.signal.throwIfAborted();
  const page = shown.toSorted(comparer(args.sort)).slice(args.offset, args.offset + args.limit);
  const found = await Promise.all(page.map(async (entry) => await toEntry(workspace, { args, place, entry })));
  const room = roomFor(context, BASE_CHARACTERS);
  const fitting = takeFitting(found, room, (entry) => jsonSize(entry) + 1);
  const end = args.offset + fitting.length;
  const notices = [
    ...(isWhole ? [] : [`Stopped after ${LIST_MS / 1000} s; no_ignore=true skips the ignore rules.`]),
    ...(truncated ? [`The folder has more than ${MOST_ENTRIES} entries; the rest is not shown.`] : []),
    ...(args.offset > 0 && args.offset >= shown.length
      ? [`offset ${args.offset} is past ${shown.length} entries.`]
      : []),
  ];
  return {
    entries: fitting,
    total: shown.length,
    ...((truncated || !isWhole) && { total_exact: false }),
    ...(isWhole && wanted.length > shown.length && { ignored_count: wanted.length - shown.length }),
    ...(fitting.length > 0 && shown.length > end && { next_offset: end }),
    ...(notices.length > 0 && { notices }),
  };
}

function isWanted({ hidden, kind }: ListInput, entry: DirectoryEntry): boolean {
  if (!hidden && entry.name.startsWith(".")) return false;
  if (kind === "any") return true;
  return entry.kind === (kind === "dir" ? "directory" : "file");
}

interface Listed {
  readonly place: SearchPlace;
  readonly entries: readonly DirectoryEntry[];
  readonly wanted: readonly DirectoryEntry[];
  readonly deadline: Deadline;
}

async function dropIgnored(
  workspace: Workspace,
  { place, entries, wanted, deadline }: Listed,
): Promise<{ readonly shown: readonly DirectoryEntry[]; readonly isWhole: boolean }> {
  const present = new Set(entries.map(({ name }) => name));
  const hasRules = RULE_FILES.some((name) => present.has(name));
  const depth = place.names.length;
  const own = hasRules ? await loadFolderRules(workspace, place.path, { depth, present }) : undefined;
  const chain = own === undefined ? place.chain : [...place.chain, own];
  const shown: DirectoryEntry[] = [];
  const isWhole = await takeTurns(wanted, deadline, (entry) => {
    if (!isIgnored(chain, [...place.names, entry.name], entry.kind === "directory")) shown.push(entry);
  });
  return { shown, isWhole };
}

/** Folders first, then by what was asked for, then by name. */
function comparer(sort: ListInput["sort"]): (left: DirectoryEntry, right: DirectoryEntry) => number {
  const rank = ({ kind }: DirectoryEntry): number => (kind === "directory" ? 0 : 1);
  const weight = ({ facts }: DirectoryEntry): number => {
    if (sort === "name" || facts === undefined) return 0;
    return sort === "mtime" ? facts.mtimeMs : facts.size;
  };
  const byName = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);
  return (left, right) => rank(left) - rank(right) || weight(right) - weight(left) || byName(left.name, right.name);
}

interface EntryRequest {
  readonly args: ListInput;
  readonly place: SearchPlace;
  readonly entry: DirectoryEntry;
}

async function toEntry(
  workspace: Workspace,
  { args, place, entry }: EntryRequest,
): Promise<ListOutput["entries"][number]> {
  const { name, nameBytes, kind, facts } = entry;
  return {
    name,
    kind: kind === "directory" ? "dir" : kind,
    ...(args.long && facts !== undefined && toLongFacts(facts)),
    ...(args.long &&
      kind === "link" &&
      nameBytes === undefined &&
      (await toLink(workspace, pathBelowPlace(place, [name])))),
    ...(nameBytes !== undefined && { name_bytes: Buffer.from(nameBytes).toString("base64") }),
  };
}

function toLongFacts({ size, mtimeMs, mode }: NonNullable<DirectoryEntry["facts"]>) {
  return { size, mtime_ms: Math.round(mtimeMs), mode: mode.toString(8).padStart(4, "0") };
}

/** Tells what a link says, and whether it leads to nothing; what lies outside the workspace is not looked at. */
async function toLink(workspace: Workspace, path: string): Promise<{ link_target?: string; broken?: boolean }> {
  const target = await codeOf(async () => await workspace.readlink(path));
  if (target.value === undefined) return {};
  const led = await codeOf(async () => await workspace.stat(path));
  const isBroken = led.code === "not_found" || led.code === "invalid_path" || led.code === "not_a_directory";
  return { link_target: target.value, ...(isBroken && { broken: true }) };
}

async function codeOf<Value>(work: () => Promise<Value>): Promise<{ readonly value?: Value; readonly code?: string }> {
  try {
    return { value: await work() };
  } catch (error) {
    if (ToolError.is(error) && error.code !== "cancelled") return { code: error.code };
    throw error;
  }
}

function previewList(result: ToolResult<ListOutput>, maxLines: number): string[] {
  if (!result.success) return [result.error].slice(0, maxLines);
  const { entries, total } = result.value;
  const names = entries.map(({ name, kind }) => showName(kind === "dir" ? `${name}/` : name));
  return [`Listed ${total} ${total === 1 ? "entry" : "entries"}`, ...names].slice(0, maxLines);
}
