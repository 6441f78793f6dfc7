import type { WorkspaceRoots } from "../contract/tool-context.ts";
import { ToolError } from "../errors/tool-error.ts";
import type { FileSystemPort } from "../confine/file-system-port.ts";
import { isTemporaryName } from "../workspace/stage-temporary.ts";
import { openWorkspace, type Workspace } from "../workspace/workspace.ts";
import type { JournalHistory } from "./store/journal-history.ts";
import type { JournalRecord, PackIndex, Step } from "./store/journal-record.ts";
import type { AppendOptions, ImageReader } from "./store/journal-store.ts";
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
  const left = await takeStepsLeniently({ workspace, label, readImage, later: new Map(), isTakingBack: true }, steps);
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
  const folders = new Set(steps.flatMap((step) => (step.kind === "entry" ? [parentOf(step.path)] : [])));
  for (const folder of folders) {
    const listing = await workspace.readdir(folder).catch(() => undefined);
    for (const { name } of listing?.entries ?? []) {
      if (isTemporaryName(name, label)) await workspace.remove(`${folder}/${name}`).catch(() => {});
    }
  }
}
