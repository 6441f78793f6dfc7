import { toFileResource, workLog, type Change, type RevertContext, type ToolContext } from "@aiw/core";
import { openWorkspace, type Workspace, type WriteOutcome } from "@aiw/core/node";
import { filesystemError } from "../errors.ts";
import { showName } from "../files/show-name.ts";
import { loadTarget, type Target } from "./load-target.ts";
import type { WriteInput } from "./write-schema.ts";

/** A write that has been done. */
export interface DoneWrite {
  readonly input: Pick<WriteInput, "mode" | "executable">;
  /** As results name the file. */
  readonly shown: string;
  /** What stood there before. */
  readonly target: Target | undefined;
  /** What was written: the whole file, or its new end. */
  readonly bytes: Uint8Array;
  readonly outcome: WriteOutcome;
}

/** Bytes of an earlier content that are kept for taking a write back. */
const MOST_KEPT_BYTES = 5 * 1024 * 1024;

/** Leaves on record that the file was written and, unless nothing changed, how that is taken back. */
export async function recordWrite(write: DoneWrite, context: ToolContext): Promise<void> {
  // The write stands; a conversation that ended meanwhile has nothing to take it back from.
  const log = await context.session.get(workLog).catch(() => undefined);
  log?.touch(context, write.outcome.realPath, "write");
  if (!write.outcome.notices.includes("unchanged")) log?.record(context, toChange(write, context));
}

function toChange(write: DoneWrite, { workspace: roots }: ToolContext): Change {
  const { shown, target, bytes, outcome } = write;
  const within = async (
    { signal }: RevertContext,
    work: (workspace: Workspace, signal: AbortSignal) => Promise<void>,
  ): Promise<void> => {
    await using workspace = await openWorkspace(roots, { signal });
    await work(workspace, signal);
  };
  return {
    title: `${outcome.created ? "Created" : "Wrote"} ${showName(shown)}`,
    resources: [toFileResource(outcome.realPath)],
    bytes: bytes.length + (isKept(target) ? target.size : 0),
    undo: (context) =>
      within(context, (workspace, signal) =>
        target === undefined ? removeCreated(workspace, write, signal) : restore(workspace, write, target),
      ),
    redo: (context) => within(context, (workspace) => repeat(workspace, write)),
  };
}

/** The folders that were made for it stay. */
async function removeCreated(workspace: Workspace, { outcome, shown }: DoneWrite, signal: AbortSignal): Promise<void> {
  const found = await loadTarget(workspace, outcome.realPath, signal);
  if (found?.etag !== outcome.etag) {
    throw filesystemError("conflict", `The file is no longer as it was created: ${shown}`);
  }
  await workspace.remove(outcome.realPath);
}

async function restore(workspace: Workspace, { outcome, shown, input }: DoneWrite, target: Target): Promise<void> {
  if (!isKept(target)) {
    throw filesystemError("too_large", `The file was too large for its earlier content to be kept: ${shown}`);
  }
  if (input.executable !== undefined) {
    throw filesystemError("conflict", `Its executable bits were set, which is not taken back: ${shown}`);
  }
  await workspace.writeFile(outcome.realPath, target.bytes, { mode: "overwrite", expectedEtag: outcome.etag });
}

async function repeat(workspace: Workspace, { outcome, input, target, bytes }: DoneWrite): Promise<void> {
  await workspace.writeFile(outcome.realPath, bytes, {
    mode: target === undefined ? "create" : input.mode,
    createDirs: true,
    ...(target !== undefined && { expectedEtag: target.etag }),
    ...(input.executable !== undefined && { executable: input.executable }),
  });
}

function isKept(target: Target | undefined): target is Target & { readonly bytes: Buffer } {
  return target?.bytes !== undefined && target.size <= MOST_KEPT_BYTES;
}
