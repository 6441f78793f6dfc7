import { AiwError, ToolError, type AbortSource } from "@aiw/core";

type Listener = (reason: ToolError) => void;

/** One node of the tree of aborts: it aborts with its parent and with the signal it follows; its signal is made at first use. */
export class AbortNode implements AbortSource {
  readonly #parent: AbortNode | undefined;
  // Children know their neighbours; sets that every call fills and empties would keep calls alive after their end.
  #firstChild: AbortNode | undefined;
  #preceding: AbortNode | undefined;
  #following: AbortNode | undefined;
  #listeners: Set<Listener> | undefined;
  #controller: AbortController | undefined;
  #unfollow: (() => void) | undefined;
  #reason: ToolError | undefined;
  #onAbort: Listener | undefined;

  constructor(parent?: AbortNode) {
    this.#parent = parent;
    if (parent === undefined) return;
    if (parent.#reason !== undefined) this.abort(parent.#reason);
    else parent.#adopt(this);
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Sets who is told of an abort, at once if it has happened. */
  set onAbort(listener: Listener) {
    if (this.#reason !== undefined) listener(this.#reason);
    else this.#onAbort = listener;
  }

  subscribe(listener: Listener): () => void {
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Aborts when `signal` does; one signal at most is followed. */
  follow(signal: AbortSignal | undefined): void {
    if (signal === undefined || this.aborted) return;
    if (signal.aborted) return this.abort(toAbortError(signal.reason));
    const listener = (): void => this.abort(toAbortError(signal.reason));
    signal.addEventListener("abort", listener, { once: true });
    this.#unfollow = () => signal.removeEventListener("abort", listener);
  }

  /** Aborts this node and everything that hangs on it; the first reason stays. */
  abort(reason: ToolError): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners ?? []) listener(reason);
    this.#onAbort?.(reason);
    this.#abortChildren(reason);
  }

  /** Takes the node out of the tree; what still hangs on it is aborted. */
  end(): void {
    this.#unfollow?.();
    this.#unfollow = undefined;
    this.#onAbort = undefined;
    if (this.#parent !== undefined) this.#parent.#release(this);
    if (this.#firstChild === undefined) return;
    this.#abortChildren(new ToolError("cancelled", "The call that made this one has ended."));
  }

  #adopt(child: AbortNode): void {
    child.#following = this.#firstChild;
    if (this.#firstChild !== undefined) this.#firstChild.#preceding = child;
    this.#firstChild = child;
  }

  #release(child: AbortNode): void {
    const before = child.#preceding;
    const after = child.#following;
    if (before !== undefined) before.#following = after;
    else if (this.#firstChild === child) this.#firstChild = after;
    if (after !== undefined) after.#preceding = before;
    child.#preceding = undefined;
    child.#following = undefined;
  }

  /** All that hang here now: aborting one may end others. */
  #abortChildren(reason: ToolError): void {
    const children: AbortNode[] = [];
    for (let child = this.#firstChild; child !== undefined; child = child.#following) children.push(child);
    for (const child of children.toReversed()) child.abort(reason);
  }
}

/** Says an abort as a failure: the `ToolError` given as reason, a time limit of the caller's, else a cancellation. */
export function toAbortError(reason: unknown): ToolError {
  try {
    if (ToolError.is(reason)) return reason;
    if (reason instanceof DOMException && reason.name === "TimeoutError")
      return new ToolError("timeout", "The caller's time limit passed.", { cause: reason });
    return new ToolError("cancelled", AiwError.is(reason) ? reason.message : "Cancelled.", { cause: reason });
  } catch {
    // Signals tell of an abort where nobody could catch what a reason throws that is looked at.
    return new ToolError("cancelled", "Cancelled.");
  }
}
