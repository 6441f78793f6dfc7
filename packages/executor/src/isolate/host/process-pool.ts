import { isDeepStrictEqual } from "node:util";
import type { IsolationGrant, ToolCode, ToolLog } from "@aiw/core";
import { IsolatedProcess } from "./isolated-process.ts";
import type { ProcessRequest, StartProcess } from "./start-process.ts";

/** How processes are started and kept. */
export interface ProcessPoolOptions {
  readonly start: StartProcess;
  readonly log: ToolLog | undefined;
  readonly idleMs: number;
  readonly limitMs: number;
}

interface Held {
  readonly request: ProcessRequest;
  readonly process: Promise<IsolatedProcess>;
  /** Once it runs. */
  running?: IsolatedProcess;
}

/** One process for each package, version and grant: started at its first use, exchanged when it has ended. */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  readonly #held = new Set<Held>();
  #closed = false;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  /** @throws ToolError `isolation_unavailable`, `isolated_process_ended` */
  async get(request: ProcessRequest): Promise<IsolatedProcess> {
    for (const held of this.#held) {
      if (held.running?.ended === true) this.#held.delete(held);
      else if (isSame(held.request, request)) return held.process;
    }
    const held: Held = { request, process: this.#start(request) };
    this.#held.add(held);
    try {
      held.running = await held.process;
    } catch (error) {
      this.#held.delete(held);
      throw error;
    }
    return held.running;
  }

  /** Ends every process and waits for that; later ones end as soon as they have started. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.allSettled([...this.#held].map(async ({ process }) => (await process).close()));
    this.#held.clear();
  }

  async #start(request: ProcessRequest): Promise<IsolatedProcess> {
    const { start, log, idleMs, limitMs } = this.#options;
    const { packageKey } = request.code;
    const started = new IsolatedProcess(await start(request), { packageKey, log, idleMs, limitMs });
    if (!started.sandboxed) {
      log?.warn("A package runs in a process of its own that the operating system does not confine.", {
        package: packageKey,
      });
    }
    if (this.#closed) await started.close();
    await started.ready;
    return started;
  }
}

/** Where code of one package and version lies is one place; which module of it is asked for does not matter. */
function isSame(one: ProcessRequest, other: ProcessRequest): boolean {
  return isDeepStrictEqual(toKey(one), toKey(other));
}

function toKey({
  code,
  grant,
  roots,
  ruled,
  projectDir,
}: ProcessRequest): readonly [Partial<ToolCode>, IsolationGrant, unknown] {
  const { packageKey, version, directory, pinned } = code;
  const place = { packageKey, ...(version !== undefined && { version }), directory, ...(pinned && { pinned }) };
  return [place, grant, [roots, ruled, projectDir]];
}
