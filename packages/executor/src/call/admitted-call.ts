import { AiwError, type CallContext, type Tool, type ToolSpec, type ValidatedCall } from "@aiw/core";
import type { RunningCall } from "./running-call.ts";

/** A call whose tool is loaded and whose arguments are valid. */
export interface AdmittedCall {
  readonly tool: Tool;
  readonly spec: ToolSpec;
  readonly validated: ValidatedCall;
  readonly running: CallContext;
  readonly definitionHash: string;
}

/**
 * Gives what validation found out.
 * @throws AiwError `tool_definition_invalid` when a stage runs that should come after it.
 */
export function toAdmitted({ validated, running, definitionHash }: RunningCall): AdmittedCall {
  if (validated === undefined || running === undefined || definitionHash === undefined) {
    throw new AiwError("tool_definition_invalid", "The stage runs only after validate_input.");
  }
  return { tool: validated.tool, spec: validated.tool.spec, validated, running, definitionHash };
}
