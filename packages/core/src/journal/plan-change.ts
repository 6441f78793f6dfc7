import { createHash } from "node:crypto";
import { join } from "node:path";
import { ToolError } from "../errors/tool-error.ts";
import type { FileStat } from "../workspace/workspace.ts";
import { modeAfter } from "../workspace/write-atomically.ts";
import type { CopyChange, DeleteChange, LineCounts, MoveChange, PlannedChange, WriteChange } from "./change-request.ts";
import type { EntryStep, Step } from "./store/journal-record.ts";
import { ABSENT, lookAtPath, lstatIfThere, type FileState, type PathState, type SeenPath } from "./store/path-state.ts";
import { doAhead } from "./do-ahead.ts";
import { missingParents, namedPath, type PlanRoom } from "./plan-room.ts";

/** A change with all it will do to paths, before anything is done. */
export interface ChangePlan {
  readonly change: PlannedChange;
  readonly op: "create" | PlannedChange["op"];
  /** Absolute and free of links. */
  readonly path: string;
  readonly from?: string;
  readonly steps: readonly Step[];
  readonly lines?: LineCounts;
  readonly reversible: boolean;
  /** Nothing will change. */
  readonly isNoop: boolean;
  /** What stands where the change is made. */
  readonly seen: SeenPath;
  /** Of content that replaces a whole file. */
  readonly contentHash?: string;
  /** What gives way to it. */
  readonly replaced?: SeenPath;
  /** Facts of all that a folder holds, by real path; absent where not all of it was looked at. */
  readonly held?: ReadonlyMap<string, FileStat>;
}

/** Entries above which a tree cannot be brought back. */
const MOST_ENTRIES = 100_000;

/**
 * Looks at all that a change will touch and keeps what stands there.
 * @throws ToolError where the change cannot be made, as far as that is seen without making it.
 */
export async function planChange(
  room: PlanRoom,
  change: PlannedChange,
  /** Where a write leads, absolute and free of links. */
  target: string,
): Promise<ChangePlan> {
  if (change.op === "write") return await planWrite(room, change, target);
  if (change.op === "delete") return await planDelete(room, change);
  return change.op === "move" ? await planMove(room, change) : await planCopy(room, change);
}

async function planWrite(room: PlanRoom, change: WriteChange, path: string): Promise<ChangePlan> {
  const { options = {} } = change;
  const seen = await room.capture(path);
  const before = seen.state;
  const parents = options.createDirs === true && before.kind === "absent" ? await parentSteps(room, path) : [];
  const after = await stateAfter(room, { change, seen, path });
  const step: EntryStep = {
    kind: "entry",
    path,
    before,
    after,
    ...(options.hardLinks === "keep" && { keepsLinks: true }),
  };
  const isSame = before.kind === "file" && before.hash !== undefined && before.hash === after.hash;
  return {
    change,
    op: before.kind === "absent" ? "create" : "write",
    path,
    steps: [...parents, step],
    ...(change.lines !== undefined && { lines: change.lines }),
    reversible: seen.isKept,
    ...(options.mode !== "append" && after.hash !== undefined && { contentHash: after.hash }),
    isNoop: isSame && options.modifiedAt === undefined && (before.mode ?? 0) % 0o1000 === after.mode,
    seen,
  };
}

/** The content is hashed as it will stand, so that a crash in between can be told from either side. */
async function stateAfter(
  room: PlanRoom,
  { change, seen, path }: { readonly change: WriteChange; readonly seen: SeenPath; readonly path: string },
): Promise<FileState> {
  const { content, options = {} } = change;
  const before = seen.state;
  const mode = before.kind === "file" ? { mode: modeAfter((before.mode ?? 0) % 0o1000, options) } : {};
  if (options.mode !== "append" || before.kind !== "file" || before.size === 0) {
    const hash = createHash("sha256").update(content).digest("hex");
    room.wish(hash, content);
    return { kind: "file", hash, size: content.length, ...mode };
  }
  const size = before.size + content.length;
  if (before.hash === undefined) return { kind: "file", size, ...mode };
  const bytes = seen.bytes ?? (await room.workspace.readFile(path, { maxBytes: before.size })).bytes;
  const hash = createHash("sha256").update(bytes).update(content).digest("hex");
  room.wish(hash, Buffer.concat([bytes, content]));
  return { kind: "file", hash, size, ...mode };
}

