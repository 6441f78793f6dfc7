import { ToolError } from "@aiw/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AbortNode } from "./abort-tree.ts";

const reason = new ToolError("cancelled", "Enough.");

describe("AbortNode", () => {
  it("gives a signal that is aborted already when it is asked for afterwards", () => {
    const node = new AbortNode();
    node.abort(reason);
    expect(node.signal.aborted).toBe(true);
    expect(node.signal.reason).toBe(reason);
  });

  it("tells subscribers until they end it, and the first reason stays", () => {
    const node = new AbortNode();
    const told: unknown[] = [];
    node.subscribe((given) => told.push(given));
    node.subscribe(() => told.push("ended"))();
    node.abort(reason);
    node.abort(new ToolError("timeout", "Late."));
    expect(told).toEqual([reason]);
    expect(node.signal.reason).toBe(reason);
  });

  it("aborts those that hang on it, also when one of them ends others meanwhile", () => {
    const parent = new AbortNode();
    const [first, second, third] = [new AbortNode(parent), new AbortNode(parent), new AbortNode(parent)];
    first.onAbort = () => {
      second.end();
      third.end();
    };
    parent.abort(reason);
    expect([first.aborted, parent.aborted]).toEqual([true, true]);
    expect(new AbortNode(parent).aborted).toBe(true);
  });

  it("lets go of those that ended, in whatever order, and aborts the rest with its own end", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 8 }), fc.infiniteStream(fc.nat()), (count, picks) => {
        const parent = new AbortNode();
        const open = Array.from({ length: count }, () => new AbortNode(parent));
        const ended: AbortNode[] = [];
        const endings = (picks.next().value ?? 0) % (count + 1);
        for (let index = 0; index < endings; index += 1) {
          const [node] = open.splice((picks.next().value ?? 0) % open.length, 1);
          node?.end();
          if (node !== undefined) ended.push(node);
        }
        parent.end();
        expect(open.every(({ aborted }) => aborted)).toBe(true);
        expect(ended.some(({ aborted }) => aborted)).toBe(false);
      }),
    );
  });
});
