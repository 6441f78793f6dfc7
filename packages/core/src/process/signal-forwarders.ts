/** What `signal-exit` keeps for all copies of itself in a process: how many listeners they have on each signal. */
interface SharedEmitter {
  readonly count: number;
}

/**
 * Counts listeners on a signal that handle nothing: `signal-exit`, which many command-line packages bring, tidies up and
 * raises the signal again.
 */
export function countForwarders(): number {
  const current: unknown = Reflect.get(globalThis, Symbol.for("signal-exit emitter"));
  const former: unknown = Reflect.get(process, "__signal_exit_emitter__");
  return [current, former].reduce<number>((sum, emitter) => sum + (isEmitter(emitter) ? emitter.count : 0), 0);
}

function isEmitter(value: unknown): value is SharedEmitter {
  return typeof value === "object" && value !== null && "count" in value && Number.isInteger(value.count);
}
