import type { ActivityEvent, ActivityEventOf, ActivityEventType } from "./events.ts";
import { EventQueue } from "./event-queue.ts";

/** Receives events; what it throws harms nobody and goes to `onListenerError`. */
export type ActivityListener<Event extends ActivityEvent = ActivityEvent> = (event: Event) => void;

/** Settings of a stream. */
export interface ActivityStreamOptions {
  /** Told of every fault of a listener; must not throw. */
  readonly onListenerError?: (error: unknown, event: ActivityEvent) => void;
}

/** Settings of one iteration over a stream. */
export interface ActivityEventsOptions {
  /** Events kept for a slow reader, 1,000 unless named; past it the oldest output and progress go first. */
  readonly capacity?: number;
}

/** Tells any number of listeners what calls do, in order, as it happens. */
export class ActivityStream {
  readonly #listeners = new Map<ActivityEventType | "*", Set<ActivityListener>>();
  readonly #queues = new Set<EventQueue>();
  readonly #onListenerError: ActivityStreamOptions["onListenerError"];

  constructor(options: ActivityStreamOptions = {}) {
    this.#onListenerError = options.onListenerError;
  }

  /** Listens to one type of event or to all (`"*"`); returns the function that ends it. */
  subscribe<Type extends ActivityEventType>(type: Type, listener: ActivityListener<ActivityEventOf<Type> & ActivityEvent>): () => void;
  subscribe(type: "*", listener: ActivityListener): () => void;
  subscribe(type: ActivityEventType | "*", listener: ActivityListener): () => void {
    // Its own function, so that one listener may subscribe twice and end each alone.
    const entry: ActivityListener = (event) => listener(event);
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(entry));
    return () => {
      listeners.delete(entry);
    };
  }

  /** Delivers an event to everyone who listens now; never throws. */
  emit(event: ActivityEvent): void {
    for (const type of [event.type, "*"] as const) {
      for (const listener of this.#listeners.get(type) ?? []) this.#deliver(listener, event);
    }
    for (const queue of this.#queues) queue.push(event);
  }

  /** Reads events from now on; leaving the loop or closing the stream ends it. */
  events(options: ActivityEventsOptions = {}): AsyncIterableIterator<ActivityEvent> & { readonly dropped: number } {
    const queue = new EventQueue(options.capacity ?? 1000, () => this.#queues.delete(queue));
    this.#queues.add(queue);
    return queue;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<ActivityEvent> {
    return this.events();
  }

  /** Ends every iteration and forgets every listener. */
  close(): void {
    for (const queue of this.#queues) void queue.return();
    this.#listeners.clear();
  }

  #deliver(listener: ActivityListener, event: ActivityEvent): void {
    try {
      listener(event);
    } catch (error) {
      this.#onListenerError?.(error, event);
    }
  }
}
