import { ToolError } from "../errors/tool-error.ts";
import { writeTogether, type WriteMeeting } from "../workspace/write-meeting.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { EntryStep, Step } from "./store/journal-record.ts";
import {
  isAtOrBelow,
  isSameState,
  lookAtPath,
  lstatIfThere,
  type FileState,
  type PathState,
  type SeenPath,
} from "./store/path-state.ts";

/** What steps are taken with. */
export interface StepScope {
  readonly workspace: Workspace;
  /** What temporary files are named after. */
  readonly label: string;
  readonly readImage: (hash: string) => Promise<Uint8Array | undefined>;
  /** Folders whose bits and times are set once all is done, since what is put into them changes the one and needs the other. */
  readonly later: Map<string, FolderFacts>;
  /** Where files that had several names have come back, by what their names have in common. */
  readonly names: Map<string, string>;
  /** What may never have been done is taken back: an entry that has its old name is where it belongs. */
  readonly isTakingBack?: boolean;
  /** Other writers to sync together with. */
  readonly meeting?: WriteMeeting | undefined;
}

interface FolderFacts {
  readonly permissions?: number;
  readonly modifiedAt?: number;
}

/** How a path stands to a step: before it, after it, or neither. */
export type StepPlace = "before" | "after" | "elsewhere";

/** What became of a step: it was taken, had been taken before, or cannot be, since somebody else changed the path. */
export type StepOutcome = "taken" | "stood" | "refused";

/** Takes a step unless it has been taken. */
export async function takeStep(scope: StepScope, step: Step, known?: SeenPath): Promise<StepOutcome> {
  if (step.kind === "rename") return await takeRename(scope, step);
  // The write itself compares the etag of what it replaces, and refuses to replace what was not there.
  const isSure = known !== undefined && (known.etag !== undefined || known.state.kind === "absent");
  if (isSure && step.after.kind === "file" && placeOf(known.state, step) === "before") {
    if (await wasPut(scope, step, known)) return "taken";
  }
  const seen = await lookAtPath(scope.workspace, step.path);
  const place = placeOf(seen.state, step);
  if (place === "before") return (await wasPut(scope, step, seen)) ? "taken" : "refused";
  if (place === "after") noteFilled(scope, step);
  return place === "after" ? "stood" : "refused";
}

/** Whether it could be done; where somebody else wrote the file in the same moment, nothing is. */
async function wasPut(scope: StepScope, step: EntryStep, seen: SeenPath): Promise<boolean> {
  const isWrite = step.after.kind === "file" && (step.before.kind === "file" || step.before.kind === "absent");
  try {
    await putState(scope, step, seen);
    return true;
  } catch (error) {
    if (isWrite && ToolError.is(error) && (error.code === "conflict" || error.code === "already_exists")) return false;
    throw error;
  }
}

/** Notes which names of files stand still: what is taken back from the middle of a deletion has not lost all of them. */
export async function noteNames({ workspace, names }: StepScope, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const name = step.kind === "entry" ? nameOf(step.after) : undefined;
    if (step.kind !== "entry" || name === undefined || names.has(name)) continue;
    const { state } = await lookAtPath(workspace, step.path);
    if (isSameFile(state, step.after)) names.set(name, step.path);
  }
}

/** A folder that stands still, and is filled again, gets its time back. */
function noteFilled({ later, isTakingBack }: StepScope, { path, after }: EntryStep): void {
  const isFilled = isTakingBack === true && after.kind === "directory" && after.modifiedAt !== undefined;
  if (isFilled && !later.has(path)) later.set(path, { modifiedAt: after.modifiedAt });
}

/** What the names of one file have in common, as long as they were recorded alike. */
function nameOf(state: PathState): string | undefined {
  if (state.kind !== "file" || state.identity === undefined) return undefined;
  const { identity, hash, mode, modifiedAt } = state;
  return `${identity} ${hash} ${mode} ${modifiedAt}`;
}

function isSameFile(seen: PathState, left: PathState): boolean {
  if (seen.kind !== "file" || left.kind !== "file" || seen.hash !== left.hash || seen.mode !== left.mode) return false;
  return isSameTime(seen.modifiedAt ?? 0, left.modifiedAt ?? 0);
}

