import { describe, expect, it } from "vitest";
import type { FetchedPage } from "./network/fetch-page.ts";
import { createPageCache } from "./page-cache.ts";

function page(size: number, mayBeStored = true): FetchedPage {
  return {
    finalUrl: "https://a.test/",
    redirects: [],
    statusCode: 200,
    contentType: "text/plain",
    etag: undefined,
    lastModified: undefined,
    body: new Uint8Array(size),
    mayBeStored,
    isNotModified: false,
  };
}

const RENDERED = { text: "x".repeat(10_000), charset: "utf-8", extraction: "verbatim" } as const;

describe("createPageCache", () => {
  it("drops the least recently used page when full", () => {
    const cache = createPageCache(() => 0, 100_000);
    cache.put("a", page(30_000));
    cache.put("b", page(30_000));
    cache.get("a");
    cache.put("c", page(30_000));
    expect([cache.get("a"), cache.get("b"), cache.get("c")].map((found) => found !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it("counts texts, and keeps none for a page that has been replaced", () => {
    const cache = createPageCache(() => 0, 60_000);
    const [first, second] = [page(10_000), page(10_000)];
    cache.put("a", first);
    cache.putText("a", first, { variant: "text", text: RENDERED });
    expect(cache.getText("a", first, "text")).toBe(RENDERED);
    cache.put("b", page(30_000));
    expect(cache.get("a")).toBeUndefined();
    cache.put("a", second);
    cache.putText("a", first, { variant: "text", text: RENDERED });
    expect(cache.getText("a", second, "text")).toBeUndefined();
  });

  it("forgets the earlier page when the new one may not be stored", () => {
    const cache = createPageCache(() => 0);
    cache.put("a", page(1));
    cache.put("a", page(1, false));
    expect(cache.get("a")).toBeUndefined();
  });

  it("stores nothing larger than itself", () => {
    const cache = createPageCache(() => 0, 10_000);
    cache.put("a", page(20_000));
    expect(cache.get("a")).toBeUndefined();
  });
});
