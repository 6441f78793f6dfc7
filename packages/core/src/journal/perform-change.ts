import { ToolError } from "../errors/tool-error.ts";
import type { FileFacts } from "../confine/file-facts.ts";
import type { RemoveOptions } from "../workspace/remove-entry.ts";
import type { WrittenFacts } from "../workspace/stage-temporary.ts";
import type { WriteOptions, WriteOutcome } from "../workspace/write-atomically.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AppliedChange, DeleteChange, WriteChange } from "./change-request.ts";
import type { StatePatch, Step } from "./store/journal-record.ts";
import { lstatIfThere, type PathState } from "./store/path-state.ts";
import type { ChangePlan } from "./plan-change.ts";

/** A change that was made, with what is known of its file for the history. */
export interface Performed {
  readonly applied: Omit<AppliedChange, "undoId" | "reversible">;
  readonly facts?: WrittenFacts;
}

type Temporary = { readonly temporaryLabel: string } & Pick<WriteOptions, "meeting">;

/** Makes one planned change; a write makes sure by itself that it replaces exactly what was seen while it was planned. */
export async function performChange(workspace: Workspace, plan: ChangePlan, temporary: Temporary): Promise<Performed> {
  const { change, op, path, from } = plan;
  const done = { op, path, bytesWritten: 0, entries: 1, notices: [], ...(from !== undefined && { from }) };
  if (change.op === "write") {
    const { facts, ...written } = await performWrite(workspace, { plan, change, temporary });
    return { applied: { ...done, ...written }, ...(facts !== undefined && { facts }) };
  }
  const { state } = plan.seen;
  const etag = state.kind === "file" && plan.seen.etag !== undefined ? { etag: plan.seen.etag } : {};
  if (change.op === "delete") {
    const { removed } = await workspace.remove(change.path, {
      recursive: change.recursive === true,
      ...(plan.held !== undefined && { isExpected: toExpectation(plan.held) }),
    });
    return { applied: { ...done, entries: removed } };
  }
  const { overwrite = false, createDirs = false } = change;
  const { temporaryLabel } = temporary;
  if (change.op === "move") {
    const moved = await workspace.rename(change.from, change.to, { overwrite, createDirs, temporaryLabel });
    return { applied: { ...done, ...etag, ...countOf(moved) } };
  }
  const { recursive = false } = change;
  const how = { overwrite, createDirs, recursive, temporaryLabel };
  const copied = await workspace.copy(change.from, change.to, how);
  return { applied: { ...done, ...etag, ...countOf(copied) } };
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
    readonly temporary: Temporary;
  },
): Promise<Pick<WriteOutcome, "etag" | "bytesWritten" | "notices" | "facts"> & { readonly op: "create" | "write" }> {
  const { options = {} } = change;
  const isNew = plan.seen.state.kind === "absent";
  const expectedEtag = options.expectedEtag ?? plan.seen.etag;
  const how: WriteOptions = {
    ...options,
    expectedRealPath: plan.path,
    ...temporary,
    ...(plan.contentHash !== undefined && { contentHash: plan.contentHash }),
    // What was seen is what is replaced, else its bytes would be lost to the history.
    ...(isNew ? { mode: "create" as const } : {}),
    ...(expectedEtag !== undefined && { expectedEtag }),
  };
  try {
    const outcome = await workspace.writeFile(change.path, change.content, how);
    const { created, etag, bytesWritten, notices, facts } = outcome;
    return { op: created ? "create" : "write", etag, bytesWritten, notices, ...(facts !== undefined && { facts }) };
  } catch (error) {
    const isTaken = isNew && ToolError.is(error) && error.code === "already_exists";
    if (!isTaken || options.mode === undefined || options.mode === "create") throw error;
    throw new ToolError("conflict", `Somebody else created it meanwhile: ${change.path}`, { cause: error });
  }
}

/** Whether a change that failed left everything as it was: of one file, refused for what stands there by now. */
export function wroteNothing({ steps }: ChangePlan, error: unknown): boolean {
  const own = steps.filter((step) => step.kind === "rename" || step.isParent !== true);
  return own.length === 1 && own[0]?.kind === "entry" && ToolError.is(error) && REFUSED.has(error.code);
}

const REFUSED: ReadonlySet<string> = new Set(["conflict", "already_exists", "path_changed", "not_found"]);

/** A last look: what is moved, copied, replaced or deleted is what was seen. */
export async function confirmSeen(
  workspace: Workspace,
  { change, path, from, seen, replaced }: ChangePlan,
): Promise<void> {
  if (change.op === "write") return;
  const shown = change.op === "delete" ? (change satisfies DeleteChange).path : "from" in change ? change.from : path;
  await confirmOne(workspace, { path: from ?? path, shown, stat: seen.stat });
  await confirmOne(workspace, { path, shown: "to" in change ? change.to : shown, stat: replaced?.stat });
}

async function confirmOne(
  workspace: Workspace,
  { path, shown, stat }: { readonly path: string; readonly shown: string; readonly stat: FileFacts | undefined },
): Promise<void> {
  if (stat === undefined) return;
  const now = await lstatIfThere(workspace, path);
  if (now === undefined || !isSameEntry(now, stat)) throw new ToolError("conflict", `Changed meanwhile: ${shown}`);
}

/** What lies in a folder is looked at by itself. */
function isSameEntry(now: FileFacts, seen: FileFacts): boolean {
  if (now.identity !== seen.identity) return false;
  return now.kind === "directory" || (now.size === seen.size && now.mtimeMs === seen.mtimeMs);
}

/** Whatever came to be, or changed, after the tree was looked at is not kept, and must not go with it. */
function toExpectation(held: ReadonlyMap<string, FileFacts>): NonNullable<RemoveOptions["isExpected"]> {
  return (realPath, facts) => {
    const seen = held.get(realPath);
    return seen !== undefined && isSameEntry(facts, seen);
  };
}

/** The bits and times that came out, which only the disk knows. */
export async function findPatches(
  workspace: Workspace,
  change: { readonly undoId: string; readonly steps: readonly Step[] },
  facts?: WrittenFacts,
): Promise<StatePatch[]> {
  const [only, ...more] = change.steps;
  if (facts !== undefined && more.length === 0 && only?.kind === "entry" && only.after.kind === "file") {
    return [{ undoId: change.undoId, step: 0, side: "after", state: { ...only.after, ...facts } }];
  }
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
