import type { ToolRegistry } from "@aiw/core";
import type { Offers } from "./decide/assert-offered.ts";
import type { ExtensionManager } from "./extend/extension-manager.ts";

/** Who may see what is asked of the extensions as they are then, and as the registry gives names then. */
export function toOffers(registry: ToolRegistry, extensions: ExtensionManager): Offers {
  return (tool, principal) =>
    !extensions.narrowsOffers ||
    extensions.isOffered(tool, principal, { ownsName: registry.getEntry(tool.name)?.id === tool.id });
}