/** Steps that lead to a further name of a file to which an earlier step leads: that one has to be taken first. */
export function laterNames(steps: readonly Step[]): ReadonlySet<Step> {
  const seen = new Set<string>();
  return new Set(
    steps.filter((step) => {
      const name = step.kind === "entry" ? nameOf(step.after) : undefined;
      if (name === undefined || seen.has(name)) return name !== undefined;
      seen.add(name);
      return false;
    }),
  );
}

/** Tells where a path that looks so stands. */
export function placeOf(seen: PathState, { before, after }: EntryStep): StepPlace {
  const [isBefore, isAfter] = [isSameState(seen, before, after), isSameState(seen, after, before)];
  // Where a step changes nothing but the time, the time tells.
  if (isAfter && !(isBefore && hasOtherTime(seen, after))) return "after";
  return isBefore ? "before" : "elsewhere";
}

function hasOtherTime(seen: PathState, left: PathState): boolean {
  if (seen.kind !== "file" || left.kind !== "file") return false;
  const { modifiedAt = left.modifiedAt } = seen;
  return modifiedAt !== undefined && left.modifiedAt !== undefined && !isSameTime(modifiedAt, left.modifiedAt);
}

/** Times are kept to the microsecond or so. */
function isSameTime(one: number, other: number): boolean {
  return Math.abs(one - other) < 0.002;
}

/** Sets the bits of folders that had to stay open for a while, and their times, those inside others first. */
export async function finishFolders({ workspace, later }: StepScope): Promise<void> {
  for (const [path, facts] of [...later].toReversed()) {
    // A later step may have taken it away again.
    if ((await lstatIfThere(workspace, path))?.kind !== "directory") continue;
    await workspace.mkdir(path, { recursive: true, ...facts });
  }
}

async function takeRename(
  { workspace, isTakingBack, label, later, names }: StepScope,
  { from, to, state }: Extract<Step, { kind: "rename" }>,
): Promise<StepOutcome> {
  const [old, young] = [await lookAtPath(workspace, from), await lookAtPath(workspace, to)];
  if (isTakingBack === true && isSameState(young.state, state, state)) {
    await removeSecondName(workspace, { from, to }, [old, young]);
    return "stood";
  }
  if (old.state.kind === "absent") return isSameState(young.state, state, state) ? "stood" : "refused";
  if (!isSameState(old.state, state, state)) return "refused";
  const isRespelled = young.stat !== undefined && young.stat.identity === old.stat?.identity && from !== to;
  if (young.state.kind !== "absent" && !isRespelled) return "refused";
  await workspace.rename(from, to, { createDirs: true, temporaryLabel: label });
  for (const [path, facts] of [...later]) {
    if (!isAtOrBelow(path, from)) continue;
    later.delete(path);
    later.set(to + path.slice(from.length), facts);
  }
  for (const [name, path] of names) if (isAtOrBelow(path, from)) names.set(name, to + path.slice(from.length));
  return "taken";
}

/** A rename that was interrupted may have left the new name beside the old: as a link to the same file, or as a folder with nothing in it. */
async function removeSecondName(
  workspace: Workspace,
  { from, to }: { readonly from: string; readonly to: string },
  [second, first]: readonly [SeenPath, SeenPath],
): Promise<void> {
  const isSame = second.stat?.identity === first.stat?.identity && from.toLowerCase() !== to.toLowerCase();
  const isLink = second.state.kind !== "directory" && isSame;
  const isClaim = second.state.kind === "directory" && first.state.kind === "directory" && !isSame;
  // A folder that holds something is not removed by this.
  if (second.stat !== undefined && (isLink || isClaim)) await workspace.remove(from).catch(() => {});
}

async function putState(scope: StepScope, step: EntryStep, seen: SeenPath): Promise<void> {
  const { workspace } = scope;
  const { path, before, after } = step;
  if (after.kind === "absent") {
    await removeEntry(workspace, step);
    return;
  }
  if (before.kind !== "absent" && before.kind !== after.kind) await workspace.remove(path);
  if (after.kind === "link") {
    if (before.kind === "link") await workspace.remove(path);
    await workspace.symlink(after.target, path, timeOf(after));
  } else if (after.kind === "directory") await makeFolder(scope, path, after);
  else if (after.kind === "file") await writeState(scope, { ...step, after }, seen);
}

