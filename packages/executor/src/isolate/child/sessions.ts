import { SessionStore } from "@aiw/core";

/** The state that conversations of the host have in this process, by the host's numbers. */
export class Sessions {
  readonly #stores = new Map<number, SessionStore>();

  open(number: number, sessionId: string): SessionStore {
    const known = this.#stores.get(number);
    if (known !== undefined) return known;
    const store = new SessionStore(sessionId);
    this.#stores.set(number, store);
    return store;
  }

  async end(number: number): Promise<void> {
    const store = this.#stores.get(number);
    this.#stores.delete(number);
    await store?.[Symbol.asyncDispose]();
  }
}
