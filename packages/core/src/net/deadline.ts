import { ToolError } from "../errors/tool-error.ts";

/** One limit over a whole exchange (SEC-NET-8); its signal aborts with the `ToolError` to throw. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Names the phase that a timeout would report, such as `dns`, `connect`, `tls`, `headers` and `body`. */
  enter(phase: string): void;
  /** Settles as the work does, or rejects as soon as the signal aborts; for work that cannot be stopped. */
  race<Value>(work: Promise<Value>): Promise<Value>;
}

/** How long an exchange may take. */
export interface DeadlineOptions {
  /** Milliseconds; absent, only the caller's signal ends it. */
  readonly timeoutMs?: number;
  /** What to do about a timeout. */
  readonly suggestion?: string;
}

/** Starts a deadline; `cancelled` ends it early. */
export function startDeadline(cancelled: AbortSignal, { timeoutMs, suggestion }: DeadlineOptions = {}): Deadline {
  const controller = new AbortController();
  let phase = "dns";
  const expire = (): void =>
    controller.abort(
      new ToolError(
        "timeout",
        `No complete answer within ${Number(timeoutMs) / 1000} s; it ended in the phase "${phase}".`,
        {
          details: { phase },
          ...(suggestion !== undefined && { suggestion }),
        },
      ),
    );
  const cancel = (): void => controller.abort(toCancellation(cancelled.reason));
  const timer = timeoutMs === undefined ? undefined : setTimeout(expire, timeoutMs);
  if (cancelled.aborted) cancel();
  else cancelled.addEventListener("abort", cancel, { once: true });

  return {
    signal: controller.signal,
    enter(next) {
      controller.signal.throwIfAborted();
      phase = next;
    },
    race: (work) => raceSignal(work, controller.signal),
    [Symbol.dispose]() {
      clearTimeout(timer);
      cancelled.removeEventListener("abort", cancel);
    },
  };
}

/** The host's own reason stands when it is one a model may see. */
function toCancellation(reason: unknown): ToolError {
  return ToolError.is(reason) ? reason : new ToolError("cancelled", "The call was cancelled.", { cause: reason });
}

async function raceSignal<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
