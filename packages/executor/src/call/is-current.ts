import { resolveDefinitionHash, type ToolRegistry } from "@aiw/core";
import type { RunningCall } from "./running-call.ts";

/** True while the registry still has the definition that the call is of. */
export async function isCurrent(registry: ToolRegistry, call: RunningCall): Promise<boolean> {
  const entry = registry.getEntry(call.toolId);
  if (entry === call.entry) return true;
  return (
    entry?.id === call.toolId &&
    entry.spec !== undefined &&
    (await resolveDefinitionHash(entry.spec)) === call.definitionHash
  );
}
