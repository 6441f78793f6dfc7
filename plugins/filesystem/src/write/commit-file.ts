import { ToolError, type ToolContext } from "@aiw/core";
import { applyChanges, type AppliedChange, type LineCounts, type Workspace, type WriteOptions } from "@aiw/core/node";
import { toOvertaken } from "../change/plan-anew.ts";
import { showName } from "../files/show-name.ts";
import type { FilesystemOptions } from "../options.ts";
import { nameNotices } from "./name-notices.ts";

/** One file that a tool writes. */
export interface FileCommit {
  /** Name of the tool, for the history. */
  readonly tool: string;
  /** What was done, in one word: `Created`. */
  readonly verb: string;
  /** As results name the file. */
  readonly shown: string;
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly options: WriteOptions;
  readonly lines?: LineCounts;
}

/** A file as it was written, and what the caller should know of it. */
export interface CommittedFile extends Omit<AppliedChange, "notices"> {
  readonly etag: string;
  readonly notices: readonly string[];
}

/**
 * Writes one file so that it can be taken back.
 * @throws ToolError of the disk, or `conflict`.
 */
export async function commitFile(
  { tool, verb, shown, path, bytes, options, lines }: FileCommit,
  { context, workspace }: { readonly context: ToolContext<FilesystemOptions>; readonly workspace: Workspace },
): Promise<CommittedFile> {
  const { changes, notices } = await applyChanges(context, workspace, {
    tool,
    title: `${verb} ${showName(shown)}`,
    changes: [
      {
        op: "write",
        path,
        content: bytes,
        options: { hardLinks: context.options.hard_links, ...options },
        ...(lines !== undefined && { lines }),
      },
    ],
  }).catch(toOvertaken);
  const [change] = changes;
  if (change?.etag === undefined) throw new ToolError("internal_error", `The change left no file: ${shown}`);
  return { ...change, etag: change.etag, notices: [...nameNotices(change.notices), ...notices] };
}
