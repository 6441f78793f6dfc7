import * as path from "node:path";
import type { AiwConfig } from "../config/aiw-config.ts";
import { validateConfig } from "../config/validate-config.ts";
import type { ToolSource } from "../contract/tool-source.ts";
import type { ProjectWatch, ProjectWatcher, RegistrySetup, ToolProject } from "../register/tool-project.ts";
import { bindTrust } from "./configuration/bind-trust.ts";
import { ConfigurationSource } from "./configuration/configuration-source.ts";
import { readProjectConfig, type ProjectConfig } from "./configuration/read-project-config.ts";
import type { DiscoverToolsOptions, DiscoveryWorld } from "./discover-options.ts";
import { findProject, type Project } from "./find-project.ts";
import { DirectorySource, type DirectoryOptions, type ToolDirectory } from "./sources/directory.ts";
import { InstalledPackagesSource, type FindPackages } from "./sources/installed-packages.ts";
import { isStaticRequired, nameDirectories } from "./sources/name-directories.ts";
import { ProjectFilesWatch } from "./watch/project-files-watch.ts";
import { listWatchTargets, type WatchTargets } from "./watch/watch-targets.ts";

/** A project as it is now. */
interface ReadProject extends Pick<ProjectConfig, "waiting" | "undecided" | "findings"> {
  readonly project: Project | undefined;
  /** The project's, or the folder that was named when there is none. */
  readonly dir: string;
  /** What holds in it. */
  readonly config: AiwConfig;
}

/** The tools of a project: its configuration and sources, read anew each time. */
export class ProjectTools implements ToolProject {
  readonly #options: DiscoverToolsOptions;
  readonly #world: DiscoveryWorld;
  /** Read once: where the process goes later must not move the project. */
  readonly #start: string;
  /** Folders that code named later. */
  readonly #opened: DirectorySource[] = [];
  #directories: DirectorySource | undefined;
  #dir: string;

  constructor(options: DiscoverToolsOptions, world: DiscoveryWorld) {
    this.#options = options;
    this.#world = { ...world, trust: bindTrust(world.trust, () => this.#dir) };
    this.#start = path.resolve(options.projectDir ?? process.cwd());
    this.#dir = this.#start;
  }

  /** @throws AiwError `project_manifest_invalid`, `config_invalid` */
  async read(): Promise<RegistrySetup> {
    const read = await this.#readProject();
    const directories = this.#openDirectories(read);
    this.#directories = directories;
    this.#dir = read.dir;
    const { enabled, disabled, prefer } = read.config.tools ?? {};
    return {
      config: read.config,
      sources: [
        this.#openPackages(read),
        ...(directories.directories.length === 0 ? [] : [directories]),
        ...(read.findings.length === 0 ? [] : [new ConfigurationSource(read)]),
      ],
      onDuplicate: this.#areDuplicatesRefused(read.config) ? "error" : "warn",
      ...(enabled && { enabled }),
      ...(disabled && { disabled }),
      ...(prefer && { prefer }),
      ...(read.undecided && { undecided: read.undecided }),
    };
  }

  watch(watcher: ProjectWatcher): ProjectWatch {
    const { fs, watches } = this.#world;
    const targets = (): WatchTargets => listWatchTargets(watcher.report(), { folders: this.#listDirectories(), fs });
    return new ProjectFilesWatch({ targets, watcher, port: watches });
  }

  async openDirectory(directory: string): Promise<ToolSource> {
    const { config } = await this.#readProject();
    const source = this.#openDirectory([{ dir: path.resolve(this.#dir, directory), isTrusted: true }], config);
    this.#opened.push(source);
    return source;
  }

  async #readProject(): Promise<ReadProject> {
    const project = await findProject({ projectDir: this.#start, production: this.#isProduction }, this.#world);
    const own = { config: validateConfig(this.#options.config), name: project?.name };
    const { own: _own, file: _file, ...read } = await readProjectConfig(project?.dir, own, this.#world);
    return { ...read, project, dir: project?.dir ?? this.#start };
  }

  #openPackages({ project, config }: ReadProject): ToolSource {
    const { modules, watches: _watches, cacheDisk, ...ports } = this.#world;
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
      ports,
      modules,
      ...(this.#isCached(config) && { find }),
    });
  }

  #openDirectories({ dir, config }: ReadProject): DirectorySource {
    const { environment } = this.#world;
    const { directories: folders, config: hostConfig } = this.#options;
    const named = nameDirectories({ directories: folders, environment, config, hostConfig });
    const directories = named.map((one) => ({ ...one, dir: path.resolve(dir, one.dir) }));
    return this.#openDirectory(directories, config);
  }

  #openDirectory(directories: readonly ToolDirectory[], config: AiwConfig): DirectorySource {
    const { modules, watches: _watches, cacheDisk: _disk, ...ports } = this.#world;
    const options: DirectoryOptions = {
      directories,
      projectDir: () => this.#dir,
      requireStatic: this.#isStaticRequired(config),
      config,
      ports,
      modules,
    };
    return new DirectorySource(options);
  }

  #listDirectories(): string[] {
    const sources = this.#directories === undefined ? this.#opened : [this.#directories, ...this.#opened];
    return [...new Set(sources.flatMap(({ directories }) => directories))];
  }

  /** An inventory reads what no cache holds. */
  #isCached({ discovery }: AiwConfig): boolean {
    return (this.#options.cache ?? discovery?.cache ?? false) && this.#options.inventory !== true;
  }

  #isStaticRequired(config: AiwConfig): boolean {
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
