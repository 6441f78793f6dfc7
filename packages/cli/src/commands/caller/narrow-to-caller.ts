import type { Principal, ToolCatalog, ToolRegistry } from "@aiw/core";
import { assertKnownRoles } from "./read-caller.ts";

/** A catalog and what of it is kept from a caller. */
export interface NarrowedCatalog {
  readonly tools: ToolCatalog;
  /** Full ids of tools that answer to a name and are not offered. */
  readonly hidden: () => readonly string[];
}

/**
 * Narrows a catalog to what `extensions.auth` of the configuration offers a caller; nothing else hides tools. The rules are
 * read by the command's own copy of the extension.
 * @throws UsageError for a role that nothing defines
 * @throws AiwError `config_invalid`
 */
export async function narrowToCaller(
  registry: ToolRegistry,
  ground: ToolCatalog,
  principal: Principal,
): Promise<NarrowedCatalog> {
  assertKnownRoles(principal, registry.config);
  const settings = registry.config.extensions?.auth;
  if (settings === undefined) return { tools: ground, hidden: () => [] };
  const { auth } = await import("@aiw/extensions/auth");
  const access = auth({ ...settings, name: "extensions.auth" });
  const tools = ground.narrow({
    isOffered: (tool, facts) => access.isOffered?.(tool, principal, facts) !== false,
  });
  return {
    tools,
    hidden: () => ground.entries().flatMap(({ id }) => (tools.getEntry(id) === undefined ? [id] : [])),
  };
}
