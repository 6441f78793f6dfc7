import { createHash } from "node:crypto";
import type { FetchedPage } from "../network/fetch-page.ts";
import type { RenderedPage } from "../render-page.ts";
import { takeWindow } from "../take-window.ts";
import { cleanUntrustedLine, wrapUntrusted } from "../untrusted.ts";
import type { WebFetchOutput } from "./web-fetch-output.ts";

/** What a result is made of. */
export interface ShownPage {
  /** As it was asked for. */
  readonly url: string;
  readonly startIndex: number;
  readonly maxChars: number;
  readonly page: FetchedPage;
  readonly rendered: RenderedPage;
  readonly fromCache: boolean;
}

/** How much of a page a result shows. */
interface Shape {
  readonly chars: number;
  readonly links: number;
  readonly addressChars: number;
}

/** A window below this is worth shortening addresses for. */
const WANTED_WINDOW = 1000;
const SHORT_ADDRESS = 300;

/**
 * Composes a result within `budget` characters as JSON: links give way first, then content, which can be read on with, and
 * addresses only where they would leave no room for it. A budget that not even one character of content fits is left to the host.
 */
export function composeOutput(shown: ShownPage, budget: number = Number.POSITIVE_INFINITY): WebFetchOutput {
  const sha256 = createHash("sha256").update(shown.page.body).digest("hex");
  const compose = (shape: Shape): WebFetchOutput => toOutput({ ...shown, sha256, budget }, shape);
  const fits = (shape: Shape): boolean => measureJson(compose(shape)) <= budget;
  const links = shown.rendered.links?.length ?? 0;
  const all: Shape = { chars: shown.maxChars, links, addressChars: Number.POSITIVE_INFINITY };
  if (fits(all)) return compose(all);
  if (fits({ ...all, links: 0 }))
    return compose({ ...all, links: findLargest(0, links, (count) => fits({ ...all, links: count })) });
  const least: Shape = { ...all, links: 0, chars: Math.min(shown.maxChars, WANTED_WINDOW) };
  const base = fits(least) ? least : { ...least, addressChars: SHORT_ADDRESS };
  return compose({ ...base, chars: findLargest(1, shown.maxChars, (chars) => fits({ ...base, chars })) });
}

/** Largest number from `least` on that fits; `least` itself is taken unasked. */
function findLargest(least: number, most: number, fits: (count: number) => boolean): number {
  let low = least;
  for (let high = most; low < high;) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface Facts extends ShownPage {
  readonly sha256: string;
  readonly budget: number;
}

/** Fields at their obvious value are left out. */
function toOutput(facts: Facts, { chars, links: linkCount, addressChars }: Shape): WebFetchOutput {
  const { page, rendered, fromCache } = facts;
  const { title, byline, published, charset, extraction } = rendered;
  const window = takeWindow(rendered.text, facts.startIndex, chars);
  const links = rendered.links?.slice(0, linkCount) ?? [];
  const shorten = (address: string): string =>
    address.length > addressChars ? `${address.slice(0, addressChars)}…` : address;
  const notices = toNotices(facts, {
    shown: window.content.length,
    isWhole: window.nextIndex === undefined,
    chars,
    linkCount,
    addressChars,
  });
  return {
    url: shorten(cleanUntrustedLine(facts.url, 8192) ?? ""),
    final_url: shorten(page.finalUrl),
    ...(page.redirects.length > 0 && { redirects: page.redirects.map(shorten) }),
    status_code: page.statusCode,
    content_type: cleanUntrustedLine(page.contentType, 200) ?? "",
    ...(charset !== "utf-8" && { charset }),
    ...(title !== undefined && { title }),
    ...(byline !== undefined && { byline }),
    ...(published !== undefined && { published }),
    content: wrapUntrusted(window.content, shorten(page.finalUrl)),
    total_chars: window.totalChars,
    ...(window.nextIndex !== undefined && { truncated: true, next_index: window.nextIndex }),
    ...(links.length > 0 && { links: [...links] }),
    bytes: page.body.byteLength,
    ...(fromCache && { from_cache: true }),
    extraction,
    sha256: facts.sha256,
    ...(notices.length > 0 && { notices }),
  };
}

interface Given {
  readonly shown: number;
  readonly isWhole: boolean;
  readonly chars: number;
  readonly linkCount: number;
  readonly addressChars: number;
}

function toNotices({ rendered, maxChars, budget }: Facts, given: Given): string[] {
  const notices = rendered.notice === undefined ? [] : [rendered.notice];
  const links = rendered.links?.length ?? 0;
  if (given.chars < maxChars && !given.isWhole)
    notices.push(
      `max_chars was lowered from ${maxChars} to ${given.shown}, since ${budget} characters of a result are passed on; read on at next_index`,
    );
  if (given.linkCount < links)
    notices.push(`${given.linkCount} of ${links} links are shown, to leave room for the content`);
  if (Number.isFinite(given.addressChars))
    notices.push(`addresses longer than ${given.addressChars} characters end in …`);
  return notices;
}

/** Characters a value takes as JSON, with one more for each container, since a host may count a comma after every member. */
function measureJson(value: unknown): number {
  let containers = 0;
  const text = JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === "object" && member !== null) containers += 1;
    return member;
  });
  return text.length + containers;
}
