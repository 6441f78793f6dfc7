import { resolve } from "node:path";
import { ToolError, type ToolContext } from "@aiw/core";

/** Another process may win again and again; so often a change is planned before the conflict is told. */
const MOST_ATTEMPTS = 20;

/** The file changed between the plan of a change and its writing. */
class Overtaken extends Error {
  declare readonly cause: ToolError;
}

/** What a call says of the files it changes. */
export interface Claim {
  readonly paths: readonly string[];
  /** Whether that proves itself on any text: by no etag, and no line numbers. */
  readonly isProven: boolean;
}

/** Marks a conflict that was met while writing, where nothing stays written; what a plan itself refuses is no such one. */
export function toOvertaken(error: unknown): never {
  if (ToolError.is(error) && error.code === "conflict" && error.details?.["not_restored"] === undefined)
    throw new Overtaken("The file changed after it was planned", { cause: error });
  throw error;
}

/**
 * Makes a change in its turn: one such call of this process after the other, and planned again where somebody else overtook it.
 * @throws ToolError `conflict` of a change that may not be planned again, or was overtaken too often.
 */
export async function planAnew<Result>(
  { paths, isProven }: Claim,
  { workspace, signal }: Pick<ToolContext<unknown>, "workspace" | "signal">,
  /** Learns whether the files may have changed since the call came. */
  attempt: (isLate: boolean) => Promise<Result>,
): Promise<Result> {
  if (!isProven) return await repeat(attempt, { attempts: 1, isLate: false, signal });
  // A second spelling of a path is another key, and so a conflict, after which all is planned again.
  const keys = new Set(paths.map((path) => resolve(workspace.cwd, path)));
  return await inTurn(keys, signal, async (isLate) => {
    return await repeat(attempt, { attempts: MOST_ATTEMPTS, isLate, signal });
  });
}

async function repeat<Result>(
  attempt: (isLate: boolean) => Promise<Result>,
  { attempts, isLate, signal }: { readonly attempts: number; readonly isLate: boolean; readonly signal: AbortSignal },
): Promise<Result> {
  for (let done = 0; ; done += 1) {
    signal.throwIfAborted();
    try {
      return await attempt(isLate || done > 0);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      if (done + 1 >= attempts) throw error.cause;
    }
  }
}

/** The last who came, by what they wait for. */
const tails = new Map<string, Promise<unknown>>();

/** Lets all who share a key go one after the other; all keys are taken at once, so that no two wait for each other. */
async function inTurn<Result>(
  keys: ReadonlySet<string>,
  signal: AbortSignal,
  work: (hasWaited: boolean) => Promise<Result>,
): Promise<Result> {
  const before = [...keys].flatMap((key) => tails.get(key) ?? []);
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  // Whoever leaves the queue before its turn lets nobody past those who are still at work.
  const tail = Promise.all([...before, left]).then(() => {
    for (const key of keys) if (tails.get(key) === tail) tails.delete(key);
  });
  for (const key of keys) tails.set(key, tail);
  try {
    if (before.length > 0) await orAborted(Promise.all(before), signal);
    return await work(before.length > 0);
  } finally {
    leave();
  }
}

async function orAborted(waiting: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const listener = (): void => reject(signal.reason as Error);
  signal.addEventListener("abort", listener, { once: true });
  try {
    await Promise.race([waiting, aborted]);
  } finally {
    signal.removeEventListener("abort", listener);
  }
}
