import type { ToolRegistry } from "@aiw/core";
import { createTrustStore, discoverTools, type DiscoverToolsOptions } from "@aiw/core/node";
import type { CliIo } from "../io.ts";

/**
 * Finds the tools of a project as the environment of the command line says; no tool code runs.
 * @throws AiwError as `discoverTools` does
 */
export function discoverProject(io: Pick<CliIo, "environment">, options: DiscoverToolsOptions): Promise<ToolRegistry> {
  const { environment } = io;
  return discoverTools(options, { environment, trust: createTrustStore({ environment }) });
}
