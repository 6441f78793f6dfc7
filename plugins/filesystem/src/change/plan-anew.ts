import { ToolError } from "@aiw/core";

/** Another process may win again and again; so often a change is planned before the conflict is told. */
const MOST_ATTEMPTS = 20;

/** The file changed between the plan of a change and its writing. */
class Overtaken extends Error {
  declare readonly cause: ToolError;
}

/** When a change may be planned on the text as it is by now. */
export interface Replanning {
  /** Whether what the call says of the file proves itself on any text: no etag, no line numbers. */
  readonly isProven: () => boolean;
  readonly signal: AbortSignal;
}

let lane: Promise<unknown> = Promise.resolve();

/** Marks a conflict that was met while writing one file, of which nothing was written then; what a plan itself refuses is no such one. */
export function toOvertaken(error: unknown): never {
  if (ToolError.is(error) && error.code === "conflict")
    throw new Overtaken("The file changed after it was planned", { cause: error });
  throw error;
}

/** Marks a conflict that was met while writing several files, where all of them were put back. */
export function toOvertakenWhole(error: unknown): never {
  if (ToolError.is(error) && error.details?.["not_restored"] !== undefined) throw error;
  return toOvertaken(error);
}

/**
 * Makes a change; where others overtook it, it is planned again, one such call of this process after the other.
 * @throws ToolError `conflict` of a change that may not be planned again, or was overtaken too often.
 */
export async function planAnew<Result>(
  { isProven, signal }: Replanning,
  attempt: () => Promise<Result>,
): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error;
    if (!isProven()) throw error.cause;
  }
  const mine = lane.then(async () => await repeat(attempt, signal));
  lane = mine.catch(() => undefined);
  return await mine;
}

async function repeat<Result>(attempt: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  for (let left = MOST_ATTEMPTS; ; left -= 1) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (left <= 1) throw error.cause;
    }
  }
}
