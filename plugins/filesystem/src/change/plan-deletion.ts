import { sep } from "node:path";
import { ToolError } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import type { DeleteInput } from "./delete-schema.ts";
import { explainDeletion } from "./explain-deletion.ts";
import { findEntry, type FoundEntry } from "./find-entry.ts";

/** What goes, as far as it can be deleted as things are. */
export interface DeletionPlan {
  /** In the order asked for, each entry once. */
  readonly entries: readonly (FoundEntry & { readonly count: number })[];
  readonly notices: readonly string[];
}

/**
 * Finds all that is to go, and tries it without a change.
 * @throws ToolError that names every path which cannot be deleted, with a call that works.
 */
export async function planDeletion(workspace: Workspace, input: DeleteInput): Promise<DeletionPlan> {
  const found: FoundEntry[] = [];
  const notices: string[] = [];
  const errors = new Map<string, ToolError>();
  for (const path of input.paths) {
    const entry = await orError(errors, path, async () => {
      await workspace.assertMayWrite(path, { lastLink: "none" });
      return await findEntry(workspace, path);
    });
    if (entry === undefined) continue;
    if (!found.some(({ realPath }) => realPath === entry.realPath)) found.push(entry);
    notices.push(...entry.notices);
  }
  const kept = input.recursive ? found.filter((entry) => !found.some((other) => isInside(other, entry))) : found;
  for (const entry of found) {
    if (kept.includes(entry)) continue;
    notices.push(`${showName(entry.shown)} went with the folder it was in.`);
  }
  const entries: (FoundEntry & { count: number })[] = [];
  for (const entry of kept) {
    // A folder from which others go first is only tried when they are gone.
    const isEmptiedFirst = kept.some((other) => isInside(entry, other));
    const how = { recursive: input.recursive, dryRun: true };
    const tried = await orError(errors, entry.path, async () =>
      isEmptiedFirst ? { removed: 1 } : await workspace.remove(entry.path, how),
    );
    if (tried !== undefined) entries.push({ ...entry, count: tried.removed });
    if (entry.kind === "link") notices.push(`${showName(entry.shown)} is a link; what it leads to stays.`);
  }
  if (errors.size > 0) throw explainDeletion(errors, input);
  return { entries, notices };
}

function isInside(folder: FoundEntry, entry: FoundEntry): boolean {
  return folder.kind === "directory" && entry.realPath.startsWith(folder.realPath + sep);
}

async function orError<Result>(
  errors: Map<string, ToolError>,
  path: string,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!ToolError.is(error) || error.code === "cancelled") throw error;
    errors.set(path, error);
    return undefined;
  }
}
