import { ToolRegistry } from "../register/tool-registry.ts";
import type { DiscoverToolsOptions, DiscoveryWorld } from "./discover-options.ts";
import { nodePorts } from "./discovery-ports.ts";
import { sharedModuleLoader } from "./load/module-loader.ts";
import { ProjectTools } from "./project-tools.ts";
import { nodeWatchPort } from "./watch/watch-port.ts";

export type { DiscoverToolsOptions, DiscoveryWorld } from "./discover-options.ts";

/**
 * Finds the tools of the packages a project depends on; no tool code runs, and what cannot be used is in `registry.report`.
 * @throws AiwError `project_manifest_invalid`, `pnp_not_active`, `config_invalid`, `tool_ambiguous`, `lock_missing`, `lock_invalid`, `lock_drift`
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
