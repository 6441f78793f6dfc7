import type { ToolResult, ToolSuccess } from "@aiw/core";
import type { BegunCall } from "../call/begun-call.ts";
import { isResultReader } from "../call/result-reader.ts";
import type { RunningCall } from "../call/running-call.ts";
import type { ClosingStep, PipelineStep } from "../pipeline/run-stages.ts";
import { toCallKey } from "./call-key.ts";
import { compareResult } from "./compare-result.ts";
import { toCompared, type ComparedCall, type RepeatStepOptions } from "./compared-call.ts";
import { noteFailure } from "./note-failure.ts";
import { refuseKnown } from "./refuse-known.ts";
import { holdValue, memoryOf, type RepeatMemory } from "./repeat-memory.ts";

/** What is done before the work, with its result, and with what the model is given of it. */
export interface RepeatSteps {
  readonly before: PipelineStep<RunningCall>;
  readonly compare: ClosingStep<RunningCall, ToolResult>;
  readonly remember: ClosingStep<RunningCall, ToolResult>;
}

/**
 * Finds read-only calls of a conversation that are made again and come to the same. A repetition is made and compared, so that
 * whoever polls hears of every change; only what came to the same again and again is refused outright, for a moment.
 */
export function createRepeatSteps(options: RepeatStepOptions): RepeatSteps {
  return {
    before: {
      stage: "repeat_check",
      before: (call) => {
        const { session } = call.options;
        if (session === undefined || call.dryRun) return;
        call.begun = beginCall(call, memoryOf(session));
        const compared = toCompared(call);
        if (compared !== undefined && options.mode === "block") refuseKnown(compared, options);
      },
    },
    compare: {
      stage: "bound_result",
      after: (call, result) => {
        const { begun } = call;
        const { session } = call.options;
        if (begun !== undefined && session !== undefined && isChanging(call)) memoryOf(session).markChange();
        if (!result.success) return noteFailure(call, result, begun?.changes);
        const compared = toCompared(call);
        return compared === undefined ? result : compareResult(compared, result, options);
      },
    },
    remember: {
      stage: "bound_result",
      after: (call, result) => {
        const compared = toCompared(call);
        if (compared !== undefined && result.success) remember(compared, result);
        return result;
      },
    },
  };
}

/** Calls within calls are a tool's business: they only count as changes. */
function beginCall(call: RunningCall, memory: RepeatMemory): BegunCall {
  const { changes } = memory;
  if (isChanging(call)) memory.markChange();
  const isOfModel = call.parent === undefined && !isResultReader(call.spec);
  const key = isOfModel && !isChanging(call) ? toCallKey(call) : undefined;
  return { key, validated: call.validated, changes, began: memory.nextMoment(), times: 1 };
}

function isChanging({ verdict }: RunningCall): boolean {
  return verdict?.effects.readOnly !== true;
}

/** The first one that gave the result stays the earlier call of those that repeat it. */
function remember({ call, memory, begun, key }: ComparedCall, { value, truncated }: ToolSuccess): void {
  const { changes, times } = begun;
  const first = times > 1 ? memory.resultOf(key)?.callId : undefined;
  const held = truncated === undefined ? holdValue(value) : undefined;
  const reference = truncated?.fullResult;
  memory.keepResult(key, {
    callId: first ?? call.callId,
    turn: call.turn,
    times,
    changes,
    ended: memory.nextMoment(),
    at: performance.now(),
    ...(held !== undefined && { held }),
    ...(reference !== undefined && reference !== "" && { reference }),
  });
}
