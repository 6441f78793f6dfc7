import type { ActivityEvent, ActivityEventOf, ActivityEventType } from "./events.ts";
import { EventQueue } from "./event-queue.ts";

/** Receives events; what it throws, or rejects with when it is async, harms nobody and goes to `onListenerError`. */
export type ActivityListener<Event extends ActivityEvent = ActivityEvent> = (event: Event) => void;

/** Settings of a stream. */
export interface ActivityStreamOptions {
  /** Told of every fault of a listener; what it throws itself is lost. */
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
  /** Events that listeners caused, which wait until everyone was told of the one before. */
  readonly #waiting: ActivityEvent[] = [];
  #emitting = false;
  #closed = false;
  #dropped = 0;

  constructor(options: ActivityStreamOptions = {}) {
    this.#onListenerError = options.onListenerError;
  }

  /** Events that slow readers never saw, all iterations together. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Listens to one type of event or to all (`"*"`); returns the function that ends it. */
  subscribe<Type extends ActivityEventType>(
    type: Type,
    listener: ActivityListener<ActivityEventOf<Type> & ActivityEvent>,
  ): () => void;
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

  /** True while somebody would be told of an event of the type: nobody need make one otherwise. */
  isObserved(type: ActivityEventType): boolean {
    if (this.#queues.size > 0) return true;
    return (this.#listeners.get(type)?.size ?? 0) > 0 || (this.#listeners.get("*")?.size ?? 0) > 0;
  }

  /** Delivers an event to everyone who listens now, in the order of events for each; never throws. */
  emit(event: ActivityEvent): void {
    this.#waiting.push(event);
    if (this.#emitting) return;
    this.#emitting = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) this.#tell(next);
    this.#emitting = false;
  }

  /** Reads events from now on; leaving the loop or closing the stream ends it. */
  events(options: ActivityEventsOptions = {}): AsyncIterableIterator<ActivityEvent> & { readonly dropped: number } {
    const queue = new EventQueue(options.capacity ?? 1000, {
      onEnd: () => this.#queues.delete(queue),
      onDrop: () => {
        this.#dropped += 1;
      },
    });
    if (this.#closed) void queue.return();
    else this.#queues.add(queue);
    return queue;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<ActivityEvent> {
    return this.events();
  }

  /** Ends every iteration, later ones included, and forgets every listener. */
  close(): void {
    this.#closed = true;
    for (const queue of this.#queues) void queue.return();
    this.#listeners.clear();
  }

  #tell(event: ActivityEvent): void {
    for (const type of [event.type, "*"] as const) {
      const listeners = this.#listeners.get(type);
      // A copy: whoever begins to listen now is told of the next event.
      if (listeners !== undefined && listeners.size > 0)
        for (const listener of [...listeners]) if (listeners.has(listener)) this.#deliver(listener, event);
    }
    for (const queue of this.#queues) queue.push(event);
  }

  #deliver(listener: ActivityListener, event: ActivityEvent): void {
    try {
      catchLate(listener(event), (error) => this.#blame(error, event));
    } catch (error) {
      this.#blame(error, event);
    }
  }

  #blame(error: unknown, event: ActivityEvent): void {
    try {
      catchLate(this.#onListenerError?.(error, event), () => undefined);
    } catch {
      // Whoever is told of faults must not become one.
    }
  }
}

/** A rejection nobody handles would end the process, whoever made the promise. */
function catchLate(returned: unknown, onRejected: (error: unknown) => void): void {
  if (typeof returned === "object" && returned !== null) Promise.resolve(returned).catch(onRejected);
}
