import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ConvertedPage, ConvertRequest } from "./convert-html.ts";
import { htmlToText } from "./html-to-text.ts";
import { limitAtOnce } from "./limit-at-once.ts";
import { siblingModule } from "./sibling-module.ts";

const MAX_MS = 10_000;
/** Each may take a core and 256 MiB, and a model may ask for any number of pages at once. */
const takePlace = limitAtOnce(4);
const OUT_OF_MEMORY = "ERR_WORKER_OUT_OF_MEMORY";

/** What ends a conversion early. */
export interface ConvertOptions {
  readonly signal: AbortSignal;
  /** Milliseconds of conversion before plain text is given in its place. */
  readonly maxMs?: number;
}

/** A converted page, and why it is plain text when it is. */
export interface ConversionResult extends ConvertedPage {
  readonly notice?: string;
}

interface Answer {
  readonly page?: ConvertedPage;
  readonly failure?: string;
}

/**
 * Converts a page in a process of its own that may take 256 MiB and ten seconds; beyond that the page becomes plain text.
 * Four run at once, the others wait.
 * A thread alone would not do: when one allocation passes its heap limit by far, the whole process ends.
 */
export async function convertPage(
  request: ConvertRequest,
  { signal, maxMs = MAX_MS }: ConvertOptions,
): Promise<ConversionResult> {
  using _place = await takePlace(signal);
  signal.throwIfAborted();
  const converted = await runProcess(request, { signal, maxMs });
  if (typeof converted === "object") return converted;
  return {
    content: htmlToText(request.html),
    extraction: "text",
    notice: `The page could not be converted (${converted}); its plain text is shown.`,
  };
}

/** Gives the page, or the reason why there is none. */
async function runProcess(
  request: ConvertRequest,
  { signal, maxMs }: Required<ConvertOptions>,
): Promise<ConvertedPage | string> {
  const child = startProcess();
  if (child === undefined) return "no process could be started";
  const settled = Promise.withResolvers<ConvertedPage | string>();
  const timer = setTimeout(() => settled.resolve(`it took longer than ${maxMs / 1000} s`), maxMs);
  const abort = (): void => settled.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  child.once("message", (answer: Answer) => settled.resolve(answer.page ?? explain(answer.failure)));
  child.once("exit", (_code, endedBy) =>
    settled.resolve(endedBy === "SIGABRT" ? explain(OUT_OF_MEMORY) : "the conversion ended early"),
  );
  child.on("error", () => settled.resolve("no process could be started"));
  child.send(request, (error) => {
    if (error !== null) settled.resolve("no process could be started");
  });
  try {
    return await settled.promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
    await endProcess(child);
  }
}

function startProcess(): ChildProcess | undefined {
  try {
    return fork(fileURLToPath(siblingModule(import.meta.url, "html-process")), {
      // Nothing of the host is needed: no flags, no secrets of its environment, and no place in its output.
      execArgv: [],
      env: hostNeeds(),
      stdio: ["ignore", "ignore", "ignore", "ipc"],
      serialization: "advanced",
    });
  } catch {
    // A host that may start no processes still reads pages, as plain text.
    return undefined;
  }
}

/** Windows starts no process without its root; Electron would start itself. */
function hostNeeds(): NodeJS.ProcessEnv {
  const root = process.env["SystemRoot"];
  return {
    ...(root !== undefined && { SystemRoot: root }),
    ...(process.versions["electron"] !== undefined && { ELECTRON_RUN_AS_NODE: "1" }),
  };
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

function explain(failure: string | undefined): string {
  return failure === OUT_OF_MEMORY ? "it took too much memory" : "its structure is damaged";
}
