import { errnoOf, toNotFound } from "../confine/file-failure.ts";
import { walkPath, type WorkspaceAccess } from "../confine/walk-path.ts";
import { claimName, refuseClaim } from "./claim-name.ts";
import { lockPath } from "./lock-path.ts";
import { moveAcross } from "./between-volumes/move-across.ts";
import { refuseAnchorAt, refuseAnchors, refuseMount } from "./remove-entry.ts";
import { surveyTree } from "./survey-tree.ts";
import {
  holdEnd,
  refuseMissingParents,
  refuseOnePlace,
  standsOn,
  toTaking,
  type RenameOptions,
  type TransferOutcome,
  type TwoPaths,
} from "./transfer-ends.ts";

/**
 * Gives an entry another name, both ends held and neither followed if it is a link (SEC-FS-10).
 * Between volumes it is copied, compared with its source, and only then removed there.
 * @throws ToolError `already_exists`; `protected_path` when it is or holds what is not moved; `conflict` when it changes meanwhile.
 */
export async function moveEntry(
  access: WorkspaceAccess,
  request: TwoPaths,
  options: RenameOptions = {},
): Promise<TransferOutcome> {
  const { shown } = request.from;
  await using source = await walkPath(access, { ...request.from, lastLink: "none", intent: "write" });
  const { entry, directory } = source;
  if (entry === undefined) throw await toNotFound(access, source, { shown });
  refuseAnchors(access, source, shown);
  await using target = await walkPath(access, { ...request.to, lastLink: "none", intent: "write" });
  if (directory === undefined) throw standsOn(shown);
  refuseAnchorAt(access, target, request.to.shown);
  refuseOnePlace(access, { from: source.realPath, to: target.realPath }, request);
  refuseMount(entry, directory, shown);
  const { entries } = await surveyTree(access, entry, { shown, intent: "rename", becomes: target.realPath });
  if (options.dryRun === true) {
    await refuseMissingParents(access, target, { shown: request.to.shown, options });
    await refuseClaim(access, {
      ...toTaking(entry, request, options),
      from: { directory, name: source.name },
      to: { directory: target.directory ?? directory, name: target.name },
    });
    return { realPath: target.realPath, entries };
  }

  await using held = await holdEnd(access, target, { shown: request.to.shown, options });
  const from = { directory, name: source.name };
  const naming = { ...toTaking(entry, request, options), from, to: held.end };
  access.signal?.throwIfAborted();
  await from.directory.confirm();
  await held.end.directory.confirm();
  const { realPath } = target;
  try {
    await lockPath(realPath, async () => await claimName(access, naming));
  } catch (error) {
    if (errnoOf(error) !== "EXDEV") throw error;
    await moveAcross(access, { naming, request, options, realPath });
  }
  return { realPath, entries };
}
