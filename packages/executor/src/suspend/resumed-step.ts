import type { RunningCall } from "../call/running-call.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import { suspensionChangedError } from "./suspensions.ts";

/** Compares a call that goes on with the definition it was suspended under, once that is known. */
export const resumedStep: PipelineStep<RunningCall> = {
  stage: "validate_input",
  before: ({ suspending, definitionHash }) => {
    const before = suspending?.resumption?.definitionHash;
    if (before !== undefined && before !== definitionHash) throw suspensionChangedError("its tool");
  },
};
