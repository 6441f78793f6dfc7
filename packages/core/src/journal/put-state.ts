import { ToolError } from "../errors/tool-error.ts";
import { writeTogether, type WriteMeeting } from "../workspace/write-meeting.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { EntryStep, Step } from "./store/journal-record.ts";
import { isSameState, lookAtPath, type FileState, type PathState, type SeenPath } from "./store/path-state.ts";

/** What steps are taken with. */
export interface StepScope {
  readonly workspace: Workspace;
  /** What temporary files are named after. */
  readonly label: string;
  readonly readImage: (hash: string) => Promise<Uint8Array | undefined>;
  /** Folders whose bits are set once all is done, since nothing could be put into them before. */
  readonly later: Map<string, number>;
  /** What may never have been done is taken back: an entry that has its old name is where it belongs. */
  readonly isTakingBack?: boolean;
  /** Other writers to sync together with. */
  readonly meeting?: WriteMeeting | undefined;
}

/** How a path stands to a step: before it, after it, or neither. */
export type StepPlace = "before" | "after" | "elsewhere";

/** Takes a step that has not been taken; says whether it could, which it cannot where somebody else changed the path. */
export async function takeStep(scope: StepScope, step: Step, known?: SeenPath): Promise<boolean> {
  if (step.kind === "rename") return await takeRename(scope, step);
  // The write itself compares the etag of what it replaces.
  const isSure = known?.etag !== undefined && step.after.kind === "file";
  const seen = isSure ? known : await lookAtPath(scope.workspace, step.path);
  const place = placeOf(seen.state, step);
  if (place === "before") await putState(scope, step, seen);
  return place !== "elsewhere";
}

/** Tells where a path that looks so stands. */
export function placeOf(seen: PathState, { before, after }: EntryStep): StepPlace {
  if (isSameState(seen, after, before)) return "after";
  return isSameState(seen, before, after) ? "before" : "elsewhere";
}

/** Sets the bits of folders that had to stay open for a while. */
export async function finishFolders({ workspace, later }: StepScope): Promise<void> {
  for (const [path, permissions] of [...later].toReversed()) {
    await workspace.mkdir(path, { recursive: true, permissions });
  }
}

async function takeRename(
  { workspace, isTakingBack, label }: StepScope,
  { from, to, state }: Extract<Step, { kind: "rename" }>,
): Promise<boolean> {
  const [old, young] = [await lookAtPath(workspace, from), await lookAtPath(workspace, to)];
  if (isTakingBack === true && isSameState(young.state, state, state)) {
    await removeSecondName(workspace, { from, to }, [old, young]);
    return true;
  }
  if (old.state.kind === "absent") return isSameState(young.state, state, state);
  if (!isSameState(old.state, state, state)) return false;
  const isRespelled = young.stat !== undefined && young.stat.identity === old.stat?.identity && from !== to;
  if (young.state.kind !== "absent" && !isRespelled) return false;
  await workspace.rename(from, to, { createDirs: true, temporaryLabel: label });
  return true;
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
    await workspace.symlink(after.target, path);
  } else if (after.kind === "directory") await makeFolder(scope, path, after.mode);
  else if (after.kind === "file") await writeState(scope, { ...step, after }, seen);
}

async function makeFolder({ workspace, later }: StepScope, path: string, mode: number | undefined): Promise<void> {
  if (mode === undefined) await workspace.mkdir(path, { recursive: true });
  else {
    // Somebody has to be able to fill it.
    await workspace.mkdir(path, { recursive: true, permissions: mode | OWNER_ALL });
    if ((mode & OWNER_ALL) !== OWNER_ALL) later.set(path, mode);
  }
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
  { workspace, readImage, label, meeting }: StepScope,
  { path, keepsLinks, before, after }: EntryStep & { readonly after: FileState },
  seen: SeenPath,
): Promise<void> {
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
}

/** The file that a step does nothing but write. */
export function writtenPath(step: Step): string | undefined {
  return step.kind === "entry" && step.after.kind === "file" ? step.path : undefined;
}

/** Takes steps as far as they go, the given order kept; gives the paths where somebody else stood in the way. */
export async function takeStepsLeniently(scope: StepScope, steps: readonly Step[]): Promise<string[]> {
  const left: string[] = [];
  await writeTogether(steps, writtenPath, async (step, meeting) => {
    const isTaken = await takeStep({ ...scope, meeting }, step).catch(() => false);
    if (!isTaken) left.push(...pathsOf(step));
  });
  await finishFolders(scope).catch(() => {});
  return [...new Set(left)];
}

/** A rename that was not taken back leaves one name too many and one too few. */
function pathsOf(step: Step): string[] {
  return step.kind === "rename" ? [step.from, step.to] : [step.path];
}