async function planDelete(room: PlanRoom, change: DeleteChange): Promise<ChangePlan> {
  const path = await namedPath(room.workspace, change.path);
  const seen = await room.capture(path);
  if (change.expectedEtag !== undefined && seen.etag !== change.expectedEtag)
    throw notAsExpected(change.path, seen.etag);
  const tree = await captureTree(room, { path, seen, isDeep: change.recursive === true });
  // The deepest go first, and come back last.
  const steps = tree.entries.map((entry): Step => ({
    kind: "entry",
    path: entry.path,
    before: entry.state,
    after: ABSENT,
  }));
  return {
    change,
    op: "delete",
    path,
    steps: steps.toReversed(),
    ...(change.lines !== undefined && { lines: change.lines }),
    reversible: tree.isKept,
    isNoop: false,
    seen,
    ...(tree.isWhole && { held: tree.held }),
  };
}

async function planMove(room: PlanRoom, change: MoveChange): Promise<ChangePlan> {
  const { workspace } = room;
  const from = await namedPath(workspace, change.from);
  const path = await namedPath(workspace, change.to);
  const seen = await lookAtPath(workspace, from);
  const moved = { path: from, identity: seen.stat?.identity };
  const { steps, reversible, isTaken, replaced } = await planTarget(room, { change, path, moved });
  const rename: Step = { kind: "rename", from, to: path, state: seen.state };
  const all = isTaken ? [] : [...steps, rename];
  const about = { change, op: "move", path, from, seen, ...(replaced !== undefined && { replaced }) } as const;
  return { ...about, steps: all, reversible, isNoop: from === path };
}

async function planCopy(room: PlanRoom, change: CopyChange): Promise<ChangePlan> {
  const { workspace } = room;
  const from = await namedPath(workspace, change.from);
  const path = await namedPath(workspace, change.to);
  const seen = await lookAtPath(workspace, from);
  const target = await planTarget(room, { change, path, moved: undefined });
  const { steps, reversible, isTaken, replaced: old } = target;
  const about = { change, op: "copy", path, from, isNoop: false, seen, ...(old && { replaced: old }) } as const;
  if (isTaken) return { ...about, steps, reversible };
  const tree = await listTree(room, { path: from, seen, isDeep: change.recursive === true });
  const [replaced] = steps.filter((step) => step.kind === "entry" && step.path === path);
  const first = replaced?.kind === "entry" ? replaced.before : ABSENT;
  const copied = tree.entries.map(({ path: source, state }, index): Step => {
    const before = index === 0 ? first : ABSENT;
    return { kind: "entry", path: path + source.slice(from.length), before, after: asCopied(state) };
  });
  return {
    ...about,
    steps: [...steps.filter((step) => step !== replaced), ...copied],
    reversible: reversible && tree.isWhole,
  };
}

/** A copy's bits and times are seen once it is made. */
function asCopied(state: PathState): PathState {
  if (state.kind === "file")
    return { kind: "file", size: state.size, ...(state.hash !== undefined && { hash: state.hash }) };
  return state.kind === "directory" ? { kind: "directory" } : state;
}

interface TargetPlan {
  readonly steps: Step[];
  readonly reversible: boolean;
  /** Something stands there that is not replaced: the change will be refused, and must not be taken back. */
  readonly isTaken: boolean;
  /** What gives way. */
  readonly replaced?: SeenPath;
}

