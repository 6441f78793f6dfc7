import { sessionKey } from "@aiw/core";
import { createHostRateLimit, type HostRateLimit } from "./network/host-rate-limit.ts";
import { createPageCache, type PageCache } from "./page-cache.ts";

/** What one conversation keeps between fetches. */
export interface WebSession {
  readonly pages: PageCache;
  readonly rateLimit: HostRateLimit;
}

/** Names the pages and counters of a conversation; the clock comes from the caller. */
export function webSessionKey(now: () => number) {
  return sessionKey<WebSession>("@aiw/plugin-web/pages", {
    create: () => ({ pages: createPageCache(now), rateLimit: createHostRateLimit(now) }),
    dispose: ({ pages }) => pages.clear(),
  });
}
