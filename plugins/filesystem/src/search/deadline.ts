/** Time given to one piece of work; the caller's cancellation ends it too. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Milliseconds left; 0 when over. */
  remaining(): number;
  /** Whether the time is over, as opposed to cancelled. */
  isOver(): boolean;
}

/** Starts the clock. */
export function startDeadline(milliseconds: number, cancelled: AbortSignal): Deadline {
  const end = performance.now() + milliseconds;
  const timer = new AbortController();
  const handle = setTimeout(() => timer.abort(), Math.max(0, milliseconds));
  return {
    signal: AbortSignal.any([timer.signal, cancelled]),
    remaining: () => Math.max(0, end - performance.now()),
    isOver: () => timer.signal.aborted || performance.now() >= end,
    [Symbol.dispose]: () => clearTimeout(handle),
  };
}
