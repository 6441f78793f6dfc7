import type { ToolError, ToolResult, ToolSuccess, ValidatedCall } from "@aiw/core";
import type { FullResults } from "../bound/full-results.ts";
import { measureValue } from "../bound/measure-value.ts";
import { isResultReader } from "../call/result-reader.ts";
import type { RunningCall } from "../call/running-call.ts";
import { tellWithin } from "../call/tell-call.ts";
import type { ClosingStep, PipelineStep } from "../pipeline/run-stages.ts";
import { toCallKey } from "./call-key.ts";
import { isSameValue } from "./is-same-value.ts";
import { noteFailure } from "./note-failure.ts";
import { holdValue, memoryOf, type RememberedResult, type RepeatMemory } from "./repeat-memory.ts";
import { repeatedCallError } from "./repeated-call.ts";

/** What becomes of read-only calls that come to the same again within a turn. */
export type RepeatMode = "block" | "warn" | "off";

/** What detecting repetitions needs of the host. */
export interface RepeatStepOptions {
  readonly mode: RepeatMode;
  readonly full: FullResults;
  /** The tool the model of a call reads kept results with, where it has one. */
  readerOf(call: RunningCall): string | undefined;
  /** Makes the result of a call that is refused. */
  fail(call: RunningCall, error: ToolError): ToolResult;
}

/** What is done before the work, with its result, and with what the model is given of it. */
export interface RepeatSteps {
  readonly before: PipelineStep<RunningCall>;
  readonly compare: ClosingStep<RunningCall, ToolResult>;
  readonly remember: ClosingStep<RunningCall, ToolResult>;
}

/** How often a result came in a row before it is believed without looking, and for how many milliseconds after the last look. */
const BELIEVED_TIMES = 3;
const BELIEVED_MS = 2000;

interface BegunCall {
  readonly memory: RepeatMemory;
  /** Absent where repetitions do not matter. */
  readonly key: string | undefined;
  /** What the key is of: a person may edit it. */
  readonly validated: ValidatedCall | undefined;
  readonly began: number;
  readonly changes: number;
  times: number;
}

/**
 * Finds read-only calls of a conversation that are made again and come to the same. A repetition is made and compared, so that
 * whoever polls hears of every change; only what came to the same again and again is refused outright, for a moment.
 */
export function createRepeatSteps(options: RepeatStepOptions): RepeatSteps {
  const begun = new WeakMap<RunningCall, BegunCall>();
  return {
    before: {
      stage: "repeat_check",
      before: (call) => {
        const begin = beginCall(call);
        if (begin === undefined) return;
        begun.set(call, begin);
        // A call that goes on was let through before, and people have answered its questions since.
        if (options.mode === "block" && !call.resumed) refuseKnown(call, begin, options);
      },
    },
    compare: {
      stage: "bound_result",
      after: (call, result) => {
        const begin = begun.get(call);
        if (begin !== undefined && isChanging(call)) begin.memory.markChange();
        if (!result.success) return noteFailure(call, result, begin?.changes);
        const key = keyOf(call, begin);
        return begin === undefined || key === undefined ? result : compare({ call, begin, key, result }, options);
      },
    },
    remember: {
      stage: "bound_result",
      after: (call, result) => {
        const begin = begun.get(call);
        const key = keyOf(call, begin);
        if (begin !== undefined && key !== undefined && result.success) remember(call, { ...begin, key }, result);
        return result;
      },
    },
  };
}

function keyOf(call: RunningCall, begin: BegunCall | undefined): string | undefined {
  return begin?.validated === call.validated ? begin?.key : undefined;
}

/** Calls within calls are a tool's business: they only count as changes. */
function beginCall(call: RunningCall): BegunCall | undefined {
  const { session } = call.options;
  if (session === undefined || call.dryRun) return undefined;
  const memory = memoryOf(session);
  const { changes } = memory;
  if (isChanging(call)) memory.markChange();
  const isOfModel = call.parent === undefined && !isResultReader(call.spec);
  const key = isOfModel && !isChanging(call) ? toCallKey(call) : undefined;
  return { memory, key, validated: call.validated, changes, began: memory.nextMoment(), times: 1 };
}

function isChanging({ verdict }: RunningCall): boolean {
  return verdict?.effects.readOnly !== true;
}

/** True for a call whose answer can be another one although nobody here did anything. */
function mayChange({ verdict }: RunningCall): boolean {
  return verdict?.effects.openWorld !== false || !verdict.effects.idempotent;
}

