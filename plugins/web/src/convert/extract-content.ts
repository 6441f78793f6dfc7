import { Readability } from "@mozilla/readability";
import { DefuddleClass } from "defuddle/node";
import type { ParsedDocument } from "./parse-document.ts";
import type { PageMetadata } from "./read-metadata.ts";

// The better extractor takes seconds for a mebibyte, the other a fifth of it.
const MAX_DEFUDDLE_LENGTH = 512 * 1024;

/** The part of a page that a reader came for. */
export interface ExtractedContent extends PageMetadata {
  readonly html: string;
  readonly extraction: "defuddle" | "readability" | "full";
}

/** Finds the main content, by the better extractor that succeeds, else gives the whole body. */
export function extractContent(parsed: ParsedDocument, url: string): ExtractedContent {
  // Extractors change the document; the body is kept for when both fail.
  const whole = takeWhole(parsed);
  const isSmall = whole.html.length <= MAX_DEFUDDLE_LENGTH;
  return (isSmall ? tryDefuddle(parsed.document, url) : undefined) ?? tryReadability(parsed.document) ?? whole;
}

/** Gives the whole body. */
export function takeWhole({ body }: ParsedDocument): ExtractedContent {
  return { html: body.innerHTML, extraction: "full" };
}

function tryDefuddle(document: unknown, url: string): ExtractedContent | undefined {
  try {
    // Some site extractors would fetch more by themselves: they are off, and so is the function they would use.
    const extractor = new DefuddleClass(withStyleStubs(document), { url, useAsync: false, fetch: refuseFetch });
    const { content, title, author, published } = extractor.parse();
    return hasText(content) ? { html: content, title, byline: author, published, extraction: "defuddle" } : undefined;
  } catch {
    return undefined;
  }
}

function tryReadability(document: unknown): ExtractedContent | undefined {
  try {
    // Its types want a browser's document; the parser's tree has what it reads.
    const article = new Readability(document as ConstructorParameters<typeof Readability>[0]).parse();
    if (article === null || !hasText(article.content ?? "")) return undefined;
    const { content, title, byline, publishedTime } = article;
    return {
      html: content ?? "",
      title: title ?? "",
      byline: byline ?? "",
      published: publishedTime ?? "",
      extraction: "readability",
    };
  } catch {
    return undefined;
  }
}

/** The extractor asks a browser's document for style sheets, which the parser does not have. */
function withStyleStubs(document: unknown): ConstructorParameters<typeof DefuddleClass>[0] {
  const stubbed = document as { styleSheets?: unknown; defaultView?: { getComputedStyle?: unknown } | null };
  stubbed.styleSheets ??= [];
  if (stubbed.defaultView) stubbed.defaultView.getComputedStyle ??= () => ({ display: "" });
  return document as ConstructorParameters<typeof DefuddleClass>[0];
}

function refuseFetch(): Promise<never> {
  return Promise.reject(new TypeError("Converting a page fetches nothing."));
}

function hasText(html: string): boolean {
  return html.replace(/<[^>]*>/g, "").trim() !== "";
}
