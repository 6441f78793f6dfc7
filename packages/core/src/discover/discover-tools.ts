import type { AiwConfig } from "../config/aiw-config.ts";
import { ToolRegistry } from "../register/tool-registry.ts";
import { nodePorts, type DiscoveryPorts } from "./discovery-ports.ts";
import { sharedModuleLoader, type ModuleLoader } from "./load/module-loader.ts";
import { ProjectTools } from "./project-tools.ts";
import { nodeWatchPort, type WatchPort } from "./watch/watch-port.ts";

/** Where to look for tools, and what to do with them. */
export interface DiscoverToolsOptions {
  /** The working directory unless named; the nearest project above it counts. */
  readonly projectDir?: string;
  /** Laid over the project's own configuration. */
  readonly config?: AiwConfig;
  /** Leaves development dependencies out; `NODE_ENV` decides unless named. */
  readonly production?: boolean;
  /** Refuses declarations whose definitions only running code can tell; configuration cannot take it back. */
  readonly requireStatic?: boolean;
  /** Also reports tool packages that are installed and not enabled; reads every installed package. */
  readonly inventory?: boolean;
  /** Folders of tools, relative ones from the project: the host vouches for their code. */
  readonly directories?: readonly string[];
  /** `warn` lets the first of two equal names win and reports it; `error` refuses, whoever says so. */
  readonly onDuplicate?: "warn" | "error";
}

/** The world discovery works in; tests replace any part. */
export interface DiscoveryWorld extends DiscoveryPorts {
  readonly modules: ModuleLoader;
  readonly watches: WatchPort;
}

/**
 * Finds the tools of the packages a project depends on; no tool code runs, and what cannot be used is in `registry.report`.
 * @throws AiwError `project_manifest_invalid`, `pnp_not_active`, `config_invalid`, `tool_ambiguous`
 */
export async function discoverTools(
  options: DiscoverToolsOptions = {},
  world: Partial<DiscoveryWorld> = {},
): Promise<ToolRegistry> {
  const project = new ProjectTools(options, {
    ...nodePorts,
    modules: sharedModuleLoader,
    watches: nodeWatchPort,
    ...world,
  });
  const registry = new ToolRegistry({ project });
  await registry.readSources();
  return registry;
}
