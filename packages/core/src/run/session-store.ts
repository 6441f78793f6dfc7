import type { SessionKey, SessionKeyContext } from "../contract/tool-context.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { ToolError } from "../errors/tool-error.ts";

/** What a value is created from, apart from what the store itself knows. */
export type SessionValueContext = Omit<SessionKeyContext, "sessionId" | "signal">;

/** Made once: calls without a conversation end one each, and a stack costs more than they do. */
const ENDED = new ToolError("cancelled", "The conversation has ended.");

/** Milliseconds one value has to close; what takes longer goes on alone and is reported, so that a conversation can end. */
const CLOSE_MS = 5000;

interface Held {
  readonly value: Promise<unknown>;
  dispose(): Promise<void>;
}

/** The state of one conversation: values by key, child scopes, and their end. */
export class SessionStore implements AsyncDisposable {
  readonly id: string;
  readonly #held = new Map<string, Held>();
  readonly #children = new Set<SessionStore>();
  readonly #listeners = new Set<(reason: ToolError) => void>();
  #ending: AbortController | undefined;
  #ended = false;
  #onEnd: (() => void) | undefined;

  constructor(id: string = crypto.randomUUID()) {
    this.id = id;
  }

  /** Aborts when the conversation ends. */
  get signal(): AbortSignal {
    if (this.#ending === undefined) {
      this.#ending = new AbortController();
      if (this.#ended) this.#ending.abort(ENDED);
    }
    return this.#ending.signal;
  }

  /** Tells of the end of the conversation, at once if it has come; returns the function that ends it. */
  onEnd(listener: (reason: ToolError) => void): () => void {
    if (this.#ended) listener(ENDED);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Gives the value of a key, creating it at first use.
   * @throws AiwError `session_closed` after disposal; whatever the key's `create` throws.
   */
  async get<Value>(key: SessionKey<Value>, context: SessionValueContext): Promise<Value> {
    if (this.#ended) throw new AiwError("session_closed", `Conversation ${this.id} has ended.`);
    const held = this.#held.get(key.name) ?? this.#create(key, context);
    return held.value as Promise<Value>;
  }

  /** Opens a scope with state of its own, such as a sub-agent's; it ends with this one at the latest. */
  child(id: string = crypto.randomUUID()): SessionStore {
    if (this.#ended) throw new AiwError("session_closed", `Conversation ${this.id} has ended.`);
    const child = new SessionStore(id);
    this.#children.add(child);
    child.#onEnd = () => this.#children.delete(child);
    return child;
  }

  /** Ends child scopes, then values, newest first; every value is disposed even when one fails to or never ends. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#ending?.abort(ENDED);
    const errors: unknown[] = [];
    for (const listener of this.#listeners) {
      try {
        listener(ENDED);
      } catch (error) {
        errors.push(error);
      }
    }
    this.#listeners.clear();
    this.#onEnd?.();
    const ends = [...this.#children].map((child) => () => child[Symbol.asyncDispose]());
    const values = [...this.#held.values()].toReversed().map((held) => () => held.dispose());
    this.#held.clear();
    for (const end of [...ends, ...values]) {
      await end().catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, "Some values of the conversation could not be closed.");
  }

  #create<Value>(key: SessionKey<Value>, context: SessionValueContext): Held {
    const full = { ...context, sessionId: this.id, signal: this.signal };
    // The key's options type is the author's business; the host hands over what it validated.
    const value = Promise.resolve().then(() => key.create(full as SessionKeyContext<never>));
    const held: Held = {
      value,
      dispose: () => withinTime(close(value, key), key.name),
    };
    this.#held.set(key.name, held);
    value.catch(() => {
      if (this.#held.get(key.name) === held) this.#held.delete(key.name);
    });
    return held;
  }
}

async function close<Value>(value: Promise<Value>, key: SessionKey<Value>): Promise<void> {
  const created = await value.then(
    (made) => ({ made }),
    () => undefined,
  );
  if (created) await key.dispose?.(created.made);
}

/** @throws AiwError `session_closed` when the work takes too long. */
async function withinTime(work: Promise<void>, name: string): Promise<void> {
  const late = Promise.withResolvers<never>();
  const error = new AiwError("session_closed", `${name} was not closed within ${CLOSE_MS / 1000} s.`);
  const timer = setTimeout(() => late.reject(error), CLOSE_MS);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
