import { Worker } from "node:worker_threads";

/** What the thread says: how many pages there are or why not, then pages one by one. */
export interface PdfMessage {
  readonly pages?: number;
  readonly text?: string;
  readonly problem?: string;
  /** The library that reads PDFs is not installed. */
  readonly isMissing?: true;
  /** The thread has ended. */
  readonly isOver?: true;
}

/** A PDF that is open in a thread of its own; disposal ends the thread. */
export interface OpenPdf extends AsyncDisposable {
  /** How many pages there are; `undefined` where it could not be read. */
  readonly pages?: number;
  readonly problem?: string;
  readonly isMissing?: true;
  /** Gives the text of a page, one at a time. */
  page(number: number): Promise<PdfMessage>;
}

const MAX_HEAP_MB = 512;
const MOST_SECONDS = 20;
/** What a small file unpacks to lies outside the thread's heap. */
const MOST_GROWTH = 1024 * 1024 * 1024;
const WATCH_MS = 50;
const STOPPED: PdfMessage = { problem: "it takes more time or memory than there is", isOver: true };

/** Opens a PDF in bounded time and memory; the bytes are given away. */
export async function openPdf(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<OpenPdf> {
  const worker = new Worker(siblingModule("pdf-worker"), {
    workerData: bytes,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    env: {},
    stdout: true,
    stderr: true,
  });
  let answer: ((message: PdfMessage) => void) | undefined;
  let isOver = false;
  const settle = (message: PdfMessage): void => {
    answer?.(message);
    answer = undefined;
  };
  const end = (): void => {
    isOver = true;
    settle(STOPPED);
  };
  worker.on("message", settle);
  worker.on("error", end);
  worker.on("exit", end);
  const stop = (): void => {
    clearTimeout(timer);
    clearInterval(watch);
    end();
    void worker.terminate();
  };
  const timer = setTimeout(stop, MOST_SECONDS * 1000);
  const before = process.memoryUsage.rss();
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() - before > MOST_GROWTH) stop();
  }, WATCH_MS);
  signal.addEventListener("abort", stop, { once: true });
  const next = async (): Promise<PdfMessage> =>
    isOver ? STOPPED : await new Promise<PdfMessage>((resolve) => (answer = resolve));
  if (signal.aborted) stop();
  const { pages, problem, isMissing } = await next();
  signal.throwIfAborted();
  return {
    ...(pages !== undefined && { pages }),
    ...(problem !== undefined && { problem }),
    ...(isMissing && { isMissing }),
    async page(number) {
      const reply = next();
      if (!isOver) worker.postMessage(number);
      const message = await reply;
      signal.throwIfAborted();
      return message;
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      clearInterval(watch);
      signal.removeEventListener("abort", stop);
      end();
      await worker.terminate();
    },
  };
}

/** A source beside a source, JavaScript beside JavaScript. */
function siblingModule(name: string): URL {
  return new URL(`./${name}.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);
}
