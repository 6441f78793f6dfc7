import type { ResultOwner, ResultReader } from "../call/result-reader.ts";

/** Bytes of whole results kept, unless the host names another cap. */
export const DEFAULT_FULL_RESULT_BYTES: number = 64 * 1024 * 1024;

/** Bytes that keeping a value takes beside the value. */
const BYTES_OF_ONE = 512;

interface Kept {
  readonly value: unknown;
  readonly bytes: number;
  readonly sessionId: string | undefined;
  readonly principalId: string | undefined;
}

/** Keeps whole results that were shortened for a model, the least recently used ones giving way. */
export class FullResults {
  readonly #capacity: number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  constructor(capacity: number = DEFAULT_FULL_RESULT_BYTES) {
    this.#capacity = capacity;
  }

  /** Keeps a value of about `characters`; the reference is undefined for one that is larger than everything kept may be. */
  keep(value: unknown, characters: number, owner?: ResultOwner): string | undefined {
    const bytes = characters * 2 + BYTES_OF_ONE;
    if (bytes > this.#capacity) return undefined;
    const reference = `result:${crypto.randomUUID()}`;
    this.#kept.set(reference, { value, bytes, sessionId: owner?.sessionId, principalId: owner?.principal?.id });
    this.#bytes += bytes;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#capacity) break;
      this.#drop(oldest);
    }
    return reference;
  }

  /** Gives a kept value; undefined when it gave way, never was, or is not for the reader. */
  read(reference: string, reader?: ResultReader): unknown {
    const kept = this.#kept.get(reference);
    if (kept === undefined || (reader !== undefined && !isFor(kept, reader))) return undefined;
    this.#kept.delete(reference);
    this.#kept.set(reference, kept);
    return kept.value;
  }

  /** Lets go of the results of a conversation. */
  forget(sessionId: string): void {
    for (const [reference, kept] of this.#kept) if (kept.sessionId === sessionId) this.#drop(reference);
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #drop(reference: string): void {
    this.#bytes -= this.#kept.get(reference)?.bytes ?? 0;
    this.#kept.delete(reference);
  }
}

/** What was made in no conversation is for whoever has the reference. */
function isFor({ sessionId, principalId }: Kept, reader: ResultReader): boolean {
  if (sessionId !== undefined && sessionId !== reader.sessionId) return false;
  return !Object.hasOwn(reader, "principal") || principalId === reader.principal?.id;
}