async function makeFolder(
  { workspace, later }: StepScope,
  path: string,
  after: Extract<PathState, { kind: "directory" }>,
): Promise<void> {
  const { mode } = after;
  // Somebody has to be able to fill it.
  await workspace.mkdir(path, { recursive: true, ...(mode !== undefined && { permissions: mode | OWNER_ALL }) });
  const isClosed = mode !== undefined && (mode & OWNER_ALL) !== OWNER_ALL;
  const facts: FolderFacts = { ...(isClosed && { permissions: mode }), ...timeOf(after) };
  if (Object.keys(facts).length > 0) later.set(path, facts);
}

function timeOf({ modifiedAt }: { readonly modifiedAt?: number }): { readonly modifiedAt?: number } {
  return modifiedAt === undefined ? {} : { modifiedAt };
}

const OWNER_ALL = 0o700;

async function removeEntry(workspace: Workspace, { path, isParent }: EntryStep): Promise<void> {
  try {
    await workspace.remove(path);
  } catch (error) {
    // What others put into a folder that was made on the way is a reason to leave it.
    if (isParent === true && ToolError.is(error) && error.code === "not_a_file") return;
    throw error;
  }
}

async function writeState(
  scope: StepScope,
  { path, keepsLinks, before, after }: EntryStep & { readonly after: FileState },
  seen: SeenPath,
): Promise<void> {
  const { workspace, readImage, label, meeting, names } = scope;
  const name = nameOf(after);
  if (name !== undefined && before.kind !== "file" && (await isLinked(scope, { path, name, after }))) return;
  const bytes = after.hash === undefined ? undefined : await readImage(after.hash);
  if (bytes === undefined) {
    throw new ToolError(
      "irreversible",
      `The bytes to put back are not kept, or are damaged: ${workspace.display(path)}`,
    );
  }
  await workspace.writeFile(path, bytes, {
    mode: before.kind === "file" ? "overwrite" : "create",
    expectedRealPath: path,
    temporaryLabel: label,
    ...(after.hash !== undefined && { contentHash: after.hash }),
    ...(meeting !== undefined && { meeting }),
    ...(before.kind === "file" && seen.etag !== undefined && { expectedEtag: seen.etag }),
    ...(after.mode !== undefined && { permissions: after.mode }),
    ...(after.modifiedAt !== undefined && { modifiedAt: after.modifiedAt }),
    ...(keepsLinks === true && { hardLinks: "keep" as const }),
  });
  if (name !== undefined) names.set(name, path);
}

/** Makes a further name of a file that has come back already, where nobody has changed that one since. */
async function isLinked(
  { workspace, names }: StepScope,
  { path, name, after }: { readonly path: string; readonly name: string; readonly after: FileState },
): Promise<boolean> {
  const existing = names.get(name);
  if (existing === undefined || !isSameFile((await lookAtPath(workspace, existing)).state, after)) return false;
  return (await workspace.link(existing, path)).isLinked;
}

/** The file that a step does nothing but write. */
export function writtenPath(step: Step): string | undefined {
  return step.kind === "entry" && step.after.kind === "file" ? step.path : undefined;
}

/** Takes steps as far as they go, the given order kept; gives the paths where somebody else stood in the way. */
export async function takeStepsLeniently(scope: StepScope, steps: readonly Step[]): Promise<string[]> {
  const left: string[] = [];
  await noteNames(scope, steps).catch(() => {});
  const alone = laterNames(steps);
  const pathOf = (step: Step): string | undefined => (alone.has(step) ? undefined : writtenPath(step));
  await writeTogether(steps, pathOf, async (step, meeting) => {
    const outcome = await takeStep({ ...scope, meeting }, step).catch(() => "refused" as const);
    if (outcome === "refused") left.push(...pathsOf(step));
  });
  await finishFolders(scope).catch(() => {});
  return [...new Set(left)];
}

/** A rename that was not taken back leaves one name too many and one too few. */
function pathsOf(step: Step): string[] {
  return step.kind === "rename" ? [step.from, step.to] : [step.path];
}
