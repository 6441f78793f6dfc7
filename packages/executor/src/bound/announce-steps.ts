import { boundInput, parseArguments, ToolError } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import { tellCall } from "../call/tell-call.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { toEventArguments } from "./show-arguments.ts";

/** Bounds the arguments before anything else looks at them; a refusal waits until the call is announced (SEC-VAL-1). */
export const boundInputStep: PipelineStep<RunningCall> = {
  stage: "bound_input",
  before: (call) => {
    try {
      const { given } = call.request;
      const isText = call.options.inputFormat === "json_text" && typeof given === "string";
      call.bounded = isText ? parseArguments(given) : boundInput(given);
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
    const { principal } = call.options;
    const shown = (): unknown =>
      call.bounded === undefined ? "[refused unseen]" : toEventArguments(call.bounded, call.spec?.inputSchema);
    if (call.request.streams.length > 0) {
      tellCall(call, "tool_call_start", { arguments: shown(), ...(principal !== undefined && { principal }) });
    }
    if (call.refusal !== undefined) throw call.refusal;
  },
};
