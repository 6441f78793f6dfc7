import { join } from "node:path";
import type { Workspace } from "../workspace/workspace.ts";
import type { KeptChange, KeptGroup } from "./journal-history.ts";
import { turnStep, type EntryStep, type Step } from "./journal-record.ts";
import { ABSENT, isSameState, lookAtPath, type PathState, type SeenPath } from "./path-state.ts";
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

/** The files as they will be after the steps looked at so far; nothing is changed. */
export class ForeseenTree {
  readonly #workspace: Workspace;
  readonly #states = new Map<string, PathState>();
  readonly #renames: { readonly from: string; readonly to: string }[] = [];

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  async look(path: string): Promise<SeenPath> {
    const state = this.#states.get(path);
    if (state !== undefined) return { state };
    let onDisk = path;
    for (const { from, to } of this.#renames.toReversed()) {
      if (isAtOrBelow(onDisk, to)) onDisk = from + onDisk.slice(to.length);
      else if (isAtOrBelow(onDisk, from)) return { state: ABSENT };
    }
    return await lookAtPath(this.#workspace, onDisk);
  }

  /** Takes a step in thought; an entry whose rename was interrupted may have its name already. */
  async take(step: Step, isInterrupted: boolean): Promise<Foreseen> {
    if (step.kind === "entry") {
      const seen = await this.look(step.path);
      const place = placeOf(seen.state, step);
      if (place === "elsewhere") return { path: step.path, seen, reason: reasonOf(seen.state, step.before) };
      if (place === "before" && (await this.#holdsMore(step)))
        return { path: step.path, seen, reason: "holds what came later" };
      if (step.isParent !== true || step.after.kind !== "absent") this.#states.set(step.path, step.after);
      return { path: step.path, seen };
    }
    const [old, young] = [await this.look(step.from), await this.look(step.to)];
    if (isInterrupted && isSameState(young.state, step.state, step.state)) return { path: step.to, seen: young };
    if (old.state.kind === "absent" && isSameState(young.state, step.state, step.state))
      return { path: step.to, seen: young };
    if (!isSameState(old.state, step.state, step.state))
      return { path: step.from, seen: old, reason: reasonOf(old.state, step.state) };
    const isRespelled = young.stat !== undefined && young.stat.identity === old.stat?.identity;
    if (young.state.kind !== "absent" && !isRespelled) return { path: step.to, seen: young, reason: "exists again" };
    this.#rename(step.from, step.to);
    return { path: step.to, seen: old };
  }

  /** Whether a folder that is to go would still hold something. */
  async #holdsMore({ path, before, after, isParent }: EntryStep): Promise<boolean> {
    if (before.kind !== "directory" || after.kind !== "absent" || isParent === true) return false;
    const { entries } = await this.#workspace.readdir(path);
    for (const { name } of entries) {
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

function isAtOrBelow(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && /^[/\\]/u.test(path.slice(folder.length)));
}
