import { Worker } from "node:worker_threads";
import type { ConvertedPage, ConvertRequest } from "./convert-html.ts";
import { htmlToText } from "./html-to-text.ts";

const MAX_HEAP_MB = 256;
const MAX_MS = 10_000;

/** What may differ in tests. */
export interface ConvertOptions {
  readonly signal: AbortSignal;
  /** Milliseconds of conversion before plain text is given in its place. */
  readonly maxMs?: number;
}

/** A converted page, and why it is plain text when it is. */
export interface ConversionResult extends ConvertedPage {
  readonly notice?: string;
}

/** Converts a page in a thread that may take 256 MiB and ten seconds; beyond that the page becomes plain text. */
export async function convertPage(request: ConvertRequest, { signal, maxMs = MAX_MS }: ConvertOptions): Promise<ConversionResult> {
  const converted = await runWorker(request, { signal, maxMs });
  if (typeof converted === "object") return converted;
  return { content: htmlToText(request.html), extraction: "text", notice: `The page could not be converted (${converted}); its plain text is shown.` };
}

/** Gives the page, or the reason why there is none. */
function runWorker(request: ConvertRequest, { signal, maxMs }: Required<ConvertOptions>): Promise<ConvertedPage | string> {
  const settled = Promise.withResolvers<ConvertedPage | string>();
  let worker: Worker;
  try {
    signal.throwIfAborted();
    worker = new Worker(workerUrl(), {
      workerData: request,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
      // Nothing of the host is needed: no flags, no environment, and no place in its output.
      execArgv: [],
      argv: [],
      env: {},
      stdout: true,
      stderr: true,
    });
  } catch (error) {
    if (signal.aborted) return Promise.reject(signal.reason);
    return Promise.resolve("no thread could be started");
  }
  const timer = setTimeout(() => settled.resolve(`it took longer than ${maxMs / 1000} s`), maxMs);
  const abort = (): void => settled.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  worker.once("message", (page: ConvertedPage) => settled.resolve(page));
  worker.once("error", (error: Error & { code?: string }) =>
    settled.resolve(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? "it took too much memory" : "its structure is damaged"),
  );
  worker.once("exit", () => settled.resolve("the conversion ended early"));
  return settled.promise.finally(async () => {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    await worker.terminate();
  });
}

/** The thread's file beside this one: a source beside a source, JavaScript beside JavaScript. */
function workerUrl(): URL {
  const extension = new URL(import.meta.url).pathname.endsWith(".ts") ? "ts" : "js";
  return new URL(`./html-worker.${extension}`, import.meta.url);
}
