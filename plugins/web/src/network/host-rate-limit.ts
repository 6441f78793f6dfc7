import { webError } from "../errors.ts";

const WINDOW_MS = 60_000;
const MAX_HOSTS = 1000;

/** Counts requests per host over the last minute. */
export interface HostRateLimit {
  /** @throws ToolError `rate_limited` with `retry_after_ms` when the host has had its requests. */
  admit(hostname: string, perMinute: number): void;
}

/** Starts counting; hosts beyond the newest thousand are forgotten. */
export function createHostRateLimit(now: () => number): HostRateLimit {
  const requests = new Map<string, number[]>();
  return {
    admit(hostname, perMinute) {
      const at = now();
      const recent = (requests.get(hostname) ?? []).filter((time) => time > at - WINDOW_MS);
      const oldest = recent[recent.length - perMinute];
      if (oldest !== undefined) {
        const retryAfterMs = Math.max(oldest + WINDOW_MS - at, 1);
        throw webError("rate_limited", `${hostname} has had ${perMinute} requests within a minute.`, {
          details: { retry_after_ms: retryAfterMs },
          suggestion: `Work with what was fetched, or try again in ${Math.ceil(retryAfterMs / 1000)} s.`,
        });
      }
      requests.delete(hostname);
      requests.set(hostname, [...recent, at]);
      const [first] = requests.keys();
      if (requests.size > MAX_HOSTS && first !== undefined) requests.delete(first);
    },
  };
}
