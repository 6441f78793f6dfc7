import { AiwError, ToolError } from "@aiw/core";

/** One node of the tree of aborts: it aborts with its parent and with every signal it follows. */
export class AbortNode {
  readonly #controller = new AbortController();
  readonly #children = new Set<AbortNode>();
  readonly #parent: AbortNode | undefined;
  #unfollow: (() => void)[] = [];
  #reason: ToolError | undefined;
  #onAbort: ((reason: ToolError) => void) | undefined;

  constructor(parent?: AbortNode) {
    this.#parent = parent;
    if (parent === undefined) return;
    if (parent.#reason !== undefined) this.abort(parent.#reason);
    else parent.#children.add(this);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Sets who is told of an abort, at once if it has happened. */
  set onAbort(listener: (reason: ToolError) => void) {
    if (this.#reason !== undefined) listener(this.#reason);
    else this.#onAbort = listener;
  }

  /** Aborts when `signal` does. */
  follow(signal: AbortSignal | undefined): void {
    if (signal === undefined || this.signal.aborted) return;
    if (signal.aborted) return this.abort(toAbortError(signal.reason));
    const listener = (): void => this.abort(toAbortError(signal.reason));
    signal.addEventListener("abort", listener, { once: true });
    this.#unfollow.push(() => signal.removeEventListener("abort", listener));
  }

  /** Aborts this node and everything that hangs on it; the first reason stays. */
  abort(reason: ToolError): void {
    if (this.signal.aborted) return;
    this.#reason = reason;
    this.#controller.abort(reason);
    this.#onAbort?.(reason);
    for (const child of this.#children) child.abort(reason);
  }

  /** Takes the node out of the tree; what still hangs on it is aborted. */
  end(): void {
    for (const unfollow of this.#unfollow) unfollow();
    this.#unfollow = [];
    this.#onAbort = undefined;
    if (this.#parent !== undefined) this.#parent.#children.delete(this);
    if (this.#children.size === 0) return;
    const reason = new ToolError("cancelled", "The call that made this one has ended.");
    for (const child of this.#children) child.abort(reason);
  }
}

/** Says an abort as a failure: the `ToolError` given as reason, a time limit of the caller's, else a cancellation. */
export function toAbortError(reason: unknown): ToolError {
  if (ToolError.is(reason)) return reason;
  if (reason instanceof DOMException && reason.name === "TimeoutError")
    return new ToolError("timeout", "The caller's time limit passed.", { cause: reason });
  return new ToolError("cancelled", AiwError.is(reason) ? reason.message : "Cancelled.", { cause: reason });
}
