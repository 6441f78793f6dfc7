import { startCall, ToolError, type ExecuteCallOptions, type ToolContext, type ValidatedCall } from "@aiw/core";
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
  const start = (call: RunningCall): unknown => {
    const { validated, running, spec } = toAdmitted(call);
    return startCall(validated, running.context, new Attempt(call, resolveExecutor(executors, spec.type), graceMs));
  };
  const attempt = within === undefined ? start : (call: RunningCall): unknown => within(call, () => start(call));
  return {
    stage: "execute",
    before: (call) => {
      // What was aborted before it began is no attempt.
      if (!call.aborted) call.attempts += 1;
      return work(call, attempt);
    },
  };
}

/** What the kernel asks of one attempt. */
class Attempt implements ExecuteCallOptions {
  readonly graceMs: number;
  readonly #call: RunningCall;
  readonly #executor: Executor;

  constructor(call: RunningCall, executor: Executor, graceMs: number) {
    this.#call = call;
    this.#executor = executor;
    this.graceMs = graceMs;
  }

  run(admitted: ValidatedCall, context: ToolContext): unknown {
    const output = this.#executor.execute(admitted, context);
    this.#call.clock.catchUp();
    return output;
  }

  onUnsettled(ended: Promise<void>): void {
    this.#call.unsettled = ended;
  }
}

/** Keeps what the work gives, and tells the call for how long it is at work. */
function work(call: RunningCall, attempt: (call: RunningCall) => unknown): void | Promise<void> {
  call.working = true;
  let output: unknown;
  try {
    output = attempt(call);
    if (output instanceof Promise) return keep(call, output);
    call.value = output;
  } finally {
    if (!(output instanceof Promise)) call.working = false;
  }
}

async function keep(call: RunningCall, output: Promise<unknown>): Promise<void> {
  try {
    call.value = await output;
  } finally {
    call.working = false;
  }
}

function resolveExecutor(executors: Executors, type: string): Executor {
  const executor = executors.get(type);
  if (executor !== undefined) return executor;
  throw new ToolError("executor_missing", `No executor runs tools of type ${JSON.stringify(type)}.`, {
    suggestion: `Register one: executor.registerExecutor(${JSON.stringify(type)}, …). Known types: ${[...executors.keys()].toSorted().join(", ")}.`,
  });
}
