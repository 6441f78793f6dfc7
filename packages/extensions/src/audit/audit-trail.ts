import type { ToolLog } from "@aiw/core";
import type { AuditCallEntry, AuditEntry } from "./audit-entry.ts";
import type { AuditSink } from "./audit-sink.ts";
import { AuditBuffer, type PendingEntry } from "./audit-buffer.ts";

/** How records are kept when the sink fails. */
export interface AuditTrailOptions {
  readonly sink: AuditSink;
  /** Records held back, at most. */
  readonly maxPending: number;
  /** Milliseconds from a failure until the sink is tried again. */
  readonly retryMs: number;
  /** Milliseconds that closing waits for the sink. */
  readonly closeMs: number;
  log(): ToolLog | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A clock that never goes back, in milliseconds. */
  tick(): number;
}

/** Records that were written, and those that were not. */
export interface AuditState {
  readonly written: number;
  /** Held back until the sink works again. */
  readonly pending: number;
  /** Lost, since more were held back than there may be; the next record that is written says so. */
  readonly dropped: number;
  /** What the sink failed with; absent while it works. */
  readonly failure?: unknown;
}

/** Milliseconds between two tries that nobody asks for. */
const MIN_RETRY_MS = 100;

/** Entries of one write. */
const MAX_BATCH = 256;

/** Hands entries to a sink in their order and one write at a time; what could not be written is kept, within bounds. */
export class AuditTrail {
  readonly #options: AuditTrailOptions;
  readonly #buffer: AuditBuffer;
  #opened = false;
  #closed = false;
  #opening: Promise<void> | undefined;
  #flight: Promise<void> | undefined;
  #failure: { readonly error: unknown; readonly since: number } | undefined;
  #retry: NodeJS.Timeout | undefined;
  #written = 0;
  /** Few at first where a full disk may have room for some. */
  #batchSize = MAX_BATCH;

  constructor(options: AuditTrailOptions) {
    this.#options = options;
    this.#buffer = new AuditBuffer(options.maxPending);
  }

  get state(): AuditState {
    return {
      written: this.#written,
      pending: this.#buffer.size,
      dropped: this.#buffer.dropped,
      ...(this.#failure !== undefined && { failure: this.#failure.error }),
    };
  }

  /** Passes while records can be written; tries the sink again where it failed. @throws what the sink failed with. */
  ready(): void | Promise<void> {
    if (this.#opened && this.#failure === undefined) return undefined;
    return this.#makeReady();
  }

  /** Takes an entry for writing, which begins at once. */
  put(entry: AuditCallEntry): void | Promise<void> {
    this.#take({ entry }, true);
    return this.#closed ? this.#drain() : undefined;
  }

  /** The same, and passes once it is written. @throws what the sink failed with; the entry is kept, marked as withheld where work was done. */
  record(entry: AuditCallEntry): void | Promise<void> {
    const pending: PendingEntry = { entry };
    if (!this.#take(pending, this.#failure !== undefined)) throw this.#failure?.error;
    if (pending.done === true) return undefined;
    if (this.#flight === undefined) throw this.#withhold(pending, this.#failure?.error);
    return this.#settled(pending);
  }

  /** Waits until everything that was taken is written. @throws what the sink failed with. */
  async flush(): Promise<void> {
    this.#pump(true);
    while (this.#flight !== undefined) await this.#flight;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Writes what is left, within its time, and lets go of the sink; what is put later is written at once. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#drain();
    const lost = this.#buffer.size;
    if (lost > 0) this.#options.log()?.error("Records of calls were lost.", { lost, error: this.#failure?.error });
  }

  async #settled(pending: PendingEntry): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      pending.settle = (error) => {
        if (error === undefined) resolve();
        else reject(this.#withhold(pending, error.cause) as Error);
      };
    });
    if (this.#closed) await this.#drain();
  }

  async #drain(): Promise<void> {
    const { closeMs, sink } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, closeMs);
    });
    await Promise.race([this.flush().catch(() => undefined), late]);
    clearTimeout(timer);
    if (this.#flight !== undefined) return;
    this.#opened = false;
    await sink.close?.();
  }

