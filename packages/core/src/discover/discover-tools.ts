import type { AiwConfig } from "../config/aiw-config.ts";
import { validateConfig } from "../config/validate-config.ts";
import { ToolRegistry } from "../register/tool-registry.ts";
import { nodePorts, type DiscoveryPorts } from "./discovery-ports.ts";
import { sharedModuleLoader, type ModuleLoader } from "./load/module-loader.ts";
import { InstalledPackagesSource } from "./sources/installed-packages.ts";

/** Where to look for tools, and what to do with them. */
export interface DiscoverToolsOptions {
  /** The working directory unless named; the nearest project above it counts. */
  readonly projectDir?: string;
  readonly config?: AiwConfig;
  /** Leaves development dependencies out; `NODE_ENV` decides unless named. */
  readonly production?: boolean;
  /** Also reports tool packages that are installed and not enabled; reads every installed package. */
  readonly inventory?: boolean;
  /** `warn` lets the first of two equal names win and reports it; `error` refuses. */
  readonly onDuplicate?: "warn" | "error";
}

/** The world discovery works in; tests replace any part. */
export interface DiscoveryWorld extends DiscoveryPorts {
  readonly modules: ModuleLoader;
}

/**
 * Finds the tools of the packages a project depends on; no tool code runs, and what cannot be used is in `registry.report`.
 * @throws AiwError `project_manifest_invalid`, `pnp_not_active`, `config_invalid`, `tool_ambiguous`
 */
export async function discoverTools(
  options: DiscoverToolsOptions = {},
  world: Partial<DiscoveryWorld> = {},
): Promise<ToolRegistry> {
  const config = validateConfig(options.config);
  const { modules = sharedModuleLoader, ...given } = world;
  const ports: DiscoveryPorts = { ...nodePorts, ...given };
  const source = new InstalledPackagesSource({
    projectDir: options.projectDir ?? process.cwd(),
    production: options.production ?? ports.environment["NODE_ENV"] === "production",
    inventory: options.inventory === true,
    config,
    ports,
    modules,
  });
  const registry = new ToolRegistry({
    sources: [source],
    ...(config.tools?.disabled && { disabled: config.tools.disabled }),
    ...(config.tools?.prefer && { prefer: config.tools.prefer }),
    ...(options.onDuplicate && { onDuplicate: options.onDuplicate }),
  });
  await registry.readSources();
  return registry;
}
