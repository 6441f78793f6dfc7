import type { Principal, ToolEntry, ToolRegistry } from "@aiw/core";
import { assertKnownRoles } from "../caller/read-caller.ts";
import type { ExplainedOffer } from "./explanation.ts";

/** The tool, the caller, and whose configuration it is. */
export interface OfferQuestion {
  readonly entry: ToolEntry;
  readonly viewer: Principal;
  readonly registry: ToolRegistry;
}

/**
 * Says whether a tool is offered to a caller, and by which rules of `extensions.auth`.
 * @throws UsageError for a role that nothing defines
 * @throws AiwError `config_invalid`
 */
export async function explainOffer({ entry, viewer, registry }: OfferQuestion): Promise<ExplainedOffer> {
  assertKnownRoles(viewer, registry.config);
  const settings = registry.config.extensions?.auth;
  if (settings === undefined) return { offered: true, byDefault: null, rules: [] };
  const { explainAccess } = await import("@aiw/extensions/auth");
  const ownsName = registry.getEntry(entry.name)?.id === entry.id;
  return explainAccess(settings, { entry, ownsName, principal: viewer });
}