  async #makeReady(): Promise<void> {
    if (this.#isResting()) throw this.#failure?.error;
    if (!this.#opened || this.#buffer.size === 0) {
      this.#opening ??= this.#open().finally(() => (this.#opening = undefined));
      await this.#opening;
    }
    await this.flush();
  }

  async #open(): Promise<void> {
    try {
      await this.#options.sink.open?.();
      this.#opened = true;
    } catch (error) {
      this.#fail(error);
      throw error;
    }
    if (this.#buffer.size === 0) this.#recover();
  }

  /** False for an entry that is lost. */
  #take(pending: PendingEntry, bounded: boolean): boolean {
    const isKept = this.#buffer.add(pending, { now: this.#options.now(), bounded });
    this.#pump();
    return isKept;
  }

  /** Starts a write unless one is under way, or the sink failed a moment ago. */
  #pump(urgent = false): void {
    while (this.#flight === undefined && this.#buffer.size > 0 && (urgent || !this.#isResting())) {
      const batch = this.#buffer.peek(this.#batchSize);
      const failed = this.#failure;
      try {
        const writing = this.#options.sink.append(this.#toEntries(batch));
        if (writing instanceof Promise) this.#follow(writing, batch);
        else this.#settle(batch);
      } catch (error) {
        this.#fail(error);
      }
      if (this.#failure !== undefined && this.#failure !== failed) return;
    }
  }

  #follow(writing: Promise<void>, batch: readonly PendingEntry[]): void {
    this.#flight = writing.then(
      () => {
        this.#flight = undefined;
        this.#settle(batch);
        this.#pump();
      },
      (error: unknown) => {
        this.#flight = undefined;
        this.#fail(error);
      },
    );
  }

  /** With the last entries goes the record of those that were lost. */
  #toEntries(batch: readonly PendingEntry[]): AuditEntry[] {
    const entries = batch.map(({ entry }) => entry);
    const gap = batch.length === this.#buffer.size ? this.#buffer.toGap(this.#options.now()) : undefined;
    return gap === undefined ? entries : [...entries, gap];
  }

  #settle(batch: readonly PendingEntry[]): void {
    this.#opened = true;
    this.#written += batch.length;
    this.#batchSize = Math.min(this.#batchSize * 2, MAX_BATCH);
    this.#buffer.remove(batch);
    this.#recover();
    for (const pending of batch) {
      pending.done = true;
      pending.settle?.();
    }
  }

  #recover(): void {
    if (this.#failure === undefined) return;
    this.#failure = undefined;
    clearTimeout(this.#retry);
    this.#options.log()?.warn("Calls are recorded again.", { written: this.#written, pending: this.#buffer.size });
  }

  #fail(error: unknown): void {
    const { log, tick, sink } = this.#options;
    const place = sink.path === undefined ? {} : { record: sink.path };
    if (this.#failure === undefined) log()?.error("Calls cannot be recorded.", { ...place, error });
    this.#failure = { error, since: tick() };
    this.#batchSize = 1;
    // Whoever waits is told now: the sink may be long in coming back.
    for (const { settle } of this.#buffer.all()) settle?.({ cause: error });
    this.#retryLater();
  }

  #retryLater(): void {
    clearTimeout(this.#retry);
    if (this.#closed) return;
    this.#retry = setTimeout(() => this.#pump(true), Math.max(this.#options.retryMs, MIN_RETRY_MS));
    this.#retry.unref();
  }

  #withhold(pending: PendingEntry, error: unknown): unknown {
    delete pending.settle;
    const { entry } = pending;
    // The refusal of a call that did not run stands: its caller was given it.
    if (entry.attempts > 0) pending.entry = { ...entry, outcome: { ...entry.outcome, withheld: true } };
    return error;
  }

  #isResting(): boolean {
    const { tick, retryMs } = this.#options;
    return this.#failure !== undefined && tick() - this.#failure.since < retryMs;
  }
}
