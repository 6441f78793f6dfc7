import { toExtensionError } from "../call/extension-error.ts";
import type { RunningCall } from "../call/running-call.ts";
import { answerWithin } from "./answer-within.ts";
import { blameExtension } from "./blame-extension.ts";
import type { Extension } from "./extension.ts";

/** What a wrapper stands around, and how long it may take of its own. */
export interface Wrapped {
  /** Never throws at once. */
  readonly next: () => Promise<void>;
  /** Milliseconds it has before the later stages and after them; absent where the clock of the call ends it. */
  readonly patienceMs: number | undefined;
}

interface Fault {
  readonly error: unknown;
}

/** Runs the hook around the later stages, whose end it can neither change nor hide. */
export async function runWrap(extension: Extension, call: RunningCall, { next, patienceMs }: Wrapped): Promise<void> {
  const begun = Promise.withResolvers<void>();
  let inner: Promise<void> | undefined;
  let isOver = false;
  const blame = (): void => {
    if (patienceMs === undefined) call.blamed = extension.name;
  };
  const begin = (): Promise<void> => {
    call.blamed = undefined;
    inner = next();
    begun.resolve();
    // Whoever forgets to wait for it must not leave a rejection behind; from here on only the wrapper is waited for.
    inner.catch(() => undefined).finally(blame);
    return inner;
  };
  const once = (): Promise<void> => {
    if (inner !== undefined || isOver) throw new TypeError("`next` was called twice, or too late.");
    return begin();
  };
  blame();
  const wrapping = wrap(extension, call, once);
  const fault = await (patienceMs === undefined
    ? wrapping
    : inTime(Promise.race([wrapping, begun.promise]), patienceMs).then((early) =>
        inner === undefined ? early : finish(call, { wrapping, inner, patienceMs }),
      ));
  isOver = true;
  call.blamed = undefined;
  if (inner === undefined) {
    blameExtension(extension, call, fault?.error ?? new TypeError("`next` was not called."));
    return begin();
  }
  await inner;
  if (fault !== undefined) withhold(extension, call, fault.error);
}

async function wrap(extension: Extension, call: RunningCall, next: () => Promise<void>): Promise<Fault | undefined> {
  try {
    await extension.wrap?.(call, next);
    return undefined;
  } catch (error) {
    return { error };
  }
}

interface Finishing {
  readonly wrapping: Promise<Fault | undefined>;
  readonly inner: Promise<void>;
  readonly patienceMs: number;
}

/** Waits for the later stages, then for the wrapper; the work is done by then, and no clock may say otherwise. */
async function finish(call: RunningCall, { wrapping, inner, patienceMs }: Finishing): Promise<Fault | undefined> {
  await inner.catch(() => undefined);
  const resume = call.pauseClocks();
  return inTime(wrapping, patienceMs).finally(resume);
}

async function inTime(answer: Promise<Fault | undefined | void>, limitMs: number): Promise<Fault | undefined> {
  try {
    return (await answerWithin(answer, limitMs)) ?? undefined;
  } catch (error) {
    return { error };
  }
}

/** The work is done, and what stood around it failed. */
function withhold(extension: Extension, call: RunningCall, error: unknown): void {
  try {
    blameExtension(extension, call, error);
  } catch (refusal) {
    throw refusal === error
      ? refusal
      : toExtensionError(extension.name, "The work was done; its result is withheld, since");
  }
}
