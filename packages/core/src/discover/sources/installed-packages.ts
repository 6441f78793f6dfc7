import type { ToolEntry } from "../../contract/tool-source.ts";
import type { AiwConfig } from "../../config/aiw-config.ts";
import type { JsonSchema } from "../../contract/json.ts";
import type { ReportingSource } from "../../register/compose-report.ts";
import type { DiscoveryPorts } from "../discovery-ports.ts";
import {
  findInstalledPackages,
  type FindInstalledPackagesOptions,
  type InstalledPackages,
} from "../find-installed-packages.ts";
import type { Project } from "../find-project.ts";
import type { LockGuard, LockedRecords } from "../lock/lock-guard.ts";
import type { ModuleLoader } from "../load/module-loader.ts";
import { PackageTools } from "../load/package-tools.ts";
import type { PackageRecord } from "../read/read-package.ts";
import type { HeldRecords } from "../trust/hold-untrusted.ts";

/** Where and how to look for installed tool packages. */
export interface InstalledPackagesOptions {
  readonly projectDir: string;
  /** The project above that folder, when it was read already. */
  readonly project?: Project | undefined;
  readonly production: boolean;
  readonly inventory: boolean;
  /** Refuses declarations whose definitions only running code can tell. */
  readonly requireStatic?: boolean;
  readonly config: AiwConfig;
  /** Packages whose options the project's file gives, and nobody has trusted it yet. */
  readonly waitingOptions?: ReadonlySet<string> | undefined;
  readonly ports: DiscoveryPorts;
  readonly modules: ModuleLoader;
  /** Holds back what is not as it is pinned. */
  readonly lock?: LockGuard | undefined;
  /** Finds them in another way, such as from a cache. */
  readonly find?: FindPackages | undefined;
}

/** A way to find installed packages. */
export type FindPackages = (options: FindInstalledPackagesOptions) => Promise<InstalledPackages>;

/** The tools of the packages a project depends on, and its own. */
export class InstalledPackagesSource implements ReportingSource {
  readonly name = "installed-packages";
  readonly #options: InstalledPackagesOptions;
  readonly #tools: PackageTools;
  #found: InstalledPackages | undefined;
  #held: HeldRecords | undefined;
  #locked: LockedRecords | undefined;

  constructor(options: InstalledPackagesOptions) {
    this.#options = options;
    const { ports, modules, config } = options;
    this.#tools = new PackageTools({ fs: ports.fs, modules, timeoutMs: config.limits?.loadTimeoutMs });
  }

  /** Looks again each time. @throws AiwError `project_manifest_invalid`, `pnp_not_active` */
  async list(): Promise<readonly ToolEntry[]> {
    const { find = findInstalledPackages } = this.#options;
    this.#found = await find(this.#options);
    this.#held = await holdOwn(this.#found.records, this.#options.ports);
    this.#locked = this.#options.lock?.hold(this.#held.records);
    const { records } = this.#locked ?? this.#held;
    this.#tools.replace(records);
    if (this.#options.inventory) await this.#checkContent(records);
    return this.#tools.entries();
  }

  /** What no listing pays for: files that are missing, and definitions that were edited. */
  async #checkContent(records: readonly PackageRecord[]): Promise<void> {
    await this.#tools.checkEntries();
    const { noteEditedDefinitions } = await import("../checks/note-edited-definitions.ts");
    await noteEditedDefinitions(records);
  }

  /** Runs the modules that alone know their tools; of the project's own only what a person trusted. */
  expand(): Promise<readonly ToolEntry[]> {
    return this.#tools.expand();
  }

  /** Runs the code of the tools that are wanted, each in another process first. */
  loadCode(isWanted: (id: string) => boolean): Promise<void> {
    return this.#tools.loadCode(isWanted);
  }

  /** What manifests say of options, by package; empty before the first `list`. */
  get optionSchemas(): ReadonlyMap<string, JsonSchema> {
    const records = this.#found?.records ?? [];
    return new Map(
      records.flatMap(({ id, optionsSchema }) => (optionsSchema === undefined ? [] : [[id, optionsSchema]])),
    );
  }

  /** What was found and what failed to load since; empty before the first `list`. */
  get report(): ReportingSource["report"] {
    const { rejected = [], missing = [], notEnabled = [], project, ms } = this.#found ?? {};
    return {
      ...(project && { project }),
      ...(ms && { ms }),
      found: this.#tools.found(),
      rejected: [...rejected, ...this.#tools.failures()],
      missing,
      notEnabled: [...notEnabled, ...(this.#held?.notEnabled ?? []), ...(this.#locked?.notEnabled ?? [])],
      waiting: this.#held?.waiting ?? [],
    };
  }
}

/** What the project installed it chose; what lies in a checkout somebody else may have chosen. */
async function holdOwn(records: readonly PackageRecord[], ports: DiscoveryPorts): Promise<HeldRecords> {
  const own = records.find(({ source }) => source === "project");
  if (own === undefined) return { records, notEnabled: [], waiting: [] };
  const { dir, realDir } = own;
  const { holdUntrusted } = await import("../trust/hold-untrusted.ts");
  const held = holdUntrusted([own], { subject: "project_tools", dir, realDir, ports });
  return { ...held, records: records.flatMap((record) => (record === own ? held.records : [record])) };
}
