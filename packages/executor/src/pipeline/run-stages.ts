import { stageIndex, type PipelineStage } from "./stages.ts";

/** What stages need to know of the call they work on. */
export interface StagedCall {
  /** The place in the pipeline the call has reached, from 0. */
  stage: number;
  /** True once the call has its result: nothing further may start. */
  readonly ended: boolean;
}

/** Work at one stage: `before` the later stages, or `around` them. Throwing ends the call. */
export type PipelineStep<Call> =
  | { readonly stage: PipelineStage; readonly before: (call: Call) => void | Promise<void> }
  | { readonly stage: PipelineStage; readonly around: (call: Call, next: () => Promise<void>) => Promise<void> };

/** Puts steps into the order of the pipeline, once; steps of one stage keep theirs. */
export function compileStages<Call extends StagedCall>(
  steps: readonly PipelineStep<Call>[],
): (call: Call) => Promise<void> {
  const ordered = steps.toSorted((a, b) => stageIndex(a.stage) - stageIndex(b.stage));
  return (call) => runFrom(ordered, 0, call);
}

async function runFrom<Call extends StagedCall>(
  steps: readonly PipelineStep<Call>[],
  from: number,
  call: Call,
): Promise<void> {
  for (let index = from; index < steps.length && !call.ended; index += 1) {
    const step = steps[index];
    if (step === undefined) return;
    call.stage = stageIndex(step.stage);
    if ("around" in step) return step.around(call, () => runFrom(steps, index + 1, call));
    const pending = step.before(call);
    // Most steps are synchronous; an await for each would cost more than they do.
    if (pending !== undefined) await pending;
  }
}

/** Work on the result of a call that has ended, however it ended; it may replace the result. */
export interface ClosingStep<Call, Result> {
  readonly stage: PipelineStage;
  readonly after: (call: Call, result: Result) => Result | Promise<Result>;
}

/**
 * Puts closing steps into the order of the pipeline, once. They run for every call, also one that ended while a stage
 * was still at work; one that throws is reported and leaves the result as it was.
 */
export function compileClosing<Call, Result>(
  steps: readonly ClosingStep<Call, Result>[],
  onFault: (error: unknown, call: Call) => void,
): (call: Call, result: Result) => Promise<Result> {
  const ordered = steps.toSorted((a, b) => stageIndex(a.stage) - stageIndex(b.stage));
  return async (call, first) => {
    let result = first;
    for (const { after } of ordered) {
      try {
        const next = after(call, result);
        result = next instanceof Promise ? await next : next;
      } catch (error) {
        onFault(error, call);
      }
    }
    return result;
  };
}
