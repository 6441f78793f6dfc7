/** When a failed attempt is followed by another. */
export interface RetryRules {
  /** Attempts in all. */
  readonly attempts: number;
  /** Milliseconds the first wait may last. */
  readonly baseMs: number;
  /** Milliseconds no wait of our own choice exceeds. */
  readonly maxMs: number;
}

/** A number from 0 to below 1. */
export type Random = () => number;

/**
 * Milliseconds to wait after attempt `attempt`, counted from 1: any time up to a bound that doubles (full jitter), so that
 * callers who failed together do not come back together. What the failure asked for is waited in full.
 */
export function backoffMs(
  { baseMs, maxMs }: RetryRules,
  { attempt, askedMs }: { readonly attempt: number; readonly askedMs?: number | undefined },
  random: Random = Math.random,
): number {
  if (askedMs !== undefined) return Math.ceil(askedMs + random() * baseMs);
  return Math.round(random() * Math.min(maxMs, baseMs * 2 ** (attempt - 1)));
}

/** Milliseconds after which a failure says to come back: `retry_after_ms` of its details. */
export function readAskedMs(details: unknown): number | undefined {
  try {
    const asked: unknown = (details as { readonly retry_after_ms?: unknown } | undefined)?.retry_after_ms;
    return typeof asked === "number" && Number.isFinite(asked) && asked >= 0 ? asked : undefined;
  } catch {
    // Details are the tool's own, and may throw when they are looked at.
    return undefined;
  }
}
