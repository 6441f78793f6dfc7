/** An abort whose signal is made at first use: most calls end before anybody looks at one. */
export interface AbortSource {
  readonly aborted: boolean;
  readonly signal: AbortSignal;
  /** Tells of an abort that is to come; returns the function that ends it. */
  subscribe(listener: () => void): () => void;
}

/** Reads a signal that exists already. */
export function fromSignal(signal: AbortSignal): AbortSource {
  return {
    get aborted() {
      return signal.aborted;
    },
    signal,
    subscribe: (listener) => {
      signal.addEventListener("abort", listener, { once: true });
      return () => signal.removeEventListener("abort", listener);
    },
  };
}

/** The source of a call that nobody can abort; tools that pass a signal on still have one. */
export function createNever(): AbortSource {
  return new Never();
}

class Never implements AbortSource {
  readonly aborted = false;
  #signal: AbortSignal | undefined;

  get signal(): AbortSignal {
    this.#signal ??= new AbortController().signal;
    return this.#signal;
  }

  subscribe(): () => void {
    return () => undefined;
  }
}
