import type { AuditCallEntry, AuditGapEntry } from "./audit-entry.ts";

/** An entry on its way to the sink. */
export interface PendingEntry {
  entry: AuditCallEntry;
  done?: boolean;
  /** Told once it is written, or could not be. */
  settle?: ((error?: { readonly cause: unknown }) => void) | undefined;
}

/** Entries that are not written yet, a bounded number; later ones are counted and lost (SEC-RES-1). */
export class AuditBuffer {
  readonly #capacity: number;
  #entries: PendingEntry[] = [];
  #dropped = 0;
  #droppedSince = 0;
  /** Of the dropped, those that a gap in the last batch tells of. */
  #told = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get size(): number {
    return this.#entries.length;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** False for an entry that is lost; one that somebody waits for is lost only while the sink fails. */
  add(pending: PendingEntry, { now, bounded }: { readonly now: number; readonly bounded: boolean }): boolean {
    if (!bounded || this.#entries.length < this.#capacity) {
      this.#entries.push(pending);
      return true;
    }
    if (this.#dropped === 0) this.#droppedSince = now;
    this.#dropped += 1;
    return false;
  }

  /** The oldest entries, which stay until they are removed. */
  peek(count: number): readonly PendingEntry[] {
    this.#told = 0;
    return this.#entries.slice(0, count);
  }

  all(): readonly PendingEntry[] {
    return [...this.#entries];
  }

  /** The record of what was lost; undefined when nothing was. */
  toGap(now: number): AuditGapEntry | undefined {
    this.#told = this.#dropped;
    if (this.#dropped === 0) return undefined;
    return {
      kind: "gap",
      time: new Date(now).toISOString(),
      dropped: this.#dropped,
      since: new Date(this.#droppedSince).toISOString(),
    };
  }

  /** Takes written entries out, and with them what the gap of their batch told. */
  remove(batch: readonly PendingEntry[]): void {
    this.#entries = this.#entries.slice(batch.length);
    this.#dropped -= this.#told;
    this.#told = 0;
  }
}
