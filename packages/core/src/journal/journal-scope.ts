import type { WorkspaceRoots } from "../contract/tool-context.ts";
import { ToolError } from "../errors/tool-error.ts";
import type { FileSystemPort } from "../confine/file-system-port.ts";
import { isTemporaryName } from "../workspace/stage-temporary.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import type { JournalHistory } from "./store/journal-history.ts";
import type { JournalRecord, PackIndex, RenameStep, Step } from "./store/journal-record.ts";
import type { AppendOptions, ImageReader } from "./store/journal-store.ts";
import { lstatIfThere } from "./store/path-state.ts";
import { parentOf } from "./plan-room.ts";
import { takeStepsLeniently } from "./put-state.ts";

/** What applying and reverting work with. */
export interface JournalScope {
  readonly roots: WorkspaceRoots;
  readonly fileSystem: FileSystemPort | undefined;
  readonly history: () => JournalHistory;
  readonly append: (make: (pack: PackIndex | undefined) => JournalRecord, options?: AppendOptions) => Promise<void>;
  readonly readImage: (hash: string) => Promise<Uint8Array | undefined>;
  readonly openImages: () => ImageReader;
  /** Keeps other processes from writing files of the workspace as far as they keep a journal; gives nothing where that cannot be. */
  readonly lockFiles: () => Promise<AsyncDisposable | undefined>;
}

/**
 * Takes steps although the call was stopped, since what is half done must not stay so; the order is the one given.
 * Gives the paths that somebody else has changed, as people write them.
 */
export async function takeBack(scope: JournalScope, steps: readonly Step[], label: string): Promise<string[]> {
  const { fileSystem } = scope;
  await using images = scope.openImages();
  const readImage = images.read;
  await using workspace = await openWorkspace(scope.roots, { ...(fileSystem !== undefined && { fileSystem }) });
  const left = await takeStepsLeniently(
    { workspace, label, readImage, later: new Map(), names: new Map(), isTakingBack: true },
    steps,
  );
  return left.map((path) => workspace.display(path));
}

/** The failure with what could not be put back. */
export function withNotRestored(error: unknown, paths: readonly string[]): unknown {
  if (paths.length === 0 || !ToolError.is(error)) return error;
  const { code, message, suggestion, details, parameters, type, status, retryable } = error;
  return new ToolError(code, message, {
    type,
    status,
    retryable,
    cause: error,
    ...(suggestion !== undefined && { suggestion }),
    ...(parameters !== undefined && { parameters }),
    details: { ...details, not_restored: paths.slice(0, MOST_PATHS) },
  });
}

const MOST_PATHS = 20;

/** Removes temporary files that a process which ended has left beside what it changed. */
export async function removeTemporaries(
  workspace: Workspace,
  { label, steps }: { readonly label: string; readonly steps: readonly Step[] },
): Promise<void> {
  for (const step of steps) if (step.kind === "rename") await putBackAside(workspace, label, step);
  const paths = steps.flatMap((step) => (step.kind === "entry" ? [step.path] : [step.from, step.to]));
  for (const folder of new Set(paths.map(parentOf))) {
    // A copy that was growing may be a folder.
    for (const path of await findTemporaries(workspace, label, folder)) {
      await workspace.remove(path, { recursive: true }).catch(() => {});
    }
  }
}

/** A move between volumes puts its source aside before the copy has its name: with neither name there, that is all there is. */
async function putBackAside(workspace: Workspace, label: string, { from, to }: RenameStep): Promise<void> {
  const isGone = async (path: string): Promise<boolean> =>
    await lstatIfThere(workspace, path).then(
      (stat) => stat === undefined,
      () => false,
    );
  if (!(await isGone(from)) || !(await isGone(to))) return;
  const [aside, copy] = await Promise.all(
    [from, to].map(async (path) => await findTemporaries(workspace, label, parentOf(path))),
  );
  const [first] = aside ?? [];
  // Without what was put aside the copy may not be whole.
  if (first !== undefined && aside?.length === 1 && copy?.length === 1) await workspace.rename(first, from);
}

async function findTemporaries(workspace: Workspace, label: string, folder: string): Promise<string[]> {
  const listing = await workspace.readdir(folder).catch(() => undefined);
  const names = (listing?.entries ?? []).map(({ name }) => name).filter((name) => isTemporaryName(name, label));
  return names.map((name) => `${folder}/${name}`);
}
