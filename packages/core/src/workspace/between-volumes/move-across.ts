import { constants } from "node:fs";
import { ToolError } from "../../errors/tool-error.ts";
import type { HeldEntry } from "../../confine/held-entry.ts";
import type { WorkspaceAccess } from "../../confine/walk-path.ts";
import { claimName, refuseTaken, type End, type Naming } from "../claim-name.ts";
import { changedMeanwhile } from "../copy-file.ts";
import { copyAndName } from "../copy-entry.ts";
import { emptyDirectory, removeOne, type Removal } from "../remove-entry.ts";
import { assertSameTree } from "./same-tree.ts";
import { temporaryName } from "../stage-temporary.ts";
import { listWhole, surveyTree } from "../survey-tree.ts";
import type { RenameOptions, TwoPaths } from "../transfer-ends.ts";

/** A move whose ends lie on different volumes. */
export interface MoveAcross {
  readonly naming: Naming;
  readonly request: TwoPaths;
  readonly options: RenameOptions;
  /** Of the new name. */
  readonly realPath: string;
}

/**
 * Moves by copying, comparing and removing. The source is put aside under a temporary name before it is compared, so that nobody
 * changes it by its own name any more.
 * @throws ToolError `io_error` with `details.copied_to` and `details.left_at` when the copy is whole but its source could not all be
 * removed; every other failure leaves both ends as they were.
 */
export async function moveAcross(access: WorkspaceAccess, move: MoveAcross): Promise<void> {
  const { naming, request, options, realPath } = move;
  const { entry, from, to } = naming;
  const { shown } = request.from;
  await surveyTree(access, entry, { shown, intent: "copy" });
  await refuseUnremovable(access, entry, shown);
  await using old = await to.directory.lookUp(to.name);
  if (old !== undefined) refuseTaken(naming, old);
  const aside: End = { directory: from.directory, name: temporaryName(options.temporaryLabel) };
  let isAside = false;
  try {
    await copyAndName(access, {
      naming,
      from,
      isMove: true,
      options,
      realPath,
      async verify(copy, staged) {
        await access.fs.rename(from.directory.child(from.name), aside.directory.child(aside.name));
        isAside = true;
        await using parked = await aside.directory.lookUp(aside.name);
        if (parked === undefined) throw changedMeanwhile(access, entry, shown);
        await assertSameTree(access, {
          source: { entry: parked, ...aside },
          copy: { entry: copy, ...staged },
          shown,
        });
      },
    });
  } catch (error) {
    if (isAside) await putBack(access, { aside, from, entry, shown }, error);
    throw error;
  }
  await removeAside({ ...access, signal: undefined }, { aside, from, entry, shown, realPath });
}

interface Aside {
  readonly aside: End;
  readonly from: End;
  readonly entry: HeldEntry;
  readonly shown: string;
}

async function putBack(access: WorkspaceAccess, { aside, from, entry, shown }: Aside, cause: unknown): Promise<void> {
  try {
    await claimName(access, { from: aside, to: from, entry, shown, overwrite: false });
  } catch {
    const left = access.display(`${aside.directory.realPath}/${aside.name}`);
    throw new ToolError("io_error", `Nothing was moved, but ${shown} could not get its name back; it is at ${left}`, {
      cause,
      retryable: false,
      details: { left_at: left },
    });
  }
}

async function removeAside(access: WorkspaceAccess, left: Aside & { readonly realPath: string }): Promise<void> {
  const { aside, from, entry, shown, realPath } = left;
  const removal: Removal = { access, shown, removed: 0 };
  const isDirectory = entry.stat.isDirectory();
  try {
    await using parked = await aside.directory.lookUp(aside.name);
    if (isDirectory && parked !== undefined) await emptyDirectory(removal, parked, 0);
    await removeOne(removal, aside.directory, { name: aside.name, isDirectory });
  } catch (cause) {
    const name = await claimName(access, { from: aside, to: from, entry, shown, overwrite: false }).then(
      () => from.name,
      () => aside.name,
    );
    const [copied, rest] = [access.display(realPath), access.display(`${from.directory.realPath}/${name}`)];
    throw new ToolError(
      "io_error",
      `${copied} is whole, but what was moved there could not all be removed: ${removal.removed} entries are gone, the rest is at ${rest}`,
      { cause, retryable: false, details: { copied_to: copied, left_at: rest, removed: removal.removed } },
    );
  }
}

/** Asked before anything is copied: a tree that cannot be emptied would be left in two places. */
async function refuseUnremovable(access: WorkspaceAccess, entry: HeldEntry, shown: string): Promise<void> {
  if (!entry.stat.isDirectory()) return;
  await access.fs.access(entry.reach, constants.W_OK | constants.X_OK);
  for (const { name, kind } of await listWhole(access, entry, shown)) {
    if (kind !== "directory") continue;
    await using inner = await entry.lookUp(name);
    if (inner !== undefined) await refuseUnremovable(access, inner, shown);
  }
}
