import type { CliIo } from "../../io.ts";
import { printTalk } from "../../output/print-prose.ts";

/**
 * Works under a signal that Ctrl-C and the end of the process abort; what has begun to go back is never cut off. What is done is done: a
 * signal that comes afterwards, while the process ends, changes nothing of what was said, nor of the exit code.
 */
export async function withInterrupts<Value>(
  io: Pick<CliIo, "onInterrupt" | "onTerminate" | "stderr" | "talkColumns">,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const stop = new AbortController();
  let isDone = false;
  const onInterrupt = (): void => {
    if (stop.signal.aborted && !isDone) printTalk(io, "What was there is being put back; it cannot be interrupted.");
    stop.abort();
    // Each registration hears one key.
    io.onInterrupt(onInterrupt);
  };
  const onTerminate = (): void => {
    stop.abort();
    io.onTerminate(onTerminate);
  };
  io.onInterrupt(onInterrupt);
  io.onTerminate(onTerminate);
  try {
    return await work(stop.signal);
  } finally {
    isDone = true;
  }
}
