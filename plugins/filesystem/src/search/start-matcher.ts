import { Worker } from "node:worker_threads";
import type { HitRequest, TextHits } from "./find-hits.ts";

/** Searches texts in a thread of its own; disposal ends the thread. */
export interface MatcherThread extends AsyncDisposable {
  /** Gives `undefined` once the thread was ended; one text at a time. */
  find(text: string): Promise<TextHits | undefined>;
}

const MAX_HEAP_MB = 512;

/** Starts the thread; the signal ends it. */
export function startMatcher(request: HitRequest, signal: AbortSignal): MatcherThread {
  const worker = new Worker(siblingModule("match-worker"), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    stdout: true,
    stderr: true,
  });
  let answer: ((hits: TextHits | undefined) => void) | undefined;
  let isOver = false;
  const settle = (hits: TextHits | undefined): void => {
    answer?.(hits);
    answer = undefined;
  };
  const end = (): void => {
    isOver = true;
    settle(undefined);
  };
  worker.on("message", (hits: TextHits) => settle(hits));
  // Out of memory or the like: the text is counted among those not searched.
  worker.on("error", end);
  worker.on("exit", end);
  const terminate = (): void => {
    end();
    void worker.terminate();
  };
  signal.addEventListener("abort", terminate, { once: true });
  if (signal.aborted) terminate();
  return {
    async find(text) {
      if (isOver) return undefined;
      return await new Promise((resolve) => {
        answer = resolve;
        worker.postMessage(text);
      });
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener("abort", terminate);
      end();
      await worker.terminate();
    },
  };
}

/** A source beside a source, JavaScript beside JavaScript. */
function siblingModule(name: string): URL {
  return new URL(`./${name}.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);
}
