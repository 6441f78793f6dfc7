import type { SessionStore } from "@aiw/core";
import { AbortNode } from "./abort-tree.ts";

/** One node for each conversation, on which its calls hang; a conversation that is forgotten takes its node along. */
export class SessionAborts {
  readonly #nodes = new WeakMap<SessionStore, AbortNode>();

  nodeOf(session: SessionStore): AbortNode {
    const known = this.#nodes.get(session);
    if (known !== undefined) return known;
    const node = new AbortNode();
    this.#nodes.set(session, node);
    session.onEnd((reason) => node.abort(reason));
    return node;
  }
}
