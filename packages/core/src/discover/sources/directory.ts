import type { ToolEntry } from "../../contract/tool-source.ts";
import type { AiwConfig } from "../../config/aiw-config.ts";
import type { ReportingSource } from "../../register/compose-report.ts";
import { createFinding } from "../../register/create-finding.ts";
import type { SourceReport } from "../../register/discovery-report.ts";
import type { DiscoveryPorts } from "../discovery-ports.ts";
import type { ModuleLoader } from "../load/module-loader.ts";
import type { LockGuard } from "../lock/lock-guard.ts";
import { PackageTools } from "../load/package-tools.ts";
import { isRefusal } from "../read/read-declaration.ts";
import { holdUntrusted } from "../trust/hold-untrusted.ts";
import { DirectoryReading, toDirectoryKey, type OwnedRecord } from "./directory-reading.ts";
import type { DirectoryPlace } from "./list-directory.ts";
import { readDirectory } from "./read-directory.ts";

/** A directory of tools, and whose word it is. */
export interface ToolDirectory {
  /** As it was named; what is read has been resolved to an absolute path. */
  readonly dir: string;
  /** The operator named it: in code, or as an absolute path in the environment. Otherwise its content has to be trusted. */
  readonly isTrusted: boolean;
}

/** Which directories are read, and how. */
export interface DirectoryOptions {
  readonly directories: readonly ToolDirectory[];
  readonly requireStatic: boolean;
  /** Also looks for the files that would be loaded. */
  readonly inventory: boolean;
  readonly config: AiwConfig;
  readonly ports: DiscoveryPorts;
  readonly modules: ModuleLoader;
  /** Holds back what is not as it is pinned. */
  readonly lock?: LockGuard | undefined;
}

/** The tools of directories: declared by child folders, or in loose modules. */
export class DirectorySource implements ReportingSource {
  /** One directory is known by its path, so that reading it anew can take the place of having read it. */
  readonly name: string;
  readonly #options: DirectoryOptions;
  readonly #tools: PackageTools;
  #report: SourceReport = NOTHING;

  constructor(options: DirectoryOptions) {
    this.#options = options;
    const [only, another] = options.directories;
    this.name = only !== undefined && another === undefined ? `directory ${only.dir}` : "directories";
    const { ports, modules, config } = options;
    this.#tools = new PackageTools({ fs: ports.fs, modules, timeoutMs: config.limits?.loadTimeoutMs });
  }

  /** Looks again each time. */
  async list(): Promise<readonly ToolEntry[]> {
    const reading = new DirectoryReading();
    for (const directory of byTrust(this.#options.directories)) await this.#read(directory, reading);
    const order = new Map(this.#options.directories.map(({ dir }, index) => [dir, index]));
    const rank = ({ home }: OwnedRecord): number => order.get(home) ?? 0;
    const records = reading.records.toSorted((a, b) => rank(a) - rank(b)).map(({ record }) => record);
    const locked = this.#options.lock?.hold(records);
    this.#tools.replace(locked?.records ?? records);
    const { report } = reading;
    this.#report = { ...report, notEnabled: [...report.notEnabled, ...(locked?.notEnabled ?? [])] };
    if (this.#options.inventory) await this.#tools.checkEntries();
    return this.#tools.entries();
  }

  /** Runs the modules that alone know their tools; of directories nobody vouches for, only what a person trusted. */
  expand(): Promise<readonly ToolEntry[]> {
    return this.#tools.expand();
  }

  /** Runs the code of the tools that are wanted, each in another process first. */
  loadCode(isWanted: (id: string) => boolean): Promise<void> {
    return this.#tools.loadCode(isWanted);
  }

  /** What was found and what failed to load since. */
  get report(): ReportingSource["report"] {
    const { rejected } = this.#report;
    return { ...this.#report, found: this.#tools.found(), rejected: [...rejected, ...this.#tools.failures()] };
  }

  async #read(directory: ToolDirectory, reading: DirectoryReading): Promise<void> {
    const { ports } = this.#options;
    const { dir } = directory;
    const place = toPlace(dir, ports);
    if (place === undefined) return reading.miss(dir);
    if (reading.hasSeen(place.realDir)) return;
    const read = await readDirectory(place, this.#options);
    if (isRefusal(read)) return reading.reject(createFinding({ ...read, package: toDirectoryKey(dir), dir }));
    const { records, rejected, notEnabled } = read;
    if (records.length + rejected.length + notEnabled.length === 0) return reading.noteEmpty(dir);
    const held = directory.isTrusted
      ? { records, notEnabled: [], waiting: [] }
      : holdUntrusted(records, { subject: "directory", ...place, ports });
    reading.take(dir, { ...held, rejected, notEnabled: [...notEnabled, ...held.notEnabled] });
  }
}

const NOTHING: SourceReport = { found: [], rejected: [], missing: [], notEnabled: [], waiting: [] };

/** A directory that is named twice counts as the operator's if it is so once. */
function byTrust(directories: readonly ToolDirectory[]): readonly ToolDirectory[] {
  return directories.toSorted((a, b) => Number(b.isTrusted) - Number(a.isTrusted));
}

function toPlace(dir: string, { fs }: DiscoveryPorts): DirectoryPlace | undefined {
  try {
    return { dir, realDir: fs.realpathSync(dir) };
  } catch {
    return undefined;
  }
}
