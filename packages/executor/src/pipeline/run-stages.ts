import { stageIndex, type PipelineStage } from "./stages.ts";

/** What stages need to know of the call they work on. */
export interface StagedCall {
  /** The place in the pipeline the call has reached, from 0. */
  stage: number;
  /** True once the call has its result: nothing further may start. */
  readonly ended: boolean;
  /** Told each time the call begins to wait for a stage. */
  wait?(): void;
}

/** Work at one stage: `before` the later stages, or `around` them. Throwing ends the call. */
export type PipelineStep<Call> =
  | { readonly stage: PipelineStage; readonly before: (call: Call) => void | Promise<void> }
  | { readonly stage: PipelineStage; readonly around: (call: Call, next: Next) => void | Promise<void> };

/** Runs the later stages; at once, where nothing in them has to be waited for. */
export type Next = () => void | Promise<void>;

/** Puts steps into the order of the pipeline, once; steps of one stage keep theirs. What they run throws at once what is thrown at once. */
export function compileStages<Call extends StagedCall>(
  steps: readonly PipelineStep<Call>[],
): (call: Call) => void | Promise<void> {
  const ordered = steps.toSorted((a, b) => stageIndex(a.stage) - stageIndex(b.stage));
  // One shape for every step: this is gone through for every call.
  const placed = ordered.map((step) => ({
    index: stageIndex(step.stage),
    before: "before" in step ? step.before : undefined,
    around: "around" in step ? step.around : undefined,
  }));
  return (call) => runFrom(placed, 0, call);
}

interface PlacedStep<Call> {
  readonly index: number;
  readonly before: ((call: Call) => void | Promise<void>) | undefined;
  readonly around: ((call: Call, next: Next) => void | Promise<void>) | undefined;
}

/** Most steps are synchronous and run one after the other; only what has to be waited for is waited for. */
function runFrom<Call extends StagedCall>(
  steps: readonly PlacedStep<Call>[],
  from: number,
  call: Call,
): void | Promise<void> {
  for (let next = from; next < steps.length && !call.ended; next += 1) {
    const step = steps[next];
    if (step === undefined) return undefined;
    call.stage = step.index;
    if (step.around !== undefined) {
      const later = step.around(call, toRest(steps, next + 1, call));
      if (later !== undefined) call.wait?.();
      return later;
    }
    const pending = step.before?.(call);
    if (pending === undefined) continue;
    call.wait?.();
    return pending.then(toRest(steps, next + 1, call));
  }
  return undefined;
}

/** Apart from the loop, which would otherwise keep its place anew for every step. */
function toRest<Call extends StagedCall>(steps: readonly PlacedStep<Call>[], from: number, call: Call): Next {
  return () => runFrom(steps, from, call);
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
): (call: Call, result: Result) => Result | Promise<Result> {
  const ordered = steps.toSorted((a, b) => stageIndex(a.stage) - stageIndex(b.stage));
  const closeFrom = (from: number, call: Call, given: Result): Result | Promise<Result> => {
    let result = given;
    for (let index = from; index < ordered.length; index += 1) {
      try {
        const next = ordered[index]?.after(call, result) ?? result;
        if (next instanceof Promise) return wait(next, call, { result, next: index + 1 });
        result = next;
      } catch (error) {
        onFault(error, call);
      }
    }
    return result;
  };
  const wait = async (
    pending: Promise<Result>,
    call: Call,
    { result, next }: { readonly result: Result; readonly next: number },
  ): Promise<Result> => {
    const known = await pending.catch((error: unknown) => {
      onFault(error, call);
      return result;
    });
    return closeFrom(next, call, known);
  };
  return (call, result) => closeFrom(0, call, result);
}
