import type { ToolRegistry } from "@aiw/core";
import { createTrustStore, discoverTools, type DiscoverToolsOptions } from "@aiw/core/node";
import type { CliIo } from "../io.ts";
import { sayWaiting } from "../output/say-waiting.ts";

/** What finding tools needs of the command line; with somewhere to say it, also what is being waited for. */
export type DiscoveryIo = Pick<CliIo, "environment"> & Partial<Pick<CliIo, "stderr">>;

/**
 * Finds the tools of a project as the environment of the command line says; no tool code runs.
 * @throws AiwError as `discoverTools` does
 */
export async function discoverProject(io: DiscoveryIo, options: DiscoverToolsOptions): Promise<ToolRegistry> {
  const { environment } = io;
  const registry = await discoverTools(options, { environment, trust: createTrustStore({ environment }) });
  if (hasStderr(io)) sayWaiting(registry, io);
  return registry;
}

/** Looking at the stream itself would open it. */
function hasStderr(io: DiscoveryIo): io is Pick<CliIo, "environment" | "stderr"> {
  return "stderr" in io;
}
