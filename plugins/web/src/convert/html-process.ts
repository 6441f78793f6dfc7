import { Worker } from "node:worker_threads";
import type { ConvertRequest } from "./convert-html.ts";
import { siblingModule } from "./sibling-module.ts";

const MAX_HEAP_MB = 256;

// A process for one page. The work is done in a thread, so that this one can end the process when its owner has gone.
process.once("disconnect", () => process.exit());
process.once("message", (request: ConvertRequest) => {
  const worker = new Worker(siblingModule(import.meta.url, "html-worker"), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: 32 },
    stdout: true,
    stderr: true,
  });
  worker.once("message", (page: unknown) => process.send?.({ page }));
  worker.once("error", (error: Error & { readonly code?: string }) =>
    process.send?.({ failure: error.code ?? error.name }),
  );
});
