import { BoundedInput, ToolError } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import { isTold, tellCall } from "../call/tell-call.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
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
export const announceStep: PipelineStep<RunningCall> = {
  stage: "audit_open",
  before: (call) => {
    if (isTold(call, "tool_call_start")) announce(call);
    if (call.refusal !== undefined) throw call.refusal;
  },
};

function announce(call: RunningCall): void {
  const { bounded, spec } = call;
  const { principal } = call.options;
  const shown = bounded === undefined ? "[refused unseen]" : toEventArguments(bounded.value, spec?.inputSchema);
  tellCall(call, "tool_call_start", { arguments: shown, ...(principal !== undefined && { principal }) });
}