/** What goes or comes where a move or a copy ends. */
async function planTarget(
  room: PlanRoom,
  target: {
    readonly change: MoveChange | CopyChange;
    readonly path: string;
    /** What is moved: the volume may take two spellings for one name. */
    readonly moved: { readonly path: string; readonly identity: string | undefined } | undefined;
  },
): Promise<TargetPlan> {
  const { change, path, moved } = target;
  const there = await lstatIfThere(room.workspace, path);
  const isSpelling = moved?.path.toLowerCase() === path.toLowerCase() && there?.identity === moved.identity;
  if (there === undefined || isSpelling) {
    const parents = change.createDirs === true ? await parentSteps(room, path) : [];
    return { steps: parents, reversible: true, isTaken: false };
  }
  if (change.overwrite !== true || (there.kind !== "file" && there.kind !== "link")) {
    return { steps: [], reversible: true, isTaken: true };
  }
  const old = await room.capture(path);
  const replaced: Step = { kind: "entry", path, before: old.state, after: ABSENT };
  return { steps: [replaced], reversible: old.isKept, isTaken: false, replaced: old };
}

async function parentSteps(room: PlanRoom, path: string): Promise<Step[]> {
  return (await missingParents(room.workspace, path)).map((folder) => {
    return { kind: "entry", path: folder, before: ABSENT, after: { kind: "directory" }, isParent: true };
  });
}

interface Tree {
  readonly path: string;
  readonly seen: SeenPath;
  readonly isDeep: boolean;
}

interface TreeEntry {
  readonly path: string;
  readonly state: PathState;
}

async function captureTree(
  room: PlanRoom,
  tree: Tree & { readonly seen: SeenPath & { readonly isKept: boolean } },
): Promise<{
  readonly entries: TreeEntry[];
  readonly isKept: boolean;
  readonly isWhole: boolean;
  readonly held: ReadonlyMap<string, FileStat>;
}> {
  let isKept = tree.seen.isKept;
  const held = new Map<string, FileStat>();
  const { entries, isWhole } = await walkTree(room, tree, async (path) => {
    const found = await room.capture(path);
    isKept &&= found.isKept;
    if (found.stat !== undefined) held.set(found.stat.realPath, found.stat);
    return found;
  });
  return { entries, isKept: isKept && isWhole, isWhole, held };
}

async function listTree(
  room: PlanRoom,
  tree: Tree,
): Promise<{ readonly entries: TreeEntry[]; readonly isWhole: boolean }> {
  return await walkTree(room, tree, async (path) => await lookAtPath(room.workspace, path));
}

/** Every entry of a tree, folders before what they hold. */
async function walkTree(
  room: PlanRoom,
  { path, seen, isDeep }: Tree,
  look: (path: string) => Promise<SeenPath>,
): Promise<{ readonly entries: TreeEntry[]; readonly isWhole: boolean }> {
  const entries: TreeEntry[] = [{ path, state: seen.state }];
  if (!isDeep) return { entries, isWhole: true };
  for (let next = 0; next < entries.length; next += 1) {
    const folder = entries[next];
    if (folder?.state.kind !== "directory") continue;
    const listing = await room.workspace.readdir(folder.path, { maxEntries: MOST_ENTRIES });
    if (listing.truncated || entries.length + listing.entries.length > MOST_ENTRIES) return { entries, isWhole: false };
    // Such a name cannot be given back, and is refused when the change is made.
    if (listing.entries.some(({ nameBytes }) => nameBytes !== undefined)) return { entries, isWhole: false };
    const children = listing.entries.map(({ name }) => join(folder.path, name));
    const looks = doAhead(children, async (child) => ({ path: child, state: (await look(child)).state }));
    for await (const entry of looks) entries.push(entry);
  }
  return { entries, isWhole: true };
}

function notAsExpected(shown: string, etag: string | undefined): ToolError {
  return new ToolError("conflict", `The file is not what it was: ${shown}`, {
    suggestion: "Read it again before it is deleted.",
    ...(etag !== undefined && { details: { etag } }),
  });
}
