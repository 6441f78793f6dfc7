import type { ToolFailure } from "@aiw/core";
import type { RunningCall } from "../call/running-call.ts";
import { toCallKey } from "./call-key.ts";
import { memoryOf } from "./repeat-memory.ts";

/** From the third equal failure on the model is told that trying again is no plan. */
const MANY = 3;

/** Ends that say nothing of the call, and those that say all there is to say. */
const UNCOUNTED: ReadonlySet<string> = new Set([
  "cancelled",
  "repeated_call",
  "approval_denied",
  "approval_required",
  "rate_limited",
]);

/** Counts failures of one call in a turn that are all the same, and says so to the model once they are many. */
export function noteFailure(call: RunningCall, failure: ToolFailure, changesBefore: number | undefined): ToolFailure {
  const { options, turn } = call;
  if (options.session === undefined || turn === undefined || call.dryRun || call.parent !== undefined) return failure;
  if (UNCOUNTED.has(failure.code)) return failure;
  const key = toCallKey(call);
  if (key === undefined) return failure;
  const memory = memoryOf(options.session);
  const known = memory.failureOf(key);
  const what = `${failure.code} ${failure.error}`;
  // What others changed since the last failure may have mended its cause.
  const isSame = known?.turn === turn && known.what === what && known.changes === (changesBefore ?? memory.changes);
  const times = isSame ? known.times + 1 : 1;
  memory.keepFailure(key, { turn, what, times, changes: memory.changes });
  if (times < MANY) return failure;
  const said = `The same call failed ${times} times in this turn in the same way: do not repeat it, change what it asks or what it needs.`;
  return { ...failure, suggestion: failure.suggestion === undefined ? said : `${said} ${failure.suggestion}` };
}
