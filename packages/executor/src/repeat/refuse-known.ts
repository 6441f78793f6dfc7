import { isStanding, mayChange, tellRepeated, type ComparedCall, type RepeatStepOptions } from "./compared-call.ts";
import { repeatedCallError } from "./repeated-call.ts";

/** How often a result came in a row before it is believed without looking, and for how many milliseconds after the last look. */
const BELIEVED_TIMES = 3;
const BELIEVED_MS = 2000;

/**
 * Refuses a call that came to the same again and again, a moment ago and not by itself.
 * @throws ToolError `repeated_call`
 */
export function refuseKnown(compared: ComparedCall, { full, readerOf }: RepeatStepOptions): void {
  const { call, memory, key } = compared;
  const earlier = memory.resultOf(key);
  if (earlier === undefined || earlier.times < BELIEVED_TIMES) return;
  if (mayChange(compared) || !isStanding(compared, earlier) || call.since - earlier.at > BELIEVED_MS) return;
  const { reference, callId: earlierCallId } = earlier;
  // Nobody is sent to a result that is no longer kept.
  const value = reference === undefined ? undefined : full.read(reference);
  if (value === undefined) return;
  const times = earlier.times + 1;
  tellRepeated(compared, earlier, { times, blocked: true });
  throw repeatedCallError({ earlierCallId, times, reference, reader: readerOf(call), value, mayChange: false });
}
