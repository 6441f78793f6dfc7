import { randomBytes } from "node:crypto";
import type { JournalEntry, JournalList } from "../change-journal.ts";
import type {
  BeginRecord,
  JournalRecord,
  KeptChange,
  KeptGroup,
  PackIndex,
  RewrittenRecord,
  StatePatch,
  Step,
} from "./journal-record.ts";
import type { PathState } from "./path-state.ts";

/** Where the bytes of an image are. */
export interface ImagePlace {
  readonly file: string;
  readonly start: number;
  readonly length: number;
}

/** What the records of a journal come to. */
export class JournalHistory {
  /** The oldest first. */
  readonly groups: Map<string, KeptGroup> = new Map<string, KeptGroup>();
  readonly images: Map<string, ImagePlace> = new Map<string, ImagePlace>();
  /** Bytes by the file that holds them. */
  readonly packs: Map<string, number> = new Map<string, number>();
  forgotten = 0;
  damaged = 0;
  readonly #unused: string[] = [];
  #lastGroup = 0;
  #lastChange = 0;
  /** Groups that were taken back and that nothing was changed since, the last one last. */
  #undone: string[] = [];

  /** Takes one more record in; records of groups that are not known are passed over. */
  add(record: JournalRecord): void {
    switch (record.type) {
      case "begin":
        return this.#begin(record);
      case "commit":
        return this.#commit(record.groupId, record.patches);
      case "abort":
        this.groups.delete(record.groupId);
        this.#dropUnused();
        return;
      case "forget":
        return this.#forget(record.groupIds);
      case "rewritten":
        return this.#restart(record);
      case "pack":
        this.#index(record.pack);
        this.packs.set(record.pack.file, record.bytes);
        return;
      case "group":
        this.groups.set(record.group.groupId, { ...record.group, changes: record.group.changes.map(copyChange) });
        return;
      case "revert":
      case "reverted":
      case "revert_failed":
        return this.#revert(record);
      default:
        throw new TypeError("A record of a later version.");
    }
  }

  /** Records that come to the same as all that were taken in. */
  toRecords(): JournalRecord[] {
    const packs = new Map([...this.packs.keys()].map((file) => [file, [] as [string, number, number][]]));
    for (const [hash, { file, start, length }] of this.images) packs.get(file)?.push([hash, start, length]);
    const counts = { lastGroup: this.#lastGroup, lastChange: this.#lastChange, forgotten: this.forgotten };
    return [
      { type: "rewritten", id: randomBytes(8).toString("hex"), ...counts, undone: this.#undone },
      ...[...packs].map(([file, images]): JournalRecord => {
        return { type: "pack", pack: { file, images }, bytes: this.packs.get(file) ?? 0 };
      }),
      ...[...this.groups.values()].map((group): JournalRecord => ({ type: "group", group })),
    ];
  }

  nextGroupId(): string {
    return `g${this.#lastGroup + 1}`;
  }

  nextChangeId(ahead: number): string {
    return `u${this.#lastChange + 1 + ahead}`;
  }

  /** Groups that go next in a direction, the first one first. */
  next(direction: "undo" | "redo"): KeptGroup[] {
    if (direction === "undo") {
      return [...this.groups.values()]
        .filter(({ changes }) => changes.some(({ state }) => state !== "undone"))
        .toReversed();
    }
    return this.#undone
      .flatMap((groupId) => this.groups.get(groupId) ?? [])
      .filter(({ changes }) => changes.some(({ state }) => state !== "done"))
      .toReversed();
  }

  /** The group and the change of an id. */
  find(undoId: string): { readonly group: KeptGroup; readonly change: KeptChange } | undefined {
    for (const group of this.groups.values()) {
      const change = group.changes.find((one) => one.undoId === undoId);
      if (change !== undefined) return { group, change };
    }
    return undefined;
  }

  /** Groups whose process ended while they, or the way back, were being made. */
  interrupted(): KeptGroup[] {
    return [...this.groups.values()].filter(({ changes }) => changes.some(({ state }) => state === "interrupted"));
  }

  list(): JournalList {
    const entries = [...this.groups.values()].flatMap((group) => {
      const { groupId, tool, time, turn } = group;
      return group.changes.map(({ steps: _, ...change }): JournalEntry => {
        return { ...change, groupId, tool, time, ...(turn !== undefined && { turn }) };
      });
    });
    return { entries: entries.toReversed(), forgotten: this.forgotten, damaged: this.damaged };
  }

  /** Files of images that nothing stands on any more since the last time. */
  takeUnused(): string[] {
    return this.#unused.splice(0);
  }

  /** By the records alone: whoever reads them must not count on images that somebody else has removed. */
  #dropUnused(): void {
    const held = new Set([...this.#usedImages()].flatMap((hash) => this.images.get(hash)?.file ?? []));
    const dropped = [...this.packs.keys()].filter((file) => !held.has(file));
    for (const file of dropped) this.packs.delete(file);
    for (const [hash, { file }] of this.images) if (!held.has(file)) this.images.delete(hash);
    this.#unused.push(...dropped);
  }

  /** Hashes of all images that a group still stands on. */
  #usedImages(): Set<string> {
    const used = new Set<string>();
    const use = (state: PathState): void => {
      if (state.kind === "file" && state.hash !== undefined) used.add(state.hash);
    };
    for (const { changes } of this.groups.values()) {
      for (const step of changes.flatMap(({ steps }) => steps)) {
        if (step.kind === "rename") continue;
        use(step.before);
        use(step.after);
      }
    }
    return used;
  }

  #begin(record: BeginRecord): void {
    this.#index(record.pack);
    this.#lastGroup = Math.max(this.#lastGroup, numberOf(record.groupId));
    this.#lastChange = Math.max(this.#lastChange, ...record.changes.map(({ undoId }) => numberOf(undoId)));
    const known = this.groups.get(record.groupId);
    const changes = record.changes.map((change) => copyChange({ ...change, state: "interrupted" }));
    if (known !== undefined) {
      known.changes.push(...changes);
      return;
    }
    const { groupId, tool, title, turn, time, label } = record;
    const about = { groupId, tool, title, time, label, process: record.process, ...(turn !== undefined && { turn }) };
    this.groups.set(groupId, { ...about, changes, isCommitted: false });
  }

  #commit(groupId: string, patches: readonly StatePatch[]): void {
    const group = this.groups.get(groupId);
    if (group === undefined) return;
    for (const change of group.changes) change.state = "done";
    group.isCommitted = true;
    // Only what was made ends what could be made again.
    this.#undone = [];
    this.#patch(patches);
  }

