import { toPromise } from "./to-promise.ts";

/**
 * Goes on with a value at once, or when its promise is kept: where nothing has to be waited for, nothing waits.
 * What `next` throws at once is thrown at once.
 */
export function whenReady<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  const late = toPromise(value);
  return late === undefined ? next(value as Value) : late.then(next);
}
