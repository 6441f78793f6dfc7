import { randomBytes } from "node:crypto";
import { ToolError } from "../errors/tool-error.ts";
import type { WrittenFacts } from "../workspace/stage-temporary.ts";
import { writeTogether } from "../workspace/write-meeting.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { AppliedChange, ChangeOutcome, ChangeRequest, PlannedChange } from "./change-request.ts";
import {
  turnStep,
  type BeginRecord,
  type PackIndex,
  type RecordedChange,
  type StatePatch,
} from "./store/journal-record.ts";
import { doAhead } from "./do-ahead.ts";
import { takeBack, withNotRestored, type JournalScope } from "./journal-scope.ts";
import { confirmSeen, findPatches, performChange, wroteNothing } from "./perform-change.ts";
import { planChange, type ChangePlan } from "./plan-change.ts";
import { namedPath, parentOf, PlanRoom } from "./plan-room.ts";
import { lookAtPath, MOST_KEPT_BYTES } from "./store/path-state.ts";
import { ownProcess } from "./store/process-mark.ts";

/** A request and the call it comes from. */
export type GroupRequest = ChangeRequest & { readonly callId: string; readonly turn?: number | undefined };

interface Group {
  readonly request: GroupRequest;
  readonly label: string;
  readonly time: number;
  groupId: string | undefined;
  /** Changes that were recorded, and perhaps begun. */
  readonly begun: RecordedChange[];
  /** Of files that were written, by the change. */
  readonly facts: Map<RecordedChange, WrittenFacts>;
  readonly done: AppliedChange[];
}

/** Makes all changes of a request or none. */
export async function applyGroup(
  scope: JournalScope,
  workspace: Workspace,
  request: GroupRequest,
): Promise<ChangeOutcome> {
  const label = randomBytes(6).toString("hex");
  const time = Date.now();
  const group: Group = { request, label, time, groupId: undefined, begun: [], facts: new Map(), done: [] };
  const room = new PlanRoom(workspace, (hash) => scope.history().images.has(hash));
  try {
    let rest = request.changes;
    while (rest.length > 0) {
      const plans = await planBatch(room, request, rest);
      rest = rest.slice(plans.length);
      await applyBatch(scope, { group, plans, room });
    }
  } catch (error) {
    throw await giveUp(scope, group, error);
  }
  const { groupId } = group;
  if (groupId !== undefined) {
    const patches = await patchesOf(workspace, group);
    // What is done is seen to be done, should this record be missing.
    await scope.append(() => ({ type: "commit", groupId, patches })).catch(() => {});
  }
  return { groupId: groupId ?? "", changes: group.done, notices: [] };
}

/** Plans as many changes as do not build on one another. */
async function planBatch(
  room: PlanRoom,
  { irreversible }: GroupRequest,
  changes: readonly PlannedChange[],
): Promise<ChangePlan[]> {
  const plans: ChangePlan[] = [];
  const made = new Set<string>();
  const batch = await takeBatch(room.workspace, changes);
  const plan = async ({ change, targets: [target] }: Targeted): Promise<ChangePlan> =>
    await planChange(room, change, target.path);
  for await (const planned of doAhead(batch, plan)) {
    if (!planned.reversible && irreversible === "refuse") throw tooMuch(planned.change);
    // Folders that several changes need are made by the first.
    const steps = planned.steps.filter(
      (step) => step.kind === "rename" || step.isParent !== true || !made.has(step.path),
    );
    plans.push({ ...planned, steps });
    for (const step of steps) if (step.kind === "entry" && step.isParent === true) made.add(step.path);
  }
  return plans;
}

