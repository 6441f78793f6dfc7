import { parseContentType, resolveContentKind } from "./convert/content-kind.ts";
import type { Extraction, PageLink } from "./convert/convert-html.ts";
import { convertPage, type ConversionResult } from "./convert/convert-page.ts";
import { decodeText } from "./convert/decode-text.ts";
import type { FetchedPage } from "./network/fetch-page.ts";
import { cleanUntrusted, cleanUntrustedLine } from "./untrusted.ts";

/** How a page is to be shown. */
export interface RenderOptions {
  readonly format: "markdown" | "text" | "html" | "raw";
  readonly mainContent: boolean;
  readonly signal: AbortSignal;
}

/** A page as text that is safe to wrap and to cut into windows. */
export interface RenderedPage {
  readonly text: string;
  readonly charset: string;
  readonly extraction: Extraction;
  readonly title?: string | undefined;
  readonly byline?: string | undefined;
  readonly published?: string | undefined;
  readonly links?: readonly PageLink[] | undefined;
  readonly notice?: string | undefined;
}

/**
 * Decodes and converts a page; JSON and other text stay as they are.
 * @throws ToolError `unsupported_content`.
 */
export async function renderPage(
  page: FetchedPage,
  { format, mainContent, signal }: RenderOptions,
): Promise<RenderedPage> {
  const { mediaType, charset: headerCharset } = parseContentType(page.contentType);
  const kind = resolveContentKind(mediaType, page.body);
  const { text, charset } = decodeText(page.body, headerCharset);
  if (kind === "text" || format === "raw") return { text: cleanUntrusted(text), charset, extraction: "verbatim" };
  const converted = await convertPage({ html: text, url: page.finalUrl, format, mainContent }, { signal });
  return { ...cleanConverted(converted), charset };
}

/** Everything a page says of itself is its own text, and cleaned as such. */
function cleanConverted(converted: ConversionResult): Omit<RenderedPage, "charset"> {
  return {
    text: cleanUntrusted(converted.content),
    extraction: converted.extraction,
    title: cleanUntrustedLine(converted.title),
    byline: cleanUntrustedLine(converted.byline),
    published: cleanUntrustedLine(converted.published, 60),
    links: converted.links?.map(({ text, url }) => ({
      text: cleanUntrustedLine(text, 120) ?? "",
      url: url.slice(0, 2000),
    })),
    notice: converted.notice,
  };
}
