import { Worker } from "node:worker_threads";
import { siblingModule } from "./start-matcher.ts";

/** What to look at. */
export interface StatOrder {
  /** Begins every path. */
  readonly folder: string;
  /** Separated by NUL. */
  readonly paths: string;
  readonly sort: "mtime" | "size";
}

/** Looks at files in a thread of its own; disposal ends the thread. */
export interface StatThread extends AsyncDisposable {
  /** Gives the time or size of each path, NaN for one that is not there; `undefined` once the thread was ended. One order at a time. */
  weigh(order: StatOrder): Promise<Float64Array | undefined>;
}

/**
 * Starts the thread; the signal ends it. Like a search program it goes by paths, so that what it says may decide about
 * order and nothing else: whatever is shown is looked at again through the workspace.
 */
export function startStats(signal: AbortSignal): StatThread {
  const worker = new Worker(siblingModule("stat-worker"), { stdout: true, stderr: true });
  let answer: ((weights: Float64Array | undefined) => void) | undefined;
  let isOver = false;
  const settle = (weights: Float64Array | undefined): void => {
    answer?.(weights);
    answer = undefined;
  };
  const end = (): void => {
    isOver = true;
    settle(undefined);
  };
  worker.on("message", (weights: Float64Array) => settle(weights));
  worker.on("error", end);
  worker.on("exit", end);
  const terminate = (): void => {
    end();
    void worker.terminate();
  };
  signal.addEventListener("abort", terminate, { once: true });
  if (signal.aborted) terminate();
  return {
    async weigh(order) {
      if (isOver) return undefined;
      return await new Promise((resolve) => {
        answer = resolve;
        worker.postMessage(order);
      });
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener("abort", terminate);
      end();
      await worker.terminate();
    },
  };
}
