import { ToolError } from "../errors/tool-error.ts";
import type { WriteOptions } from "../workspace/write-atomically.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AppliedChange, DeleteChange, WriteChange } from "./change-request.ts";
import type { StatePatch, Step } from "./store/journal-record.ts";
import { lstatIfThere, type PathState } from "./store/path-state.ts";
import type { ChangePlan } from "./plan-change.ts";

type Performed = Omit<AppliedChange, "undoId" | "reversible">;

/** Makes one planned change, of exactly what was seen while it was planned. */
export async function performChange(
  workspace: Workspace,
  plan: ChangePlan,
  temporary: Pick<WriteOptions, "temporaryLabel" | "meeting">,
): Promise<Performed> {
  const { change, op, path, from } = plan;
  const done = { op, path, bytesWritten: 0, entries: 1, notices: [], ...(from !== undefined && { from }) };
  if (change.op === "write") return { ...done, ...(await performWrite(workspace, { plan, change, temporary })) };
  await confirmSeen(workspace, plan);
  const { state } = plan.seen;
  const etag = state.kind === "file" && plan.seen.etag !== undefined ? { etag: plan.seen.etag } : {};
  if (change.op === "delete") {
    const { removed } = await workspace.remove(change.path, { recursive: change.recursive === true });
    return { ...done, entries: removed };
  }
  const { overwrite = false, createDirs = false } = change;
  if (change.op === "move") {
    const moved = await workspace.rename(change.from, change.to, { overwrite, createDirs });
    return { ...done, ...etag, ...countOf(moved) };
  }
  const { recursive = false } = change;
  const copied = await workspace.copy(change.from, change.to, { overwrite, createDirs, recursive });
  return { ...done, ...etag, ...countOf(copied) };
}

function countOf(outcome: object): { entries?: number } {
  return "entries" in outcome && typeof outcome.entries === "number" ? { entries: outcome.entries } : {};
}

async function performWrite(
  workspace: Workspace,
  {
    plan,
    change,
    temporary,
  }: {
    readonly plan: ChangePlan;
    readonly change: WriteChange;
    readonly temporary: Pick<WriteOptions, "temporaryLabel" | "meeting">;
  },
): Promise<Pick<Performed, "etag" | "bytesWritten" | "notices"> & { readonly op: "create" | "write" }> {
  const { options = {} } = change;
  const isNew = plan.seen.state.kind === "absent";
  const expectedEtag = options.expectedEtag ?? plan.seen.etag;
  const how: WriteOptions = {
    ...options,
    expectedRealPath: plan.path,
    ...temporary,
    // What was seen is what is replaced, else its bytes would be lost to the history.
    ...(isNew ? { mode: "create" as const } : {}),
    ...(expectedEtag !== undefined && { expectedEtag }),
  };
  try {
    const { created, etag, bytesWritten, notices } = await workspace.writeFile(change.path, change.content, how);
    return { op: created ? "create" : "write", etag, bytesWritten, notices };
  } catch (error) {
    const isTaken = isNew && ToolError.is(error) && error.code === "already_exists";
    if (!isTaken || options.mode === undefined || options.mode === "create") throw error;
    throw new ToolError("conflict", `Somebody else created it meanwhile: ${change.path}`, { cause: error });
  }
}

/** A last look: what is moved or deleted is what was seen. */
async function confirmSeen(workspace: Workspace, { change, path, from, seen }: ChangePlan): Promise<void> {
  if (seen.stat === undefined) return;
  const shown = change.op === "delete" ? (change satisfies DeleteChange).path : "from" in change ? change.from : path;
  const now = await lstatIfThere(workspace, from ?? path);
  const isSame =
    now?.identity === seen.stat.identity &&
    (now.kind === "directory" || (now.size === seen.stat.size && now.mtimeMs === seen.stat.mtimeMs));
  if (!isSame) throw new ToolError("conflict", `Changed meanwhile: ${shown}`);
}

/** The bits and times that came out, which only the disk knows. */
export async function findPatches(
  workspace: Workspace,
  change: { readonly undoId: string; readonly steps: readonly Step[] },
): Promise<StatePatch[]> {
  const patches: StatePatch[] = [];
  for (const [index, step] of change.steps.entries()) {
    if (step.kind === "rename" || (step.after.kind !== "file" && step.after.kind !== "directory")) continue;
    const stat = await lstatIfThere(workspace, step.path);
    if (stat?.kind !== step.after.kind) continue;
    const state: PathState =
      step.after.kind === "file"
        ? { ...step.after, mode: stat.mode, modifiedAt: stat.mtimeMs }
        : { kind: "directory", mode: stat.mode };
    patches.push({ undoId: change.undoId, step: index, side: "after", state });
  }
  return patches;
}
