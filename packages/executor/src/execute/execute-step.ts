import { executeCall, ToolError } from "@aiw/core";
import { toAdmitted } from "../call/admitted-call.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import type { Executor } from "./executor.ts";

/** Executors by the type of tool they run. */
export type Executors = ReadonlyMap<string, Executor>;

/** Refuses a call nobody here can run, before a person is asked about it. */
export function assertExecutor(executors: Executors, type: string): void {
  if (executors.has(type)) return;
  throw new ToolError("executor_missing", `No executor runs tools of type ${JSON.stringify(type)}.`, {
    suggestion: `Register one: executor.registerExecutor(${JSON.stringify(type)}, …). Known types: ${[...executors.keys()].toSorted().join(", ")}.`,
  });
}

/** Runs the call by the executor of its tool's type; the kernel streams, aborts and checks the output. */
export function executeStep(executors: Executors, graceMs: number): PipelineStep<RunningCall> {
  return {
    stage: "execute",
    before: async (call) => {
      const { validated, running, spec } = toAdmitted(call);
      assertExecutor(executors, spec.type);
      const executor = executors.get(spec.type);
      call.attempts += 1;
      call.value = await executeCall(validated, running.context, {
        graceMs,
        ...(executor !== undefined && { run: executor.execute.bind(executor) }),
      });
    },
  };
}
