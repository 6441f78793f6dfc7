import * as path from "node:path";
import type { AiwConfig } from "../config/aiw-config.ts";
import type { ToolSource } from "../contract/tool-source.ts";
import type { RegistrySetup } from "../register/tool-project.ts";
import { bindTrust } from "./configuration/bind-trust.ts";
import { readProjectConfig, type ProjectConfig } from "./configuration/read-project-config.ts";
import { assertKnownOptions } from "../schema/assert-known-options.ts";
import type { DiscoverToolsOptions, DiscoveryWorld } from "./discover-options.ts";
import { findProject, type Project } from "./find-project.ts";
import type { EnforcedLock } from "./lock/enforce-lock.ts";
import { findLock, isFrozen } from "./lock/open-lock.ts";
import { LOCK_FILE } from "./lock/lock-file.ts";
import type { LockGuard } from "./lock/lock-guard.ts";
import type { DirectorySource, ToolDirectory } from "./sources/directory.ts";
import { InstalledPackagesSource, type FindPackages } from "./sources/installed-packages.ts";
import { isStaticRequired, nameDirectories } from "./sources/name-directories.ts";

/** A project as it is now. */
interface ReadProject extends Pick<
  ProjectConfig,
  "waiting" | "widening" | "undecided" | "waitingOptions" | "findings"
> {
  readonly project: Project | undefined;
  /** The project's, or the folder that was named when there is none. */
  readonly dir: string;
  /** What holds in it. */
  readonly config: AiwConfig;
}

const OPTIONS: ReadonlySet<string> = new Set<keyof DiscoverToolsOptions>([
  "projectDir",
  "config",
  "production",
  "requireStatic",
  "frozen",
  "inventory",
  "cache",
  "directories",
  "onDuplicate",
]);

/** What reading a project needs of the world. */
export type ReadingWorld = Omit<DiscoveryWorld, "watches">;

/** The configuration and sources of a project, read anew each time. */
export class ProjectReader {
  readonly #options: DiscoverToolsOptions;
  readonly #world: ReadingWorld;
  /** Read once: where the process goes later must not move the project. */
  readonly #start: string;
  /** Folders of tools as absolute paths: those that were named at the last reading, and those that code named since. */
  #named: readonly string[] = [];
  readonly #opened = new Set<string>();
  readonly #guard: LockGuard | undefined;
  #dir: string;
  /** In force since the last reading. */
  #lock: EnforcedLock | undefined;

  /**
   * A guard that is given stands in place of the project's lock, which is not read then.
   * @throws AiwError `config_invalid` for an option nobody knows
   */
  constructor(options: DiscoverToolsOptions, world: ReadingWorld, guard?: LockGuard) {
    assertKnownOptions("Discovery", options, OPTIONS);
    this.#options = options;
    this.#world = { ...world, trust: bindTrust(world.trust, () => this.#dir) };
    this.#start = path.resolve(options.projectDir ?? process.cwd());
    this.#dir = this.#start;
    this.#guard = guard;
  }

