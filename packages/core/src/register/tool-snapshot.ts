import type { ChangeListeners, ToolsChange } from "./change-listeners.ts";
import { compareTools, type OfferedTools } from "./compare-entries.ts";
import type { ExplicitTools } from "./explicit-tools.ts";
import type { RegistryState } from "./registry-state.ts";
import { resolveNames, type ResolvedNames } from "./resolve-names.ts";

/** Who has a part in what is offered, and who hears of it. */
export interface SnapshotParts {
  readonly explicit: ExplicitTools;
  readonly listeners: ChangeListeners;
  /** Called at each exchange. */
  exchanged(): void;
}

/** The tools as they are offered now, exchanged at once: whoever holds what was offered before keeps it whole. */
export class ToolSnapshot {
  readonly #parts: SnapshotParts;
  #state: RegistryState;
  #settled: ResolvedNames = resolveNames([]);
  #isSettled = true;
  #resolveMs = 0;

  constructor(state: RegistryState, parts: SnapshotParts) {
    this.#state = state;
    this.#parts = parts;
  }

  get state(): RegistryState {
    return this.#state;
  }

  get names(): ResolvedNames {
    this.settle();
    return this.#settled;
  }

  /** Milliseconds the names took. */
  get resolveMs(): number {
    return this.#resolveMs;
  }

  /** Takes in what was registered; many registrations in a row are settled once, unless somebody listens. */
  include(): void {
    if (this.#parts.listeners.isEmpty) this.#isSettled = false;
    else this.commit(this.#state);
  }

  settle(): void {
    if (!this.#isSettled) this.commit(this.#state);
  }

  /** Replaces the snapshot; the answer compares it with the one before. */
  commit(state: RegistryState): () => ToolsChange {
    const { explicit, listeners, exchanged } = this.#parts;
    const started = performance.now();
    const names = resolveNames([...explicit.entries, ...state.entries], state.setup);
    const former = state === this.#state ? this.#settled : this.names;
    const before: OfferedTools = { byId: former.byId, kept: this.#state.kept };
    const after: OfferedTools = { byId: names.byId, kept: state.kept };
    this.#state = state;
    this.#settled = names;
    this.#isSettled = true;
    this.#resolveMs = performance.now() - started;
    exchanged();
    // Comparing asks every tool; registering many by hand must not pay for it when nobody wants to know.
    if (listeners.isEmpty) return () => compareTools(before, after);
    const change = compareTools(before, after);
    if (Object.values(change).some((ids: readonly string[]) => ids.length > 0)) listeners.tell(change);
    return () => change;
  }
}
