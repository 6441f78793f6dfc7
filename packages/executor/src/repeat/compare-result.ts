import { hasAttachments, type ToolResult, type ToolSuccess } from "@aiw/core";
import type { FullResults } from "../bound/full-results.ts";
import { measureValue } from "../bound/measure-value.ts";
import type { RunningCall } from "../call/running-call.ts";
import { isStanding, mayChange, tellRepeated, type ComparedCall, type RepeatStepOptions } from "./compared-call.ts";
import { isSameValue } from "./is-same-value.ts";
import type { RememberedResult } from "./repeat-memory.ts";
import { repeatedCallError } from "./repeated-call.ts";

/** How often a result may come in a row, and one that may change by itself. */
const MOST_TIMES = 1;
const MOST_TIMES_OF_CHANGING = 2;

/** Withholds a result that came before in the turn, and notes one that came in an earlier turn. */
export function compareResult(compared: ComparedCall, result: ToolSuccess, options: RepeatStepOptions): ToolResult {
  const { call, memory, begun, key } = compared;
  const earlier = memory.resultOf(key);
  // What ended after this call began ran beside it: no repetition.
  if (earlier === undefined || earlier.ended > begun.began) return result;
  if (!isSameValue(valueOf(earlier, options.full), result.value)) return result;
  if (earlier.turn !== call.turn || call.turn === undefined) {
    tellRepeated(compared, earlier, { times: 1, blocked: false });
    return withNotice(result, `The same call gave the same result ${toWhen(earlier)} (call ${earlier.callId}).`);
  }
  if (!isStanding(compared, earlier)) return result;
  begun.times = earlier.times + 1;
  const most = mayChange(compared) ? MOST_TIMES_OF_CHANGING : MOST_TIMES;
  // Media cannot be read back as text.
  const blocked = options.mode === "block" && begun.times > most && !hasAttachments(result.value);
  tellRepeated(compared, earlier, { times: begun.times, blocked });
  if (blocked) return withhold(compared, earlier, { result, options });
  return withNotice(result, `The same call gave the same result before in this turn (call ${earlier.callId}).`);
}

interface Withheld {
  readonly result: ToolSuccess;
  readonly options: RepeatStepOptions;
}

function withhold(compared: ComparedCall, earlier: RememberedResult, { result, options }: Withheld): ToolResult {
  const { call, memory, begun, key } = compared;
  const { times } = begun;
  const { value } = result;
  const reference = keepWhole(earlier, { call, value, full: options.full });
  const kept = reference === undefined ? {} : { reference };
  memory.keepResult(key, { ...earlier, times, ended: memory.nextMoment(), at: performance.now(), ...kept });
  const facts = { earlierCallId: earlier.callId, times, reference, value, mayChange: mayChange(compared) };
  return options.fail(call, repeatedCallError({ ...facts, reader: options.readerOf(call) }));
}

function valueOf({ held, reference }: RememberedResult, full: FullResults): unknown {
  return held === undefined ? full.read(reference ?? "") : held.value;
}

/** The reference under which the whole of an earlier result can be read, which is the same as this one. */
function keepWhole(
  { reference, held }: RememberedResult,
  { call, value, full }: { readonly call: RunningCall; readonly value: unknown; readonly full: FullResults },
): string | undefined {
  if (reference !== undefined && full.read(reference) !== undefined) return reference;
  return full.keep(held === undefined ? value : held.value, held?.characters ?? measureValue(value), call);
}

function toWhen({ turn }: RememberedResult): string {
  return turn === undefined ? "before" : `in turn ${turn}`;
}

function withNotice(result: ToolSuccess, notice: string): ToolSuccess {
  return { ...result, notices: [...(result.notices ?? []), notice] };
}
