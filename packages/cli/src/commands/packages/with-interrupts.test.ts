import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { withInterrupts } from "./with-interrupts.ts";

/** A process that a signal ends unless somebody listens, as Node's does. */
function makeProcess() {
  const stderr = new PassThrough();
  const listeners: (() => void)[] = [];
  const once = (listener: () => void): (() => void) => {
    listeners.push(listener);
    return () => void (listeners.includes(listener) && listeners.splice(listeners.indexOf(listener), 1));
  };
  return {
    io: { stderr, onInterrupt: once, onTerminate: () => () => undefined },
    /** Says whether the process goes on. */
    interrupt: (): boolean => {
      const heard = listeners.splice(0);
      for (const listener of heard) listener();
      return heard.length > 0;
    },
    said: () => text(stderr.end()),
  };
}

describe("withInterrupts", () => {
  it("aborts the work at the first signal, and says at the next that it goes back", async () => {
    const { io, interrupt, said } = makeProcess();
    const wasAborted = await withInterrupts(io, async (signal) => {
      expect([interrupt(), interrupt()]).toEqual([true, true]);
      return signal.aborted;
    });
    expect(wasAborted).toBe(true);
    expect(await said()).toContain("cannot be interrupted");
  });

  it("lets no signal end the process, nor say anything, once the work is done", async () => {
    const { io, interrupt, said } = makeProcess();
    expect(await withInterrupts(io, async () => "done")).toBe("done");
    expect([interrupt(), interrupt()]).toEqual([true, true]);
    expect(await said()).toBe("");
  });
});
