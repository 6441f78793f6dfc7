import { ToolError, type ToolContext } from "@aiw/core";
import { openWorkspace, type Workspace } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { quoteName, showName } from "../files/show-name.ts";
import { spellAgain } from "../files/spell-again.ts";
import { suggestNext } from "../files/suggest-next.ts";
import { jsonTextSize } from "../result/json-size.ts";
import { roomFor } from "../result/room-for.ts";
import { startDeadline, type Deadline } from "../search/deadline.ts";
import { findSearchPlace, type SearchPlace } from "../search/search-place.ts";
import { growTrees, type GrowRequest } from "./grow-tree.ts";
import { renderTrees, type RenderedTree } from "./render-tree.ts";
import { treeInput, type TreeInput, type TreeOutput } from "./tree-schema.ts";

const TREE_MS = 20_000;
/** What the result takes beside its content: names of fields, counts and notices. */
const BASE_CHARACTERS = 1500;
const MOST_NAMED = 3;

/** Shows folders and what they hold, as far as asked for and as there is room. */
export async function showTrees(input: TreeInput, context: ToolContext): Promise<TreeOutput> {
  using deadline = startDeadline(TREE_MS, context.signal);
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const { places, refused } = await findPlaces(workspace, input, context);
  const tree = await fitTrees(workspace, places, { input, deadline, room: roomFor(context, BASE_CHARACTERS) });
  context.signal.throwIfAborted();
  const isOver = deadline.isOver();
  const notices = [
    ...refused,
    ...(isOver ? [`Stopped after ${TREE_MS / 1000} s; a smaller depth or narrower paths are faster.`] : []),
    ...explainUnreadable(tree.unreadable),
    ...(tree.isCut ? ["A folder holds more than was listed, so omitted is too low."] : []),
    ...(tree.ignored > 0 && tree.entries === 0 ? ["Ignore rules hide everything; no_ignore=true shows it."] : []),
  ];
  return {
    content: tree.content,
    entries: tree.entries,
    omitted: tree.omitted,
    ...(tree.ignored > 0 && { ignored_count: tree.ignored }),
    ...(isOver && { timed_out: true }),
    ...(notices.length > 0 && { notices }),
  };
}

/** A path that cannot be shown is told beside the others; alone, it is the failure. */
async function findPlaces(
  workspace: Workspace,
  input: TreeInput,
  context: ToolContext,
): Promise<{ readonly places: readonly SearchPlace[]; readonly refused: readonly string[] }> {
  const places: SearchPlace[] = [];
  const errors: ToolError[] = [];
  for (const path of input.paths) {
    try {
      const place = await findSearchPlace(workspace, context.workspace, { path, noIgnore: input.no_ignore });
      if (place.kind !== "directory") throw notADirectory(place);
      places.push(place);
    } catch (error) {
      if (!ToolError.is(error) || error.code === "cancelled") throw error;
      errors.push(suggestNext(error, path, (near) => spellAgain("tree", treeInput, { ...input, paths: [near] })));
    }
  }
  const [first] = errors;
  if (first !== undefined && places.length === 0) throw first;
  const refused = errors.map(({ message, suggestion }) => showName([message, suggestion].filter(Boolean).join(" ")));
  return { places, refused };
}

function notADirectory({ shown }: SearchPlace): ToolError {
  return filesystemError("not_a_directory", `Not a directory: ${shown}`, {
    suggestion: `read(file_paths=[${quoteName(shown)}])`,
  });
}

interface Fitting {
  readonly input: TreeInput;
  readonly deadline: Deadline;
  /** Characters of the content. */
  readonly room: number;
}

/** Grows smaller trees until the text fits; nothing is read twice. */
async function fitTrees(
  workspace: Workspace,
  places: readonly SearchPlace[],
  { input, deadline, room }: Fitting,
): Promise<RenderedTree> {
  const known: GrowRequest["known"] = new Map();
  let maxEntries = input.max_entries;
  for (;;) {
    const request: GrowRequest = {
      depth: input.depth,
      perDir: input.per_dir,
      dirsOnly: input.dirs_only,
      hidden: input.hidden,
      noIgnore: input.no_ignore,
      maxEntries,
      deadline,
      known,
    };
    const tree = await renderTrees(workspace, await growTrees(workspace, places, request));
    const size = jsonTextSize(tree.content);
    if (size <= room || maxEntries <= 1) return tree;
    maxEntries = Math.max(1, Math.min(Math.floor(maxEntries / 2), Math.floor((tree.entries * room) / size)));
  }
}

function explainUnreadable(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  const named = paths.slice(0, MOST_NAMED).join(", ");
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : "";
  return [`Could not be read: ${named}${more}.`];
}
