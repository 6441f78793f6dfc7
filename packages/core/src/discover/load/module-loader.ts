import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { EXPIRED, LOAD_TIMEOUT_MS, withDeadline } from "../guards/deadline.ts";
import { holdExit } from "../guards/exit-guard.ts";
import type { TrialVerdict } from "../guards/trial-import.ts";

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
  readonly timeoutMs: number;
  readonly version: string | undefined;
}

/** How one module is loaded. */
export interface LoadModuleOptions {
  /** A module that ends or blocks its process does so in another one first, and is not imported here. */
  readonly trial?: boolean;
  /** Milliseconds; the loader's own unless named. */
  readonly timeoutMs?: number | undefined;
  /** The version of its package, for later comparison. */
  readonly version?: string | undefined;
}

interface KnownModule {
  readonly work: Promise<ModuleLoad>;
  readonly hasBegun: boolean;
  /** What the file was when its code began. */
  readonly stamp: string | undefined;
  /** What its package was then, where that is known. */
  readonly version: string | undefined;
  hasExpired: boolean;
}

/** Evaluates modules one at a time, each once, so that blame is exact. */
export class ModuleLoader {
  readonly #import: (url: string) => Promise<ModuleExports>;
  readonly #try: (url: string, timeoutMs: number) => Promise<TrialVerdict>;
  readonly #timeoutMs: number;
  readonly #modules = new Map<string, KnownModule>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ModuleLoaderOptions = {}) {
    const { importModule = importUrl, tryModule = tryUrl, timeoutMs = LOAD_TIMEOUT_MS } = options;
    this.#import = importModule;
    this.#try = tryModule;
    this.#timeoutMs = timeoutMs;
  }

  /** Imports a file; a module that came late serves the next call, one that failed stays failed. */
  load(file: string, packageKey: string, options: LoadModuleOptions = {}): Promise<ModuleLoad> {
    const { trial = false, timeoutMs = this.#timeoutMs, version } = options;
    const { href } = pathToFileURL(file);
    const turn = this.#turn.then(() => this.#evaluate(href, { file, packageKey, trial, timeoutMs, version }));
    this.#turn = turn;
    return turn;
  }

  /** True once a file's code has begun to run in this process, however it went: no other code of that file can come to it. */
  has(file: string): boolean {
    return this.#modules.get(pathToFileURL(file).href)?.hasBegun === true;
  }

  /** True when a file whose code runs in this process is another one by now. */
  hasChanged(file: string): boolean {
    const known = this.#modules.get(pathToFileURL(file).href);
    return known?.hasBegun === true && known.stamp !== stampOf(file);
  }

  /** The version of the package whose code of a file runs in this process. */
  versionOf(file: string): string | undefined {
    const known = this.#modules.get(pathToFileURL(file).href);
    return known?.hasBegun === true ? known.version : undefined;
  }

  async #evaluate(href: string, { file, packageKey, trial, timeoutMs, version }: Evaluation): Promise<ModuleLoad> {
    const known = this.#knownOf(href, file);
    const refused = known === undefined && trial ? await this.#refuse(href, timeoutMs) : undefined;
    const module = known ?? { ...this.#begin(file, href, refused), version };
    this.#modules.set(href, module);
    using _guard = holdExit(packageKey, file);
    const outcome = await withDeadline(module.work, module.hasExpired ? 0 : timeoutMs);
    if (outcome !== EXPIRED) return outcome;
    module.hasExpired = true;
    return { kind: "timed_out", afterMs: timeoutMs };
  }

  /** What was refused has not run here: another file in its place deserves another trial. */
  #knownOf(href: string, file: string): KnownModule | undefined {
    const known = this.#modules.get(href);
    return known?.hasBegun === false && known.stamp !== stampOf(file) ? undefined : known;
  }

  #begin(file: string, href: string, refused: ModuleLoad | undefined): Omit<KnownModule, "version"> {
    const stamp = stampOf(file);
    if (refused !== undefined) return { work: Promise.resolve(refused), stamp, hasBegun: false, hasExpired: false };
    return { work: toOutcome(this.#import(href)), stamp, hasBegun: true, hasExpired: false };
  }

  /** The outcome of a module that must not be imported here. */
  async #refuse(href: string, timeoutMs: number): Promise<ModuleLoad | undefined> {
    const verdict = await this.#try(href, timeoutMs);
    if (verdict === "exited") return { kind: "exited" };
    return verdict === "hung" ? { kind: "timed_out", afterMs: timeoutMs } : undefined;
  }
}

/** One for the process, as Node's own module cache is. */
export const sharedModuleLoader: ModuleLoader = new ModuleLoader();

function stampOf(file: string): string | undefined {
  try {
    const { size, mtimeNs, ino } = statSync(file, { bigint: true });
    return `${size}:${mtimeNs}:${ino}`;
  } catch {
    return undefined;
  }
}

async function importUrl(url: string): Promise<ModuleExports> {
  return (await import(url)) as ModuleExports;
}

async function tryUrl(url: string, timeoutMs: number): Promise<TrialVerdict> {
  const { tryImport } = await import("../guards/trial-import.ts");
  return tryImport(url, timeoutMs);
}

async function toOutcome(work: Promise<ModuleExports>): Promise<ModuleLoad> {
  try {
    return { kind: "loaded", exports: await work };
  } catch (error) {
    return { kind: "failed", error };
  }
}
