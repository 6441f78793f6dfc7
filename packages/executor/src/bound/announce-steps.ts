import { BoundedInput, ToolError, type ToolResult } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import { isTold, tellAlways, tellResult } from "../call/tell-call.ts";
import type { ClosingStep, PipelineStep } from "../pipeline/run-stages.ts";
import { toEventArguments } from "./show-arguments.ts";

/** Bounds the arguments before anything else looks at them; a refusal waits until the call is announced (SEC-VAL-1). */
export const boundInputStep: PipelineStep<RunningCall> = {
  stage: "bound_input",
  before: (call) => {
    try {
      call.bounded = new BoundedInput(call.given, call.options.inputFormat);
    } catch (error) {
      call.refusal ??= ToolError.is(error)
        ? error
        : new ToolError("invalid_input", "The arguments cannot be read.", { cause: error });
    }
  },
};

/** Announces the call, refused ones included, so that every terminal event has a beginning. */
export const announceStep: PipelineStep<RunningCall> = { stage: "audit_open", before: announce };

/** Ends a call that cannot run whatever its arguments, once it is announced and recorded. */
export const refuseStep: PipelineStep<RunningCall> = {
  stage: "audit_open",
  before: ({ refusal }) => {
    if (refusal !== undefined) throw refusal;
  },
};

/** Tells the one terminal event of a call; one that ended before it could be announced is announced first. */
export const terminalEventStep: ClosingStep<RunningCall, ToolResult> = {
  stage: "audit_close",
  after: (call, result) => {
    announce(call);
    tellResult(call, result);
    return result;
  },
};

function announce(call: RunningCall): void {
  if (call.announced) return;
  call.announced = true;
  if (!isTold(call, "tool_call_start")) return;
  const { bounded, spec, principal } = call;
  const shown = bounded === undefined ? "[refused unseen]" : toEventArguments(bounded.value, spec?.inputSchema);
  tellAlways(call, "tool_call_start", { arguments: shown, ...(principal !== undefined && { principal }) });
}
