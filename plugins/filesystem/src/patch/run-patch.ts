import type { ToolContext } from "@aiw/core";
import { applyChanges, openWorkspace, type ChangeOutcome } from "@aiw/core/node";
import { toOvertaken } from "../change/plan-anew.ts";
import type { FilesystemOptions } from "../options.ts";
import { readStateKey, type ReadState } from "../read-state.ts";
import { roomFor } from "../result/room-for.ts";
import { countTextLines } from "../text/line-endings.ts";
import { describePatch, titleOf } from "./describe-patch.ts";
import type { PatchInput, PatchOutput } from "./patch-schema.ts";
import { planPatch, type PatchPlan } from "./plan-patch.ts";

/** What the envelope of a result takes. */
const BASE_CHARACTERS = 600;

/** Applies a patch to all its files, or to none. */
export async function runPatch(
  input: PatchInput,
  context: ToolContext<FilesystemOptions>,
  /** The files may have changed since the call came, so the numbers of its lines say nothing. */
  isLate = false,
): Promise<PatchOutput> {
  await using workspace = await openWorkspace(context.workspace, { signal: context.signal });
  const state = await context.session.get(readStateKey);
  const room = roomFor(context, BASE_CHARACTERS);
  const plan = await planPatch(input, { workspace, state, context, room, isLate });
  if (input.dry_run) return describePatch(plan, { room });
  const changes = plan.sections.flatMap((section) => section.changes);
  const outcome = await applyChanges(context, workspace, {
    tool: "apply_patch",
    title: titleOf(plan.sections),
    changes,
  }).catch(toOvertaken);
  remember(plan, state, outcome);
  return describePatch(plan, { room, outcome });
}

/** Lines that were shown, and those the patch wrote, are known where they stand now. */
function remember({ files }: PatchPlan, state: ReadState, { changes }: ChangeOutcome): void {
  for (const { op, from, path } of changes) if (op === "move" && from !== undefined) state.rename(from, path);
  for (const [realPath, file] of files.entries()) {
    if (file === undefined || file.isStale) {
      state.forget(realPath);
    } else if (file.seen !== undefined) {
      state.mark(realPath, { etag: file.etag, totalLines: countTextLines(file.text), ranges: file.seen });
    }
  }
}
