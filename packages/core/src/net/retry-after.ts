const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/** Reads a Retry-After header, seconds or a date, as milliseconds from `now`; at most a day. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, MAX_RETRY_AFTER_MS);
  // Date.parse reads far more than HTTP dates, bare numbers among it.
  if (!/^[A-Z][a-z]{2,8}, .{10,40}$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.min(Math.max(at - now, 0), MAX_RETRY_AFTER_MS);
}
