import { cleanDocument, resolveBase } from "./clean-document.ts";
import { walkNodes, ELEMENT_NODE, type DomElement } from "./dom.ts";
import { extractContent, takeWhole } from "./extract-content.ts";
import { htmlToText } from "./html-to-text.ts";
import { isNestedDeeper } from "./nesting-depth.ts";
import { parseDocument, type ParsedDocument } from "./parse-document.ts";
import { readMetadata, type PageMetadata } from "./read-metadata.ts";
import { toMarkdown } from "./to-markdown.ts";

const MAX_DEPTH = 512;
const MAX_LINKS = 100;

/** A page to convert; plain data, as it goes to another thread. */
export interface ConvertRequest {
  readonly html: string;
  /** The page's final address. */
  readonly url: string;
  readonly format: "markdown" | "text" | "html";
  readonly mainContent: boolean;
}

/** A link of a page, absolute. */
export interface PageLink {
  readonly text: string;
  readonly url: string;
}

/** How content was found: by an extractor, as the whole page, as text without structure, or as it came. */
export type Extraction = "defuddle" | "readability" | "full" | "text" | "verbatim";

/** A converted page. */
export interface ConvertedPage extends PageMetadata {
  readonly content: string;
  readonly extraction: Extraction;
  /** Only for plain text, which shows none. */
  readonly links?: readonly PageLink[];
}

/** Converts a page; runs where it can be killed (SEC-RES-2). */
export function convertHtml(request: ConvertRequest): ConvertedPage {
  const parsed = isNestedDeeper(request.html, MAX_DEPTH) ? undefined : parseDocument(request.html);
  if (parsed === undefined || isTooDeep(parsed.root)) return { content: htmlToText(request.html), extraction: "text" };
  const metadata = readMetadata(parsed.document);
  cleanDocument(parsed.document, parsed.root, resolveBase(parsed.document, request.url));
  const links = request.format === "text" ? collectLinks(parsed.body) : undefined;
  const found = request.mainContent ? extractContent(parsed, request.url) : takeWhole(parsed);
  const content = render(found.html, request.format);
  // An extractor that leaves nothing of a page with text has failed.
  if (content === "")
    return { ...metadata, content: htmlToText(request.html), extraction: "text", ...(links && { links }) };
  return { ...preferFound(found, metadata), content, extraction: found.extraction, ...(links && { links }) };
}

function render(html: string, format: ConvertRequest["format"]): string {
  if (format === "html") return html.trim();
  return format === "text" ? htmlToText(html) : toMarkdown(html);
}

function preferFound(found: PageMetadata, metadata: PageMetadata): PageMetadata {
  return {
    title: found.title || metadata.title,
    byline: found.byline || metadata.byline,
    published: found.published || metadata.published,
  };
}

function isTooDeep(root: DomElement): boolean {
  for (const { depth } of walkNodes(root)) {
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function collectLinks(body: ParsedDocument["body"]): readonly PageLink[] {
  const links = new Map<string, string>();
  for (const { node } of walkNodes(body)) {
    if (links.size >= MAX_LINKS) break;
    if (node.nodeType !== ELEMENT_NODE || node.nodeName.toUpperCase() !== "A") continue;
    const url = (node as DomElement).getAttribute("href");
    if (url !== null && url.startsWith("http") && !links.has(url))
      links.set(url, (node.textContent ?? "").slice(0, 1000));
  }
  return [...links].map(([url, text]) => ({ url, text }));
}
