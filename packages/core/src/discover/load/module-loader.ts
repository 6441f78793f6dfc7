import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { LoadingListener } from "../../register/tool-project.ts";
import { EXPIRED, LOAD_TIMEOUT_MS, withDeadline } from "../guards/deadline.ts";
import { holdExit } from "../guards/exit-guard.ts";
import type { TrialVerdict } from "../guards/trial-import.ts";
import { LoadingPackages } from "./loading-packages.ts";
import type { ModuleExports, ModuleLoad } from "./module-load.ts";
import type { TryModule } from "./try-modules.ts";

/** How modules are loaded; tests replace any part. */
export interface ModuleLoaderOptions {
  readonly importModule?: (url: string) => Promise<ModuleExports>;
  readonly tryModule?: TryModule;
  /** Milliseconds; 10,000 unless named. */
  readonly timeoutMs?: number;
}

interface Loading {
  readonly file: string;
  readonly href: string;
  readonly packageKey: string;
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

/** A module whose code has begun to run in this process. */
interface BegunModule {
  readonly work: Promise<ModuleLoad>;
  /** What the file was when its code began. */
  readonly stamp: string | undefined;
  /** What its package was then, where that is known. */
  readonly version: string | undefined;
  hasExpired: boolean;
}

interface Trial {
  readonly stamp: string | undefined;
  /** Nothing for a module that may be imported here. */
  readonly refusal: Promise<ModuleLoad | undefined>;
}

/** Evaluates modules one at a time, each once, so that blame is exact; several may be tried elsewhere at the same time. */
export class ModuleLoader {
  readonly #import: (url: string) => Promise<ModuleExports>;
  readonly #try: TryModule;
  readonly #timeoutMs: number;
  readonly #begun = new Map<string, BegunModule>();
  readonly #trials = new Map<string, Trial>();
  readonly #loading = new LoadingPackages();
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
    const loading = { file, href: pathToFileURL(file).href, packageKey, timeoutMs, version };
    return this.#loading.during(packageKey, trial ? this.#loadTried(loading) : this.#loadInTurn(loading));
  }

  /** Tells whose code is being loaded, at each change; returns the function that ends it. */
  onLoading(listener: LoadingListener): () => void {
    return this.#loading.listen(listener);
  }

  /** True once a file's code has begun to run in this process, however it went: no other code of that file can come to it. */
  has(file: string): boolean {
    return this.#begun.has(pathToFileURL(file).href);
  }

  /** True when a file whose code runs in this process is another one by now. */
  hasChanged(file: string): boolean {
    const begun = this.#begun.get(pathToFileURL(file).href);
    return begun !== undefined && begun.stamp !== stampOf(file);
  }

  /** The version of the package whose code of a file runs in this process. */
  versionOf(file: string): string | undefined {
    return this.#begun.get(pathToFileURL(file).href)?.version;
  }

  async #loadTried(loading: Loading): Promise<ModuleLoad> {
    const refusal = this.#begun.has(loading.href) ? undefined : await this.#trialOf(loading).refusal;
    return refusal ?? this.#loadInTurn(loading);
  }

  /** What was refused has not run here: another file in its place deserves another trial. */
  #trialOf({ href, file, timeoutMs }: Loading): Trial {
    const stamp = stampOf(file);
    const known = this.#trials.get(href);
    if (known !== undefined && known.stamp === stamp) return known;
    const trial = { stamp, refusal: this.#judge(href, timeoutMs) };
    this.#trials.set(href, trial);
    return trial;
  }

  async #judge(href: string, timeoutMs: number): Promise<ModuleLoad | undefined> {
    const verdict = await this.#try(href, timeoutMs);
    if (verdict.kind === "survived") return undefined;
    const { judgeTrial } = await import("./judge-trial.ts");
    return judgeTrial(verdict, timeoutMs);
  }

  #loadInTurn(loading: Loading): Promise<ModuleLoad> {
    const turn = this.#turn.then(() => this.#evaluate(loading));
    this.#turn = turn;
    return turn;
  }

  async #evaluate(loading: Loading): Promise<ModuleLoad> {
    const { href, packageKey, file, timeoutMs } = loading;
    const module = this.#begun.get(href) ?? this.#begin(loading);
    using _guard = holdExit(packageKey, file);
    const outcome = await withDeadline(module.work, module.hasExpired ? 0 : timeoutMs);
    if (outcome !== EXPIRED) return outcome;
    module.hasExpired = true;
    return { kind: "timed_out", afterMs: timeoutMs };
  }

  #begin({ href, file, version }: Loading): BegunModule {
    const stamp = stampOf(file);
    const module = { work: toOutcome(this.#import(href)), stamp, version, hasExpired: false };
    this.#begun.set(href, module);
    return module;
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
  const { tryInProcess } = await import("./try-modules.ts");
  return tryInProcess(url, timeoutMs);
}

async function toOutcome(work: Promise<ModuleExports>): Promise<ModuleLoad> {
  try {
    return { kind: "loaded", exports: await work };
  } catch (error) {
    return { kind: "failed", error };
  }
}