/** The first changes, as many as do not build on one another; at least one. */
async function takeBatch(workspace: Workspace, changes: readonly PlannedChange[]): Promise<Targeted[]> {
  const batch: Targeted[] = [];
  const touched = new Set<string>();
  const above = new Set<string>();
  const folder = { cwd: workspace.resolve("."), realCwd: await workspace.realPath(".") };
  const find = async (change: PlannedChange): Promise<Targeted> => {
    return { change, targets: await targetsOf(workspace, change, folder) };
  };
  for await (const found of doAhead(changes, find)) {
    // A link on the way may be gone, or lead elsewhere, once the earlier ones are made.
    const isLater = found.targets.some((one) => one.isByLink || meets(one.path, { touched, above }));
    if (batch.length > 0 && isLater) break;
    batch.push(found);
    for (const { path } of found.targets) {
      touched.add(path);
      for (const one of foldersAbove(path)) above.add(one);
    }
  }
  return batch;
}

function meets(
  path: string,
  { touched, above }: { readonly touched: ReadonlySet<string>; readonly above: ReadonlySet<string> },
): boolean {
  return touched.has(path) || above.has(path) || foldersAbove(path).some((folder) => touched.has(folder));
}

function foldersAbove(path: string): string[] {
  const folders: string[] = [];
  for (let folder = parentOf(path); folder !== parentOf(folder); folder = parentOf(folder)) folders.push(folder);
  return folders;
}

interface Target {
  /** Absolute and free of links. */
  readonly path: string;
  readonly isByLink: boolean;
}

interface Targeted {
  readonly change: PlannedChange;
  readonly targets: readonly [Target, ...Target[]];
}

async function targetsOf(
  workspace: Workspace,
  change: PlannedChange,
  { cwd, realCwd }: { readonly cwd: string; readonly realCwd: string },
): Promise<[Target, ...Target[]]> {
  const toTarget = (given: string, path: string): Target => {
    const absolute = workspace.resolve(given);
    const literal = absolute.startsWith(`${cwd}/`) ? realCwd + absolute.slice(cwd.length) : absolute;
    return { path, isByLink: literal !== path };
  };
  if (change.op === "write") return [toTarget(change.path, await workspace.realPath(change.path))];
  const find = async (given: string): Promise<Target> => toTarget(given, await namedPath(workspace, given));
  if (change.op === "delete") return [await find(change.path)];
  return [await find(change.from), await find(change.to)];
}

function tooMuch(change: PlannedChange): ToolError {
  const path = change.op === "write" || change.op === "delete" ? change.path : change.to;
  return new ToolError("irreversible", `What stands there is more than is kept for taking changes back: ${path}`, {
    suggestion: "Pass allow_irreversible=true if it may be lost.",
  });
}

async function applyBatch(
  scope: JournalScope,
  { group, plans, room }: { readonly group: Group; readonly plans: readonly ChangePlan[]; readonly room: PlanRoom },
): Promise<void> {
  const recorded = await recordBatch(scope, { group, plans: plans.filter(({ isNoop }) => !isNoop), room });
  const done = new Map<ChangePlan, AppliedChange>();
  // A write looks at what it replaces, and then replaces it: nobody may come in between.
  await using _lock = plans.some(({ change }) => change.op === "write") ? await scope.lockFiles() : undefined;
  await writeTogether(plans, writtenPath, async (plan, meeting) => {
    const entry = recorded.get(plan);
    await confirmSeen(room.workspace, plan);
    if (entry !== undefined) group.begun.push(entry);
    const temporary = { temporaryLabel: group.label, ...(meeting !== undefined && { meeting }) };
    const { applied, facts } = await performChange(room.workspace, plan, temporary).catch((error: unknown) => {
      if (entry !== undefined && wroteNothing(plan, error)) forgetBegun(group, entry);
      throw error;
    });
    if (entry !== undefined && facts !== undefined) group.facts.set(entry, facts);
    const { reversible } = plan;
    done.set(plan, { ...applied, ...(entry !== undefined && { undoId: entry.undoId }), reversible });
  });
  group.done.push(...plans.flatMap((plan) => done.get(plan) ?? []));
}

