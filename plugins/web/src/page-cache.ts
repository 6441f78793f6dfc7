import type { RenderedPage } from "./render-page.ts";
import type { FetchedPage } from "./network/fetch-page.ts";

const FRESH_MS = 15 * 60 * 1000;
const MAX_BYTES = 50 * 1024 * 1024;
/** What an entry costs beside its body and texts. */
const ENTRY_OVERHEAD = 4096;
const BYTES_PER_CHARACTER = 2;

/** One stored page; texts made of it are kept beside it, so that reading on gives the same text. */
export interface CachedPage {
  readonly page: FetchedPage;
  readonly isFresh: boolean;
  /** The server gave something to compare a later copy by. */
  readonly canRevalidate: boolean;
}

/** Pages of one conversation, the least recently used dropped first. */
export interface PageCache {
  /** Gives a stored page; one that is no longer fresh may only be used after revalidation. */
  get(key: string): CachedPage | undefined;
  /** Stores a page unless it may not be stored; an earlier page under the key is forgotten either way. */
  put(key: string, page: FetchedPage): void;
  /** Marks a page as fresh again. */
  refresh(key: string): void;
  /** Gives what was made of this very page in this way. */
  getText(key: string, page: FetchedPage, variant: string): RenderedPage | undefined;
  /** Keeps what was made of the page, as long as the page is the one stored. */
  putText(key: string, page: FetchedPage, made: { readonly variant: string; readonly text: RenderedPage }): void;
  clear(): void;
}

interface Entry {
  readonly page: FetchedPage;
  storedAt: number;
  size: number;
  readonly texts: Map<string, RenderedPage>;
}

/** Makes an empty cache of at most 50 MiB, fresh for 15 minutes. */
export function createPageCache(now: () => number, maxBytes: number = MAX_BYTES): PageCache {
  // A map keeps the order of insertion, so re-inserting an entry makes it the newest.
  const entries = new Map<string, Entry>();
  let total = 0;

  const remove = (key: string): void => {
    total -= entries.get(key)?.size ?? 0;
    entries.delete(key);
  };
  const insert = (key: string, entry: Entry): void => {
    remove(key);
    entries.set(key, entry);
    total += entry.size;
    for (const oldest of entries.keys()) {
      if (total <= maxBytes) return;
      remove(oldest);
    }
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return undefined;
      insert(key, entry);
      const { page, storedAt } = entry;
      const canRevalidate = page.etag !== undefined || page.lastModified !== undefined;
      return { page, isFresh: now() - storedAt < FRESH_MS, canRevalidate };
    },
    put(key, page) {
      remove(key);
      if (!page.mayBeStored) return;
      insert(key, { page, storedAt: now(), size: page.body.byteLength + ENTRY_OVERHEAD, texts: new Map() });
    },
    refresh(key) {
      const entry = entries.get(key);
      if (entry !== undefined) entry.storedAt = now();
    },
    getText(key, page, variant) {
      const entry = entries.get(key);
      return entry?.page === page ? entry.texts.get(variant) : undefined;
    },
    putText(key, page, { variant, text }) {
      const entry = entries.get(key);
      if (entry?.page !== page || entry.texts.has(variant)) return;
      remove(key);
      entry.texts.set(variant, text);
      entry.size += text.text.length * BYTES_PER_CHARACTER;
      insert(key, entry);
    },
    clear() {
      entries.clear();
      total = 0;
    },
  };
}
