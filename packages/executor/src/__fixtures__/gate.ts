import { defineTool, type Tool } from "@aiw/core";

/** A tool whose calls end when they are told to or aborted, and that knows how many run. */
export class Gate {
  readonly tool: Tool;
  /** The `n` of the calls that began, in order. */
  readonly began: number[] = [];
  /** The most that ever ran at once. */
  most = 0;
  running = 0;
  readonly #ends = new Set<() => void>();

  constructor(name: string) {
    this.tool = defineTool({
      name,
      category: "labour",
      description: "Works until it is told to stop.",
      input: {
        type: "object",
        properties: { n: { type: "integer" }, resource: { type: "string" }, writes: { type: "boolean" } },
      },
      effects: "read",
      assess: (input) => {
        const { resource, writes = false } = input as { resource?: string; writes?: boolean };
        return {
          decision: "allow",
          reason: "It is harmless.",
          effects: { readOnly: !writes, destructive: false, idempotent: true, openWorld: false },
          resources: resource === undefined ? [] : [resource],
        };
      },
      execute: (input, { signal }) => this.#work((input as { n?: number }).n ?? 0, signal),
    });
  }

  /** Ends the call that has run longest. */
  endOne(): void {
    const [longest] = this.#ends;
    longest?.();
  }

  async #work(n: number, signal: AbortSignal): Promise<number> {
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    this.began.push(n);
    await new Promise<void>((resolve) => {
      const end = (): void => {
        this.#ends.delete(end);
        resolve();
      };
      this.#ends.add(end);
      signal.addEventListener("abort", end, { once: true });
    });
    this.running -= 1;
    return n;
  }
}

/** Waits until something holds, as long as the test may take. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
}
