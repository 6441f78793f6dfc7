import type { ToolRegistry } from "../register/tool-registry.ts";
import { discoverTools } from "./discover-tools.ts";

let shared: Promise<ToolRegistry> | undefined;

/**
 * Gives the registry of this process; the first use finds and loads the working directory's tools.
 * @throws AiwError as `discoverTools` does; the next use tries again.
 */
export function getToolRegistry(): Promise<ToolRegistry> {
  shared ??= create().catch((error: unknown) => {
    shared = undefined;
    throw error;
  });
  return shared;
}

async function create(): Promise<ToolRegistry> {
  const registry = await discoverTools();
  await registry.load();
  return registry;
}
