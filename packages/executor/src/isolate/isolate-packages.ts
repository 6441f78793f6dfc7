import {
  resolveIsolation,
  ToolError,
  type IsolationConfig,
  type IsolationGrant,
  type Tool,
  type ToolCode,
  type ToolEntry,
  type ToolLog,
  type ToolSpec,
  type WorkspaceRoots,
} from "@aiw/core";
import { listRuledPlaces } from "@aiw/core/node";
import type { Isolation } from "../call/isolation.ts";
import { findMissingGrant } from "./host/find-missing-grant.ts";
import { IsolatedTool, type IsolatedToolHost } from "./host/isolated-tool.ts";
import type { IsolatedProcess } from "./host/isolated-process.ts";
import { ProcessPool } from "./host/process-pool.ts";
import { startProcess, type StartProcess } from "./host/start-process.ts";

/** How isolated packages run. */
export interface IsolatePackagesOptions {
  /** Which packages, and what they are given; the value that holds now. */
  readonly config: () => IsolationConfig | undefined;
  /** Where relative paths of grants start. */
  readonly projectDir: string;
  /** Folders of calls that name none, and their rules. */
  readonly workspace?: WorkspaceRoots | undefined;
  readonly log?: ToolLog | undefined;
  /** Milliseconds without work after which a process ends; 60,000 unless named. */
  readonly idleMs?: number;
  /** Milliseconds an aborted call has before its process is ended; 1,000 unless named. Keep it below the grace of the limits. */
  readonly killMs?: number;
  /** Milliseconds a process has to start, to load code, and to check arguments; 10,000 unless named. */
  readonly limitMs?: number;
  /** Starts a process; tests replace it. */
  readonly start?: StartProcess;
}

const IDLE_MS = 60_000;
const KILL_MS = 1000;
const LIMIT_MS = 10_000;

/** Runs the tools of isolated packages in processes of their own; their code never runs in this one. */
export function isolatePackages(options: IsolatePackagesOptions): Isolation {
  return new IsolatedPackages(options);
}

class IsolatedPackages implements Isolation, IsolatedToolHost {
  readonly killMs: number;
  readonly #options: IsolatePackagesOptions;
  readonly #pool: ProcessPool;
  readonly #tools = new WeakMap<ToolEntry, Tool>();
  readonly #codes = new WeakMap<ToolEntry, ToolCode>();

  constructor(options: IsolatePackagesOptions) {
    const {
      start = (request) => startProcess(request),
      log,
      idleMs = IDLE_MS,
      killMs = KILL_MS,
      limitMs = LIMIT_MS,
    } = options;
    this.#options = options;
    this.killMs = killMs;
    this.#pool = new ProcessPool({ start, log, idleMs, limitMs });
  }

  toolOf(entry: ToolEntry): Tool | undefined {
    const packageKey = entry.origin.package;
    if (packageKey === undefined) return undefined;
    const { mode, grant } = this.#resolve(packageKey);
    if (mode === "in_process") return undefined;
    const { spec, resolveCode } = entry;
    if (spec === undefined) throw refuse(packageKey, "its definitions are in its code: it needs a static manifest");
    if (resolveCode === undefined) {
      const hasCode = entry.isLoaded !== undefined || spec.type === "module";
      if (hasCode) throw refuse(packageKey, "nobody says where its code is, or it has run here already: start again");
      // A tool that is data has no code of the package: the host's own executors do the work.
      return undefined;
    }
    assertGranted(packageKey, spec, grant);
    return this.#toTool({ ...entry, spec, options: entry.options, resolveCode }, entry);
  }

  async processFor(entry: ToolEntry, folders = this.#options.workspace): Promise<IsolatedProcess> {
    const code = this.#codes.get(entry) ?? (await this.#resolveCode(entry));
    const { grant } = this.#resolve(code.packageKey);
    const { projectDir } = this.#options;
    const isGranted = grant.workspace === "read" || grant.workspace === "write";
    const roots = isGranted && folders !== undefined ? folders.roots : [];
    const ruled = folders === undefined ? undefined : listRuledPlaces(folders);
    return this.#pool.get({ code, grant, roots, ...(ruled && { ruled }), projectDir });
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** For the choice of a process; whoever opens the tool in one checks again. */
  async #resolveCode(entry: ToolEntry): Promise<ToolCode> {
    const code = await entry.resolveCode?.();
    if (code === undefined) throw refuse(entry.id, "it has no code of its own");
    this.#codes.set(entry, code);
    return code;
  }

  #resolve(packageKey: string): ReturnType<typeof resolveIsolation> {
    return resolveIsolation(this.#options.config(), packageKey);
  }

  #toTool(isolated: ToolEntry & { readonly spec: ToolSpec }, entry: ToolEntry): Tool {
    const known = this.#tools.get(entry);
    if (known !== undefined) return known;
    const tool = new IsolatedTool(isolated, this).toTool();
    this.#tools.set(entry, tool);
    return tool;
  }
}

/** Without what it needs a tool would say wrong things, such as that a folder is empty. */
function assertGranted(packageKey: string, { name, metadata }: ToolSpec, granted: IsolationGrant): void {
  const missing = findMissingGrant(metadata.permissions, granted);
  if (missing === undefined) return;
  const beside = Object.keys(granted).length === 0 ? "" : ", beside what is granted already";
  const without = missing.grant.network === undefined ? "" : ' With "network": "none" it runs without the network.';
  throw new ToolError(
    "isolation_unavailable",
    `${packageKey} runs in a process of its own that is not granted what ${name} needs: ${missing.permissions.join(", ")}.`,
    {
      suggestion: `An operator may set isolation.grants: ${JSON.stringify({ [packageKey]: missing.grant })}${beside}.${without}`,
    },
  );
}

function refuse(packageKey: string, why: string): ToolError {
  return new ToolError("isolation_unavailable", `${packageKey} must run in a process of its own, and ${why}.`);
}
