import { ToolError } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import { tellCall } from "../call/tell-call.ts";
import type { Next, PipelineStep } from "../pipeline/run-stages.ts";
import { backoffMs, readAskedMs, type Random, type RetryRules } from "./backoff.ts";

/**
 * Tries again what failed for the time being and may be done twice: all that comes before the work for every attempt, never
 * a person's approval. The call keeps its id, its slot and its one time limit.
 */
export function retryStep(rules: RetryRules, random: Random = Math.random): PipelineStep<RunningCall> {
  const attempt = (call: RunningCall, next: Next, count: number): void | Promise<void> => {
    try {
      return next()?.catch((error: unknown) => again(call, next, { count, error }));
    } catch (error) {
      return again(call, next, { count, error });
    }
  };
  const again = (call: RunningCall, next: Next, { count, error }: FailedAttempt): Promise<void> => {
    if (!ToolError.is(error) || !isWorthwhile(rules, call, { count, error })) throw error;
    const delayMs = backoffMs(rules, { attempt: count, askedMs: readAskedMs(error.details) }, random);
    // Who would find no time left hears at once what went wrong.
    if (delayMs >= call.clock.remainingMs) throw error;
    tellCall(call, "tool_retry", { attempt: count, delayMs, code: error.code });
    return pause(call, delayMs).then(() => (call.ended ? undefined : attempt(call, next, count + 1)));
  };
  return { stage: "timeout_retry", around: (call, next) => attempt(call, next, 1) };
}

interface FailedAttempt {
  /** Counts from 1. */
  readonly count: number;
  readonly error: unknown;
}

/** True for a failure that may pass, of work that has ended and that may be done twice. */
function isWorthwhile(
  { attempts }: RetryRules,
  call: RunningCall,
  { count, error }: { readonly count: number; readonly error: ToolError },
): boolean {
  if (count >= attempts || call.ended || call.aborted) return false;
  return error.retryable && error.settled && isRepeatable(call);
}

/** By what these very arguments do, or because whoever called made sure that the work is done once. */
function isRepeatable({ verdict, options }: RunningCall): boolean {
  if (typeof options.idempotencyKey === "string" && options.idempotencyKey !== "") return true;
  return verdict !== undefined && (verdict.effects.readOnly || verdict.effects.idempotent);
}

/** Waits, but not beyond an abort. */
async function pause({ abort }: RunningCall, delayMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delayMs);
  const unsubscribe = abort.subscribe(() => resolve());
  await promise;
  unsubscribe();
  clearTimeout(timer);
}
