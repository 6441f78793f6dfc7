import type { DomDocument } from "./dom.ts";

/** What a page says of itself. */
export interface PageMetadata {
  readonly title?: string | undefined;
  readonly byline?: string | undefined;
  readonly published?: string | undefined;
}

type Selector = readonly [selector: string, attribute: string | undefined];

const TITLE: readonly Selector[] = [
  ["title", undefined],
  ['meta[property="og:title"]', "content"],
  ["h1", undefined],
];
const BYLINE: readonly Selector[] = [
  ['meta[name="author"]', "content"],
  ['meta[property="article:author"]', "content"],
  ['[rel="author"]', undefined],
  ['[itemprop="author"]', undefined],
];
const PUBLISHED: readonly Selector[] = [
  ['meta[property="article:published_time"]', "content"],
  ['meta[name="date"]', "content"],
  ['[itemprop="datePublished"]', "content"],
  ['[itemprop="datePublished"]', "datetime"],
  ["time[datetime]", "datetime"],
];

/** Reads title, author and date from the usual places, in order of trust. */
export function readMetadata(document: DomDocument): PageMetadata {
  return {
    title: findFirst(document, TITLE),
    byline: findFirst(document, BYLINE),
    published: findFirst(document, PUBLISHED),
  };
}

function findFirst(document: DomDocument, selectors: readonly Selector[]): string | undefined {
  for (const [selector, attribute] of selectors) {
    const element = document.querySelector(selector);
    const value = (attribute === undefined ? element?.textContent : element?.getAttribute(attribute))?.trim();
    if (value) return value.slice(0, 1000);
  }
  return undefined;
}