/** Of a change that was refused at its last look, the folders made for it alone are taken back: what stands there is somebody else's. */
function forgetBegun({ begun }: Group, entry: RecordedChange): void {
  const steps = entry.steps.filter((step) => step.kind === "entry" && step.isParent === true);
  begun.splice(begun.indexOf(entry), 1, { ...entry, steps });
}

/** Writers that make no folders go together. */
function writtenPath({ op, path, steps }: ChangePlan): string | undefined {
  return (op === "write" || op === "create") && steps.length === 1 ? path : undefined;
}

async function recordBatch(
  scope: JournalScope,
  { group, plans, room }: { readonly group: Group; readonly plans: readonly ChangePlan[]; readonly room: PlanRoom },
): Promise<ReadonlyMap<ChangePlan, RecordedChange>> {
  const recorded = new Map<ChangePlan, RecordedChange>();
  if (plans.length === 0) return recorded;
  const { tool, title, callId, turn } = group.request;
  const { label, time } = group;
  const toBegin = (pack: PackIndex | undefined, changes: readonly RecordedChange[]): BeginRecord => {
    group.groupId ??= scope.history().nextGroupId();
    const { groupId } = group;
    const about = { groupId, tool, title, callId, time, label, process: ownProcess(), changes };
    return { type: "begin", ...about, ...(turn !== undefined && { turn }), ...(pack !== undefined && { pack }) };
  };
  const begin = (pack: PackIndex | undefined): BeginRecord => {
    const history = scope.history();
    recorded.clear();
    for (const [index, plan] of plans.entries()) recorded.set(plan, toRecorded(plan, history.nextChangeId(index)));
    return toBegin(pack, [...recorded.values()]);
  };
  await scope.append(begin, { images: room.take(), isDurable: true });
  const images = await findForgotten(scope, room.workspace, plans);
  if (images.size > 0) await scope.append((pack) => toBegin(pack, []), { images, isDurable: true });
  return recorded;
}

/** Bytes that were kept when the changes were planned, and that another process has let go before they were recorded. */
async function findForgotten(
  scope: JournalScope,
  workspace: Workspace,
  plans: readonly ChangePlan[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const { images } = scope.history();
  const found = new Map<string, Uint8Array>();
  for (const step of plans.flatMap(({ reversible, steps }) => (reversible ? steps : []))) {
    const hash = step.kind === "entry" && step.before.kind === "file" ? step.before.hash : undefined;
    if (step.kind === "rename" || hash === undefined || images.has(hash) || found.has(hash)) continue;
    const { state, bytes } = await lookAtPath(workspace, step.path, { keepBytes: MOST_KEPT_BYTES });
    // What is another file by now is not going to be changed.
    if (state.kind === "file" && state.hash === hash && bytes !== undefined) found.set(hash, bytes);
  }
  return found;
}

function toRecorded({ op, path, from, lines, reversible, steps }: ChangePlan, undoId: string): RecordedChange {
  return { undoId, op, path, ...(from !== undefined && { from }), ...lines, reversible, steps };
}

async function patchesOf(workspace: Workspace, group: Group): Promise<StatePatch[]> {
  const patches: StatePatch[] = [];
  const find = async (change: RecordedChange): Promise<StatePatch[]> =>
    await findPatches(workspace, change, group.facts.get(change)).catch(() => []);
  for await (const found of doAhead(group.begun, find)) patches.push(...found);
  return patches;
}

/** Puts everything back; what cannot be stays in the history, from where it can be taken back later. */
async function giveUp(scope: JournalScope, group: Group, error: unknown): Promise<unknown> {
  const { groupId, begun, label } = group;
  if (groupId === undefined) return error;
  const steps = begun.flatMap(({ steps: taken }) => taken).toReversed();
  const left = await takeBack(scope, steps.map(turnStep), label).catch(() => ["the workspace"]);
  if (left.length === 0) await scope.append(() => ({ type: "abort", groupId })).catch(() => {});
  return withNotRestored(error, left);
}
