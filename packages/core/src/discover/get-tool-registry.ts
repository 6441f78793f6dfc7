import { AiwError } from "../errors/aiw-error.ts";
import type { ToolRegistry } from "../register/tool-registry.ts";
import type { DiscoverToolsOptions } from "./discover-options.ts";
import { discoverTools } from "./discover-tools.ts";

/** What the first use of the process's registry decides. */
export type GetToolRegistryOptions = Pick<DiscoverToolsOptions, "frozen">;

let shared: { readonly isFrozen: boolean; readonly registry: Promise<ToolRegistry> } | undefined;

/**
 * Gives the registry of this process; the first use finds and loads the working directory's tools.
 * @throws AiwError as `discoverTools` does, and the next use tries again; `config_invalid` when `frozen` comes after a use without it
 */
export function getToolRegistry({ frozen = false }: GetToolRegistryOptions = {}): Promise<ToolRegistry> {
  if (shared === undefined) {
    const registry = create({ frozen }).catch((error: unknown) => {
      shared = undefined;
      throw error;
    });
    shared = { isFrozen: frozen, registry };
  }
  return frozen && !shared.isFrozen ? refuse() : shared.registry;
}

async function create(options: GetToolRegistryOptions): Promise<ToolRegistry> {
  const registry = await discoverTools(options);
  await registry.load();
  return registry;
}

async function refuse(): Promise<never> {
  throw new AiwError(
    "config_invalid",
    "The registry of this process was made without frozen, which cannot hold later.",
    {
      fix: "Pass { frozen: true } at the first use of getToolRegistry, or set AIWHISPERER_FROZEN=1.",
    },
  );
}
