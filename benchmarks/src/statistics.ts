/** How long something took, in milliseconds. */
export interface Timing {
  /** The 10th percentile: what the work costs when the machine leaves it alone. */
  readonly p10: number;
  readonly median: number;
  readonly samples: number;
}

/** Sums up samples in milliseconds. */
export function toTiming(samples: readonly number[]): Timing {
  const sorted = samples.toSorted((a, b) => a - b);
  return { p10: quantile(sorted, 0.1), median: quantile(sorted, 0.5), samples: sorted.length };
}

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const low = sorted[Math.floor(position)] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? low;
  return low + (high - low) * (position - Math.floor(position));
}
