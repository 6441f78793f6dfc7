/** How large a result may be. */
export interface ResultBounds {
  /** Characters of output kept when nothing else is asked. */
  readonly limit: number;
  /** Characters of the result as JSON that reach the model; absent means all. */
  readonly budget: number | undefined;
}

/** Composes a result with as much output as fits the budget; a budget that not even an empty output fits is left to the host. */
export function fitResult<Result>(compose: (limit: number) => Result, { limit, budget }: ResultBounds): Result {
  const whole = compose(limit);
  if (budget === undefined || measureJson(whole) <= budget) return whole;
  let best = compose(0);
  for (let low = 0, high = limit; low < high;) {
    const middle = Math.ceil((low + high) / 2);
    const candidate = compose(middle);
    if (measureJson(candidate) <= budget) {
      best = candidate;
      low = middle;
    } else high = middle - 1;
  }
  return best;
}

/** Characters a value takes as JSON, with one more for each container, since a host may count a comma after every member. */
export function measureJson(value: unknown): number {
  let containers = 0;
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === "object" && member !== null) containers += 1;
    return member;
  });
  return text.length + containers;
}
