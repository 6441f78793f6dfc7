import type { CliIo } from "../../io.ts";
import { printLine } from "../../output/print.ts";

/** Works under a signal that Ctrl-C and the end of the process abort; what has begun to go back is never cut off. */
export async function withInterrupts<Value>(
  io: Pick<CliIo, "onInterrupt" | "onTerminate" | "stderr">,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stop = new AbortController();
  const removals: (() => void)[] = [];
  const onInterrupt = (): void => {
    if (stop.signal.aborted) printLine(io.stderr, "What was there is being put back; it cannot be interrupted.");
    stop.abort();
    // Each registration hears one key.
    removals.push(io.onInterrupt(onInterrupt));
  };
  const onTerminate = (): void => {
    stop.abort();
    removals.push(io.onTerminate(onTerminate));
  };
  removals.push(io.onInterrupt(onInterrupt), io.onTerminate(onTerminate));
  try {
    return await work(stop.signal);
  } finally {
    for (const remove of removals) remove();
  }
}
