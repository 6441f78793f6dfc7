/** Ids of the tools that a registry has now and had not, or the other way round; sorted. */
export interface ToolsChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Their version, definition or options are different. */
  readonly changed: readonly string[];
  /** Something else is installed since the last change, but their code has run and goes on until the process starts again. */
  readonly restartRequired: readonly string[];
}

/** No change at all. */
export const NO_CHANGE: ToolsChange = Object.freeze({ added: [], removed: [], changed: [], restartRequired: [] });

/** What listeners are told: a change, or why a reload changed nothing. */
export interface RegistryChange extends ToolsChange {
  readonly error?: unknown;
}

/** Receives changes; what it throws, or rejects with when it is async, harms nobody. */
export type RegistryListener = (change: RegistryChange) => void;

/** Tells any number of listeners what changed. */
export class ChangeListeners {
  readonly #listeners = new Set<RegistryListener>();

  get isEmpty(): boolean {
    return this.#listeners.size === 0;
  }

  /** Returns the function that ends it. */
  add(listener: RegistryListener): () => void {
    // Its own function, so that one listener may be added twice and each ended alone.
    const own: RegistryListener = (change) => listener(change);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  tell(change: RegistryChange): void {
    for (const listener of [...this.#listeners]) void deliver(listener, change);
  }
}

/** Without a pause before the listener, so that it is told before the change is returned. */
async function deliver(listener: RegistryListener, change: RegistryChange): Promise<void> {
  try {
    const told: unknown = listener(change);
    await told;
  } catch {
    // The registry's state is settled already; a listener's fault is its own.
  }
}
