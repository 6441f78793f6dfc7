import { nearestNames, ToolError, type Principal, type ToolEntry } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";

/** False for a tool that the caller may not even see. */
export type Offers = (tool: ToolEntry, principal: Principal | undefined) => boolean;

/**
 * Refuses a tool that is registered and not among those offered, calls within calls included; the words are the same
 * whether the conversation leaves it out or the caller may not see it.
 * @throws ToolError `tool_not_offered`
 */
export function assertOffered({ options, registry, entry, toolId, toolName }: RunningCall, offers: Offers): void {
  const { catalog = registry, principal } = options;
  if (entry === undefined) return;
  if ((options.catalog === undefined || catalog.has(toolId)) && offers(entry, principal)) return;
  const offered = catalog.entries().filter((tool) => offers(tool, principal));
  const nearest = nearestNames(
    toolName,
    offered.map(({ name }) => name),
  );
  throw new ToolError("tool_not_offered", `${toolName} is not among the tools of this conversation.`, {
    suggestion: nearest.length > 0 ? `Did you mean ${nearest.join(" or ")}?` : "Call one of the tools you were given.",
  });
}
