import { resolveDefinitionHash, type ToolSpec } from "@aiw/core";
import type { RunningCall } from "./running-call.ts";

/** A call that ended before validation still says what it was of; a spec that is no JSON has no hash. */
export async function hashDefinition(call: RunningCall, spec: ToolSpec): Promise<void> {
  try {
    call.definitionHash = await resolveDefinitionHash(spec);
  } catch (error) {
    call.log?.error("A definition cannot be hashed.", { tool: call.toolId, error });
  }
}
