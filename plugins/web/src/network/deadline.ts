import { ToolError } from "@aiw/core";
import { webError } from "../errors.ts";

/** What an exchange is busy with. */
export type ExchangePhase = "dns" | "connect" | "tls" | "headers" | "body" | "conversion";

/** One limit over a whole exchange (SEC-NET-8); its signal aborts with the `ToolError` to throw. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Names the phase that a timeout would report. */
  enter(phase: ExchangePhase): void;
  /** Settles as the work does, or rejects as soon as the signal aborts; for work that cannot be stopped. */
  race<Value>(work: Promise<Value>): Promise<Value>;
}

/** Starts a deadline; `cancelled` ends it early. */
export function startDeadline(timeoutMs: number, cancelled: AbortSignal): Deadline {
  const controller = new AbortController();
  let phase: ExchangePhase = "dns";
  const expire = (): void =>
    controller.abort(
      webError("timeout", `No complete answer within ${timeoutMs / 1000} s; it ended in the phase "${phase}".`, {
        details: { phase },
        suggestion: "Try again with a longer timeout (at most 120), or fetch another source.",
      }),
    );
  const cancel = (): void => controller.abort(toCancellation(cancelled.reason));
  const timer = setTimeout(expire, timeoutMs);
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
  return ToolError.is(reason) ? reason : webError("cancelled", "The call was cancelled.", { cause: reason });
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