function refuseKnown(call: RunningCall, { memory, key }: BegunCall, { full, readerOf }: RepeatStepOptions): void {
  const earlier = key === undefined ? undefined : memory.resultOf(key);
  if (earlier === undefined || earlier.times < BELIEVED_TIMES || mayChange(call) || !isStanding(call, earlier, memory))
    return;
  const { reference, callId, times } = earlier;
  const isKept = reference !== undefined && full.read(reference) !== undefined;
  if (!isKept || call.since - earlier.at > BELIEVED_MS) return;
  tell(call, earlier, { times: times + 1, blocked: true });
  throw repeatedCallError({
    earlierCallId: callId,
    times: times + 1,
    reference,
    reader: readerOf(call),
    mayChange: false,
  });
}

/** True for a result of this turn since which nothing was changed. */
function isStanding(call: RunningCall, { turn, changes }: RememberedResult, memory: RepeatMemory): boolean {
  return turn !== undefined && turn === call.turn && changes === memory.changes;
}

interface Comparing {
  readonly call: RunningCall;
  readonly begin: BegunCall;
  readonly key: string;
  readonly result: ToolSuccess;
}

function compare({ call, begin, key, result }: Comparing, options: RepeatStepOptions): ToolResult {
  const { memory } = begin;
  const earlier = memory.resultOf(key);
  // What ended after this call began ran beside it: no repetition.
  if (earlier === undefined || earlier.ended > begin.began) return result;
  if (!isSameValue(valueOf(earlier, options.full), result.value)) return result;
  if (earlier.turn !== call.turn || call.turn === undefined) {
    tell(call, earlier, { times: 1, blocked: false });
    return withNotice(result, `The same call gave the same result ${toWhen(earlier)} (call ${earlier.callId}).`);
  }
  if (!isStanding(call, earlier, memory)) return result;
  begin.times = earlier.times + 1;
  const blocked = options.mode === "block" && begin.times >= (mayChange(call) ? 3 : 2);
  tell(call, earlier, { times: begin.times, blocked });
  if (!blocked) {
    return withNotice(result, `The same call gave the same result before in this turn (call ${earlier.callId}).`);
  }
  const reference = keepWhole(earlier, result, options.full);
  memory.keepResult(key, {
    ...earlier,
    times: begin.times,
    ended: memory.nextMoment(),
    at: performance.now(),
    ...(reference !== undefined && { reference }),
  });
  const refusal = {
    earlierCallId: earlier.callId,
    times: begin.times,
    reference,
    reader: options.readerOf(call),
    mayChange: mayChange(call),
  };
  return options.fail(call, repeatedCallError(refusal));
}

function valueOf({ held, reference }: RememberedResult, full: FullResults): unknown {
  return held === undefined ? full.read(reference ?? "") : held.value;
}

/** The reference under which the whole of an earlier result can be read, which is the same as this one. */
function keepWhole({ reference }: RememberedResult, { value }: ToolSuccess, full: FullResults): string | undefined {
  if (reference !== undefined && full.read(reference) !== undefined) return reference;
  return full.keep(value, measureValue(value));
}

/** The first one that gave the result stays the earlier call of those that repeat it. */
function remember(call: RunningCall, begin: BegunCall & { readonly key: string }, result: ToolSuccess): void {
  const { memory, key, changes, times } = begin;
  const known = memory.resultOf(key);
  const reference = result.truncated?.fullResult;
  const held = result.truncated === undefined ? holdValue(result.value) : undefined;
  memory.keepResult(key, {
    callId: times > 1 && known !== undefined ? known.callId : call.callId,
    turn: call.turn,
    times,
    changes,
    ended: memory.nextMoment(),
    at: performance.now(),
    ...(held !== undefined && { held }),
    ...(reference !== undefined && reference !== "" && { reference }),
  });
}

function toWhen({ turn }: RememberedResult): string {
  return turn === undefined ? "before" : `in turn ${turn}`;
}

function withNotice(result: ToolSuccess, notice: string): ToolSuccess {
  return { ...result, notices: [...(result.notices ?? []), notice] };
}

function tell(
  call: RunningCall,
  { callId, turn }: RememberedResult,
  { times, blocked }: { readonly times: number; readonly blocked: boolean },
): void {
  const earlierTurn = turn === undefined || turn === call.turn ? {} : { earlierTurn: turn };
  tellWithin(call, "tool_call_repeated", { earlierCallId: callId, ...earlierTurn, times, blocked });
}
