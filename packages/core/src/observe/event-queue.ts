import type { ActivityEvent } from "./events.ts";

/** What a queue tells of itself. */
export interface EventQueueHooks {
  onEnd(): void;
  onDrop(): void;
}

/** Holds events for one reader, never more than its capacity, and counts what it dropped. */
export class EventQueue implements AsyncIterableIterator<ActivityEvent> {
  readonly #capacity: number;
  readonly #hooks: EventQueueHooks;
  readonly #events: ActivityEvent[] = [];
  readonly #readers: ((result: IteratorResult<ActivityEvent, undefined>) => void)[] = [];
  #dropped = 0;
  #ended = false;

  constructor(capacity: number, hooks: EventQueueHooks) {
    this.#capacity = Math.max(1, capacity);
    this.#hooks = hooks;
  }

  /** Events lost because the reader was slow. */
  get dropped(): number {
    return this.#dropped;
  }

  push(event: ActivityEvent): void {
    const reader = this.#readers.shift();
    if (reader !== undefined) return reader({ done: false, value: event });
    this.#events.push(event);
    if (this.#events.length > this.#capacity) this.#dropOne();
  }

  async next(): Promise<IteratorResult<ActivityEvent, undefined>> {
    const event = this.#events.shift();
    if (event !== undefined) return { done: false, value: event };
    if (this.#ended) return { done: true, value: undefined };
    return new Promise((resolve) => this.#readers.push(resolve));
  }

  async return(): Promise<IteratorResult<ActivityEvent, undefined>> {
    this.#ended = true;
    this.#hooks.onEnd();
    for (const reader of this.#readers.splice(0)) reader({ done: true, value: undefined });
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** Starts and ends of calls outlive their chatter. */
  #dropOne(): void {
    const chatter = this.#events.findIndex(({ type }) => type === "tool_output_chunk" || type === "tool_progress");
    this.#events.splice(Math.max(0, chatter), 1);
    this.#dropped += 1;
    this.#hooks.onDrop();
  }
}
