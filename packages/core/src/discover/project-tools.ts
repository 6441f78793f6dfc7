import type { ToolSource } from "../contract/tool-source.ts";
import type {
  LoadingListener,
  ProjectWatch,
  ProjectWatcher,
  RegistrySetup,
  ToolProject,
} from "../register/tool-project.ts";
import type { DiscoverToolsOptions, DiscoveryWorld } from "./discover-options.ts";
import { ProjectReader } from "./project-reader.ts";
import { ProjectFilesWatch } from "./watch/project-files-watch.ts";
import { listWatchTargets, type WatchTargets } from "./watch/watch-targets.ts";

/** The tools of a project, as a registry that reloads and watches asks for them. */
export class ProjectTools implements ToolProject {
  readonly #reader: ProjectReader;
  readonly #world: Pick<DiscoveryWorld, "fs" | "modules" | "watches">;

  constructor(options: DiscoverToolsOptions, { watches, ...world }: DiscoveryWorld) {
    this.#reader = new ProjectReader(options, world);
    this.#world = { fs: world.fs, modules: world.modules, watches };
  }

  /** @throws AiwError `project_manifest_invalid`, `config_invalid` */
  read(): Promise<RegistrySetup> {
    return this.#reader.read();
  }

  watch(watcher: ProjectWatcher): ProjectWatch {
    const { fs, watches } = this.#world;
    const targets = (): WatchTargets => listWatchTargets(watcher.report(), { folders: this.#reader.directories, fs });
    return new ProjectFilesWatch({ targets, watcher, port: watches });
  }

  onLoading(listener: LoadingListener): () => void {
    return this.#world.modules.onLoading(listener);
  }

  openDirectory(directory: string): Promise<ToolSource> {
    return this.#reader.openDirectory(directory);
  }
}
