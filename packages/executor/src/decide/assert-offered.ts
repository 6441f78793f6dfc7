import { nearestNames, ToolError } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";

/**
 * Refuses a tool that is registered and not among those the conversation offers, calls within calls included.
 * @throws ToolError `tool_not_offered`
 */
export function assertOffered({ options: { catalog }, entry, toolId, toolName }: RunningCall): void {
  if (catalog === undefined || entry === undefined || catalog.has(toolId)) return;
  const nearest = nearestNames(
    toolName,
    catalog.entries().map(({ name }) => name),
  );
  throw new ToolError("tool_not_offered", `${toolName} is not among the tools of this conversation.`, {
    suggestion: nearest.length > 0 ? `Did you mean ${nearest.join(" or ")}?` : "Call one of the tools you were given.",
  });
}
