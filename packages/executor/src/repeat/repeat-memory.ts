import type { SessionStore } from "@aiw/core";
import { measureWhole } from "../bound/measure-value.ts";
import { copyValue } from "./copy-value.ts";

/** Results remembered, and their characters together; the least recently called ones give way. */
const MOST_RESULTS = 100;
const MOST_CHARACTERS = 2_000_000;
const MOST_OF_ONE = 200_000;

/** Failures remembered; the oldest give way. */
const MOST_FAILURES = 100;

/** A result that came of a call, and how often in a row. */
export interface RememberedResult {
  readonly callId: string;
  readonly turn: number | undefined;
  /** How often the same came of it in a row, in this turn and with nothing changed in between. */
  readonly times: number;
  /** How many calls had changed something when the call began. */
  readonly changes: number;
  /** The place of its end among beginnings and ends of calls. */
  readonly ended: number;
  /** Milliseconds on a clock that never goes back. */
  readonly at: number;
  /** The whole value, where it is not too large to remember. */
  readonly held?: { readonly value: unknown; readonly characters: number };
  /** Where the host keeps the whole value. */
  readonly reference?: string;
}

/** A failure that came of a call, and how often in a row. */
export interface RememberedFailure {
  readonly turn: number;
  /** How many calls had changed something when the call was over. */
  readonly changes: number;
  readonly what: string;
  readonly times: number;
}

/** What the calls of one conversation came to, for as long as that can be repeated; bounded. */
export class RepeatMemory {
  readonly #results = new Map<string, RememberedResult>();
  readonly #failures = new Map<string, RememberedFailure>();
  #characters = 0;
  #changes = 0;
  #moments = 0;

  /** How often a call that is not read-only began or ended. */
  get changes(): number {
    return this.#changes;
  }

  /** Says that something may be different from now on. */
  markChange(): void {
    this.#changes += 1;
  }

  /** A number above all that were given before. */
  nextMoment(): number {
    this.#moments += 1;
    return this.#moments;
  }

  resultOf(key: string): RememberedResult | undefined {
    return this.#results.get(key);
  }

  keepResult(key: string, result: RememberedResult): void {
    this.#forget(key);
    this.#results.set(key, result);
    this.#characters += result.held?.characters ?? 0;
    while (this.#results.size > MOST_RESULTS || this.#characters > MOST_CHARACTERS) {
      const [oldest] = this.#results.keys();
      if (oldest === undefined) break;
      this.#forget(oldest);
    }
  }

  failureOf(key: string): RememberedFailure | undefined {
    return this.#failures.get(key);
  }

  keepFailure(key: string, failure: RememberedFailure): void {
    this.#failures.delete(key);
    this.#failures.set(key, failure);
    if (this.#failures.size <= MOST_FAILURES) return;
    const [oldest] = this.#failures.keys();
    if (oldest !== undefined) this.#failures.delete(oldest);
  }

  #forget(key: string): void {
    this.#characters -= this.#results.get(key)?.held?.characters ?? 0;
    this.#results.delete(key);
  }
}

/** A copy of a value that is small enough to be compared with later ones; undefined for larger ones. */
export function holdValue(value: unknown): RememberedResult["held"] {
  const characters = measureWhole(value, MOST_OF_ONE);
  if (characters > MOST_OF_ONE) return undefined;
  const copied = copyValue(value);
  return copied && { value: copied.copy, characters };
}

const memories = new WeakMap<SessionStore, RepeatMemory>();

/** The memory of a conversation; it ends with the conversation's state. */
export function memoryOf(session: SessionStore): RepeatMemory {
  const known = memories.get(session);
  if (known !== undefined) return known;
  const memory = new RepeatMemory();
  memories.set(session, memory);
  return memory;
}
