import { pathToFileURL } from "node:url";
import { EXPIRED, LOAD_TIMEOUT_MS, withDeadline } from "../guards/deadline.ts";
import { holdExit } from "../guards/exit-guard.ts";
import { tryImport, type TrialVerdict } from "../guards/trial-import.ts";

/** The exports of a module. */
export interface ModuleExports {
  readonly [name: string]: unknown;
}

/** How modules are loaded; tests replace any part. */
export interface ModuleLoaderOptions {
  readonly importModule?: (url: string) => Promise<ModuleExports>;
  /** Imports a module where it can do no harm, and says how that went. */
  readonly tryModule?: (url: string, timeoutMs: number) => Promise<TrialVerdict>;
  /** Milliseconds; 10,000 unless named. */
  readonly timeoutMs?: number;
}

/** What loading one module gave. */
export type ModuleLoad =
  | { readonly kind: "loaded"; readonly exports: ModuleExports }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "exited" }
  | { readonly kind: "timed_out"; readonly afterMs: number };

interface Evaluation {
  readonly file: string;
  readonly packageKey: string;
  readonly trial: boolean;
}

/** Evaluates modules one at a time, each once, so that blame is exact. */
export class ModuleLoader {
  readonly #import: (url: string) => Promise<ModuleExports>;
  readonly #try: (url: string, timeoutMs: number) => Promise<TrialVerdict>;
  readonly #timeoutMs: number;
  readonly #modules = new Map<string, { readonly work: Promise<ModuleLoad>; hasExpired: boolean }>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ModuleLoaderOptions = {}) {
    const { importModule = importUrl, tryModule = tryImport, timeoutMs = LOAD_TIMEOUT_MS } = options;
    this.#import = importModule;
    this.#try = tryModule;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Imports a file; a module that came late serves the next call, one that failed stays failed.
   * With a trial, a module that ends or blocks its process does so in another one, and is not imported here.
   */
  load(file: string, packageKey: string, how: { readonly trial?: boolean } = {}): Promise<ModuleLoad> {
    const { href } = pathToFileURL(file);
    const turn = this.#turn.then(() => this.#evaluate(href, { file, packageKey, trial: how.trial === true }));
    this.#turn = turn;
    return turn;
  }

  async #evaluate(href: string, { file, packageKey, trial }: Evaluation): Promise<ModuleLoad> {
    const known = this.#modules.get(href);
    const refused = known === undefined && trial ? await this.#refuse(href) : undefined;
    const work = refused === undefined ? undefined : Promise.resolve(refused);
    const module = known ?? { work: work ?? toOutcome(this.#import(href)), hasExpired: false };
    this.#modules.set(href, module);
    using _guard = holdExit(packageKey, file);
    const outcome = await withDeadline(module.work, module.hasExpired ? 0 : this.#timeoutMs);
    if (outcome !== EXPIRED) return outcome;
    module.hasExpired = true;
    return { kind: "timed_out", afterMs: this.#timeoutMs };
  }

  /** The outcome of a module that must not be imported here. */
  async #refuse(href: string): Promise<ModuleLoad | undefined> {
    const verdict = await this.#try(href, this.#timeoutMs);
    if (verdict === "exited") return { kind: "exited" };
    return verdict === "hung" ? { kind: "timed_out", afterMs: this.#timeoutMs } : undefined;
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
