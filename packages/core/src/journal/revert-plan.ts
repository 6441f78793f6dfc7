import { join } from "node:path";
import { isTemporaryName } from "../workspace/stage-temporary.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { KeptChange, KeptGroup } from "./store/journal-record.ts";
import { turnStep, type EntryStep, type RenameStep, type Step } from "./store/journal-record.ts";
import { ABSENT, isAtOrBelow, isSameState, lookAtPath, type PathState, type SeenPath } from "./store/path-state.ts";
import { parentOf } from "./plan-room.ts";
import { placeOf } from "./put-state.ts";

/** One step of the way back, or of making it again. */
export interface RevertStep {
  readonly group: KeptGroup;
  readonly change: KeptChange;
  /** Where the step is in its change. */
  readonly index: number;
  /** As it is to be taken. */
  step: Step;
  /** What was seen of a file that stands as it was left. */
  seen?: SeenPath;
  /** The process ended before it came to this step, or after it had turned it: there is nothing to take. */
  isSpared?: boolean;
}

/** What a step taken in thought meets. */
export interface Foreseen {
  readonly path: string;
  readonly seen: SeenPath;
  /** What speaks against it. */
  readonly reason?: string;
}

/** Steps in the order in which they are to be taken. */
export function toRevertSteps(
  direction: "undo" | "redo",
  picked: readonly { readonly group: KeptGroup; readonly change: KeptChange }[],
): RevertStep[] {
  return picked.flatMap(({ group, change }) => {
    const steps = change.steps.map((step, index) => ({ group, change, index, step }));
    if (direction === "redo") return steps;
    return steps.toReversed().map((one) => ({ ...one, step: turnStep(one.step) }));
  });
}

/**
 * Whether what is seen at a path is what a later step of the same group leads to: steps of one call build on one another, and a
 * process that ended in between has left their paths at any of the states they go through.
 */
export function isReachedLater(steps: readonly RevertStep[], planned: RevertStep, seen: PathState): boolean {
  const { step } = planned;
  const path = step.kind === "rename" ? step.to : step.path;
  return steps.slice(steps.indexOf(planned) + 1).some(({ step: later, group }) => {
    if (group !== planned.group) return false;
    if (later.kind === "entry") return later.path === path && isSameState(seen, later.after, later.before);
    if (later.to === path && isSameState(seen, later.state, later.state)) return true;
    return seen.kind === "absent" && isAtOrBelow(path, later.from);
  });
}

/** The files as they will be after the steps looked at so far; nothing is changed. */
export class ForeseenTree {
  readonly #workspace: Workspace;
  readonly #states = new Map<string, PathState>();
  readonly #ahead = new Map<string, SeenPath>();
  readonly #renames: { readonly from: string; readonly to: string }[] = [];
  /** Folders that steps bring back: what the disk has below their names is below something else, such as a link. */
  readonly #made = new Set<string>();

  /** Temporary names that count as nothing, by the labels they begin with. */
  readonly #labels: readonly string[];

  constructor(workspace: Workspace, labels: readonly string[] = []) {
    this.#workspace = workspace;
    this.#labels = labels;
  }

  /** Looks at a path that no step was foreseen to change, so that taking its step finds it looked at. */
  async lookAhead(path: string): Promise<void> {
    this.#ahead.set(path, await lookAtPath(this.#workspace, path));
  }

  async look(path: string): Promise<SeenPath> {
    const state = this.#states.get(path);
    if (state !== undefined) return { state };
    const onDisk = this.onDisk(path);
    if (onDisk === undefined || this.#isInMade(onDisk)) return { state: ABSENT };
    return this.#ahead.get(onDisk) ?? (await lookAtPath(this.#workspace, onDisk));
  }

  /** Where what has this name in thought is now; `undefined` where its name was taken from it. */
  onDisk(path: string): string | undefined {
    let onDisk = path;
    for (const { from, to } of this.#renames.toReversed()) {
      if (isAtOrBelow(onDisk, to)) onDisk = from + onDisk.slice(to.length);
      else if (isAtOrBelow(onDisk, from)) return undefined;
    }
    return onDisk;
  }

  #isInMade(path: string): boolean {
    for (let folder = parentOf(path); folder !== parentOf(folder); folder = parentOf(folder)) {
      if (this.#made.has(folder)) return true;
    }
    return false;
  }

  /** Takes a step in thought; an entry whose rename was interrupted may have its name already. */
  async take(step: Step, isInterrupted: boolean): Promise<Foreseen> {
    return step.kind === "entry" ? await this.#takeEntry(step) : await this.#takeRename(step, isInterrupted);
  }

  async #takeEntry(step: EntryStep): Promise<Foreseen> {
    const { path, before, after, isParent } = step;
    const seen = await this.look(path);
    const place = placeOf(seen.state, step);
    if (place === "elsewhere") return { path, seen, reason: reasonOf(seen.state, before) };
    const isInUse = place === "before" && after.kind === "absent" && (await this.#holdsMore(path, before));
    if (!isInUse) this.#states.set(path, after);
    if (after.kind === "directory" && seen.state.kind !== "directory") this.#made.add(path);
    return isInUse && isParent !== true ? { path, seen, reason: "holds what came later" } : { path, seen };
  }

  async #takeRename({ from, to, state }: RenameStep, isInterrupted: boolean): Promise<Foreseen> {
    const [old, young] = [await this.look(from), await this.look(to)];
    const isThere = isSameState(young.state, state, state);
    if (isThere && (isInterrupted || old.state.kind === "absent")) return { path: to, seen: young };
    if (!isSameState(old.state, state, state)) return { path: from, seen: old, reason: reasonOf(old.state, state) };
    const isRespelled = young.stat !== undefined && young.stat.identity === old.stat?.identity;
    if (young.state.kind !== "absent" && !isRespelled) return { path: to, seen: young, reason: "exists again" };
    this.#rename(from, to);
    return { path: to, seen: old };
  }

  /** Whether a folder that is to go would still hold something. */
  async #holdsMore(path: string, { kind }: PathState): Promise<boolean> {
    if (kind !== "directory") return false;
    const onDisk = this.onDisk(path);
    // A folder that only an earlier step brings back holds what steps put there.
    const isThere = onDisk !== undefined && (await lookAtPath(this.#workspace, onDisk)).state.kind === "directory";
    const names = new Set(isThere ? (await this.#workspace.readdir(onDisk)).entries.map(({ name }) => name) : []);
    for (const put of [...this.#states.keys(), ...this.#renames.map(({ to }) => to)]) {
      const [name = ""] = isAtOrBelow(put, path) ? put.slice(path.length + 1).split(/[/\\]/u) : [];
      if (name !== "") names.add(name);
    }
    for (const name of names) {
      if (this.#labels.some((label) => isTemporaryName(name, label))) continue;
      if ((await this.look(join(path, name))).state.kind !== "absent") return true;
    }
    return false;
  }

  #rename(from: string, to: string): void {
    for (const [path, state] of [...this.#states]) {
      if (!isAtOrBelow(path, from)) continue;
      this.#states.delete(path);
      this.#states.set(to + path.slice(from.length), state);
    }
    // What was foreseen at the new name itself is gone, and what is there now comes with the rename.
    if (this.#states.get(to)?.kind === "absent") this.#states.delete(to);
    this.#renames.push({ from, to });
  }
}

function reasonOf(seen: PathState, expected: PathState): string {
  if (seen.kind === "absent") return "is gone";
  return expected.kind === "absent" ? "exists again" : "changed since";
}
