/** A promise of what has to be waited for, whoever made it; undefined for everything else. */
export function toPromise<Value>(value: Value | PromiseLike<Value>): Promise<Value> | undefined {
  if (value instanceof Promise) return value;
  return isThenable(value) ? Promise.resolve(value) : undefined;
}

/** Keeps a rejection that nobody waits for from ending the process. */
export function catchLate(value: unknown, onRejected: (error: unknown) => void): void {
  void toPromise(value)?.catch(onRejected);
}

function isThenable(value: unknown): value is PromiseLike<never> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