  /** @throws AiwError `project_manifest_invalid`, `config_invalid`, `lock_missing`, `lock_invalid` */
  async read(): Promise<RegistrySetup> {
    const read = await this.#readProject();
    const directories = this.#nameDirectories(read);
    this.#named = directories.map(({ dir }) => dir);
    this.#dir = read.dir;
    const enforced = this.#guard === undefined ? await this.#enforceLock(read) : undefined;
    const lock = this.#guard ?? enforced;
    this.#lock = enforced;
    const packages = this.#openPackages(read, lock);
    const sources = [
      packages,
      ...(directories.length === 0 ? [] : [await this.#openDirectories(directories, read.config, lock)]),
      ...(read.findings.length === 0 ? [] : [await openConfiguration(read, packages)]),
    ];
    const { enabled, disabled, prefer } = read.config.tools ?? {};
    return {
      config: read.config,
      sources: [...sources, ...(enforced === undefined ? [] : [enforced.toSource(sources)])],
      onDuplicate: this.#areDuplicatesRefused(read.config) ? "error" : "warn",
      ...(enabled && { enabled }),
      ...(disabled && { disabled }),
      ...(prefer && { prefer }),
      ...(read.undecided && { undecided: read.undecided }),
    };
  }

  /** The folders of tools that were named, as absolute paths. */
  get directories(): readonly string[] {
    return [...new Set([...this.#named, ...this.#opened])];
  }

  /** The tools of a folder that code names; a relative path starts at the project. */
  async openDirectory(directory: string): Promise<ToolSource> {
    const { config } = await this.#readProject();
    const dir = path.resolve(this.#dir, directory);
    this.#opened.add(dir);
    // It is listed again after each reading, and held by the lock of that.
    const hold: LockGuard["hold"] = (records) => this.#lock?.holdMore(records) ?? { records, notEnabled: [] };
    return this.#openDirectories([{ dir, isTrusted: true }], config, { hold });
  }

  async #readProject(): Promise<ReadProject> {
    const project = await findProject({ projectDir: this.#start, production: this.#isProduction }, this.#world);
    const { config } = this.#options;
    const code = { ...(config !== undefined && { config: await checkConfig(config) }), name: project?.name };
    const { own: _own, file: _file, ...read } = await readProjectConfig(project?.dir, code, this.#world);
    return { ...read, project, dir: project?.dir ?? this.#start };
  }

  /** Most projects have no lock, and pay one open for it. */
  async #enforceLock({ dir, project, config }: ReadProject): Promise<EnforcedLock | undefined> {
    const { fs, environment } = this.#world;
    const found = project === undefined ? undefined : findLock(dir, fs);
    const frozen = this.#isFrozen(config);
    if (found === undefined && !frozen) return undefined;
    const { enforceLock } = await import("./lock/enforce-lock.ts");
    const lookedAt = { project, config, environment };
    return enforceLock({ found, file: path.join(dir, LOCK_FILE), isFrozen: frozen, fs, lookedAt });
  }

  #openPackages(
    { project, config, waitingOptions }: ReadProject,
    lock: LockGuard | undefined,
  ): InstalledPackagesSource {
    const { modules, cacheDisk, ...ports } = this.#world;
    const find: FindPackages = async (options) =>
      // Only who asks for a cache pays for its code.
      (await import("./cache/find-cached-packages.ts")).findCachedPackages(options, cacheDisk);
    return new InstalledPackagesSource({
      projectDir: this.#start,
      project,
      production: this.#isProduction,
      inventory: this.#options.inventory === true,
      requireStatic: this.#isStaticRequired(config),
      config,
      waitingOptions,
      ports,
      modules,
      lock,
      ...(this.#isCached(config) && { find }),
    });
  }

  #nameDirectories({ dir, config }: ReadProject): ToolDirectory[] {
    const { environment } = this.#world;
    const { directories: folders, config: hostConfig } = this.#options;
    const named = nameDirectories({ directories: folders, environment, config, hostConfig });
    return named.map((one) => ({ ...one, dir: path.resolve(dir, one.dir) }));
  }

  async #openDirectories(
    directories: readonly ToolDirectory[],
    config: AiwConfig,
    lock: LockGuard | undefined,
  ): Promise<DirectorySource> {
    const { DirectorySource } = await import("./sources/directory.ts");
    const { modules, cacheDisk: _disk, ...ports } = this.#world;
    return new DirectorySource({
      directories,
      requireStatic: this.#isStaticRequired(config),
      inventory: this.#options.inventory === true,
      config,
      ports,
      modules,
      lock,
    });
  }

  /** An inventory reads what no cache holds. */
  #isCached({ discovery }: AiwConfig): boolean {
    return (this.#options.cache ?? discovery?.cache ?? false) && this.#options.inventory !== true;
  }

  #isFrozen(config: AiwConfig): boolean {
    return isFrozen(this.#options.frozen, this.#world.environment, config);
  }

  /** A lock pins what manifests say: where it must hold, nothing else counts. */
  #isStaticRequired(config: AiwConfig): boolean {
    if (this.#isFrozen(config)) return true;
    return isStaticRequired(this.#options.requireStatic, this.#world.environment, config);
  }

  /** The strictest of code and configuration wins. */
  #areDuplicatesRefused({ discovery }: AiwConfig): boolean {
    return this.#options.onDuplicate === "error" || discovery?.onDuplicate === "error";
  }

  get #isProduction(): boolean {
    return this.#options.production ?? this.#world.environment["NODE_ENV"] === "production";
  }
}

/** In most projects nothing waits. */
async function openConfiguration(read: ReadProject, packages: InstalledPackagesSource): Promise<ToolSource> {
  const { ConfigurationSource } = await import("./configuration/configuration-source.ts");
  return new ConfigurationSource(read, () => packages.optionSchemas);
}

async function checkConfig(config: AiwConfig): Promise<AiwConfig> {
  const { validateConfig } = await import("../config/validate-config.ts");
  return validateConfig(config);
}
