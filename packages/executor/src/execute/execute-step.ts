import { startCall, ToolError, type ValidatedCall } from "@aiw/core";
import { toAdmitted } from "../call/admitted-call.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { PipelineStep } from "../pipeline/run-stages.ts";
import type { Executor } from "./executor.ts";

/** Executors by the type of tool they run. */
export type Executors = ReadonlyMap<string, Executor>;

/** Refuses a call nobody here can run, before a person is asked about it. */
export function assertExecutor(executors: Executors, type: string): void {
  resolveExecutor(executors, type);
}

/** Refuses a call that its executor could not run, likewise. */
export function assertRunnable(executors: Executors, call: ValidatedCall): void | Promise<void> {
  return resolveExecutor(executors, call.tool.spec.type).assertRunnable?.(call);
}

/** Runs the call by the executor of its tool's type; the kernel streams, aborts and checks the output. */
export function executeStep(
  executors: Executors,
  graceMs: number,
  within?: (call: RunningCall, execute: () => unknown) => unknown,
): PipelineStep<RunningCall> {
  return {
    stage: "execute",
    before: (call) => {
      const { validated, running, spec } = toAdmitted(call);
      const executor = resolveExecutor(executors, spec.type);
      // What was aborted before it began is no attempt.
      if (!call.abort.aborted) call.attempts += 1;
      const start = (): unknown =>
        startCall(validated, running.context, {
          graceMs,
          onUnsettled: (ended) => {
            call.unsettled = ended;
          },
          run: (admitted, context) => {
            const output = executor.execute(admitted, context);
            call.clock.catchUp();
            return output;
          },
        });
      return work(call, within === undefined ? start : () => within(call, start));
    },
  };
}

/** Keeps what the work gives, and tells the call for how long it is at work. */
function work(call: RunningCall, start: () => unknown): void | Promise<void> {
  const stop = (): void => {
    call.working = false;
  };
  call.working = true;
  try {
    const output = start();
    if (output instanceof Promise) return keep(call, output).finally(stop);
    call.value = output;
    stop();
  } catch (error) {
    stop();
    throw error;
  }
}

async function keep(call: RunningCall, output: Promise<unknown>): Promise<void> {
  call.value = await output;
}

function resolveExecutor(executors: Executors, type: string): Executor {
  const executor = executors.get(type);
  if (executor !== undefined) return executor;
  throw new ToolError("executor_missing", `No executor runs tools of type ${JSON.stringify(type)}.`, {
    suggestion: `Register one: executor.registerExecutor(${JSON.stringify(type)}, …). Known types: ${[...executors.keys()].toSorted().join(", ")}.`,
  });
}
