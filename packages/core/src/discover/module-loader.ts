import { pathToFileURL } from "node:url";
import { EXPIRED, LOAD_TIMEOUT_MS, withDeadline } from "./guards/deadline.ts";
import { holdExit } from "./guards/exit-guard.ts";

/** The exports of a module. */
export interface ModuleExports {
  readonly [name: string]: unknown;
}

/** How modules are loaded; tests replace any part. */
export interface ModuleLoaderOptions {
  readonly importModule?: (url: string) => Promise<ModuleExports>;
  /** Milliseconds; 10,000 unless named. */
  readonly timeoutMs?: number;
}

/** What loading one module gave. */
export type ModuleLoad =
  | { readonly kind: "loaded"; readonly exports: ModuleExports }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "timed_out"; readonly afterMs: number };

/** Evaluates modules one at a time, each once, so that blame is exact. */
export class ModuleLoader {
  readonly #import: (url: string) => Promise<ModuleExports>;
  readonly #timeoutMs: number;
  readonly #modules = new Map<string, { readonly work: Promise<ModuleLoad>; hasExpired: boolean }>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor({ importModule = importUrl, timeoutMs = LOAD_TIMEOUT_MS }: ModuleLoaderOptions = {}) {
    this.#import = importModule;
    this.#timeoutMs = timeoutMs;
  }

  /** Imports a file; a module that came late serves the next call, one that failed stays failed. */
  load(file: string, packageKey: string): Promise<ModuleLoad> {
    const { href } = pathToFileURL(file);
    const turn = this.#turn.then(() => this.#evaluate(href, file, packageKey));
    this.#turn = turn;
    return turn;
  }

  async #evaluate(href: string, file: string, packageKey: string): Promise<ModuleLoad> {
    const known = this.#modules.get(href);
    const module = known ?? { work: toOutcome(this.#import(href)), hasExpired: false };
    this.#modules.set(href, module);
    using _guard = holdExit(packageKey, file);
    const outcome = await withDeadline(module.work, module.hasExpired ? 0 : this.#timeoutMs);
    if (outcome !== EXPIRED) return outcome;
    module.hasExpired = true;
    return { kind: "timed_out", afterMs: this.#timeoutMs };
  }
}

/** One for the process, as Node's own module cache is. */
export const sharedModuleLoader: ModuleLoader = new ModuleLoader();

async function importUrl(url: string): Promise<ModuleExports> {
  return (await import(url)) as ModuleExports;
}

async function toOutcome(work: Promise<ModuleExports>): Promise<ModuleLoad> {
  try {
    return { kind: "loaded", exports: await work };
  } catch (error) {
    return { kind: "failed", error };
  }
}
