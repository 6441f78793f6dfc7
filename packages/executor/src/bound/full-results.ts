/** Bytes of whole results kept, unless the host names another cap. */
export const DEFAULT_FULL_RESULT_BYTES: number = 64 * 1024 * 1024;

interface Kept {
  readonly value: unknown;
  readonly bytes: number;
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
  keep(value: unknown, characters: number): string | undefined {
    const bytes = characters * 2;
    if (bytes > this.#capacity) return undefined;
    const reference = `result:${crypto.randomUUID()}`;
    this.#kept.set(reference, { value, bytes });
    this.#bytes += bytes;
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= this.#capacity) break;
      this.#kept.delete(oldest);
      this.#bytes -= kept.bytes;
    }
    return reference;
  }

  /** Gives a kept value; undefined when it gave way or never was. */
  read(reference: string): unknown {
    const kept = this.#kept.get(reference);
    if (kept === undefined) return undefined;
    this.#kept.delete(reference);
    this.#kept.set(reference, kept);
    return kept.value;
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}