  #forget(groupIds: readonly string[]): void {
    for (const groupId of groupIds) {
      this.forgotten += this.groups.get(groupId)?.changes.length ?? 0;
      this.groups.delete(groupId);
    }
    this.#undone = this.#undone.filter((groupId) => this.groups.has(groupId));
    this.#dropUnused();
  }

  #restart({ lastGroup, lastChange, forgotten, undone }: RewrittenRecord): void {
    this.#undone = [...undone];
    this.#lastGroup = lastGroup;
    this.#lastChange = lastChange;
    this.forgotten = forgotten;
  }

  #revert(record: RevertRecord): void {
    if (record.type === "revert") this.#index(record.pack);
    const states = { revert: "interrupted", revert_failed: "done", reverted: "undone" } as const;
    const isRedo = record.type !== "revert" && record.direction === "redo";
    const reached = isRedo ? REDO_STATES[record.type] : states[record.type];
    const touched = new Set<KeptGroup>();
    for (const { group, change } of record.undoIds.flatMap((undoId) => this.find(undoId) ?? [])) {
      change.state = reached;
      if (record.type === "revert") Object.assign(group, { label: record.label, process: record.process });
      touched.add(group);
    }
    if (record.type !== "reverted") return;
    this.#patch(record.patches);
    for (const { groupId, changes } of touched) {
      this.#undone = this.#undone.filter((one) => one !== groupId);
      if (record.direction === "redo" && changes.every(({ state }) => state === "done")) continue;
      this.#undone.push(groupId);
    }
  }

  #patch(patches: readonly StatePatch[]): void {
    const changes = new Map(
      [...this.groups.values()].flatMap((group) => group.changes.map((one) => [one.undoId, one])),
    );
    for (const { undoId, step: index, side, state } of patches) {
      const change = changes.get(undoId);
      const step = change?.steps[index];
      if (change === undefined || step === undefined) continue;
      change.steps[index] = step.kind === "rename" ? { ...step, state } : { ...step, [side]: state };
    }
  }

  #index(pack: PackIndex | undefined): void {
    if (pack === undefined) return;
    let bytes = 0;
    for (const [hash, start, length] of pack.images) {
      this.images.set(hash, { file: pack.file, start, length });
      bytes += length;
    }
    this.packs.set(pack.file, bytes);
  }
}

type RevertRecord = Extract<JournalRecord, { direction: "undo" | "redo" }>;

function copyChange(change: Omit<KeptChange, "steps"> & { readonly steps: Iterable<Step> }): KeptChange {
  return { ...change, steps: [...change.steps] };
}

const REDO_STATES = { revert_failed: "undone", reverted: "done" } as const;

function numberOf(id: string): number {
  const number = Number(id.slice(1));
  return Number.isSafeInteger(number) ? number : 0;
}
