const TAG = "untrusted-web-content";

// Characters without a shape of their own: zero-width, bidirectional controls, tags and other carriers of hidden text. The two
// variation selectors that choose between text and emoji stay after an emoji, where they are ordinary writing.
const INVISIBLE =
  /(?![\u{FE0E}\u{FE0F}])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]|(?<!\p{Emoji})[\u{FE0E}\u{FE0F}]/gu;
const CONTROL = /[\u{0}-\u{8}\u{B}\u{C}\u{E}-\u{1F}\u{7F}-\u{9F}\u{2028}\u{2029}]/gu;
const WRAPPER_TAG = /<(?=[\s/]*untrusted-web-content)/giu;

/** Makes fetched text safe to wrap: invisible and control characters go, tags of the wrapper are escaped (SEC-NET-10). */
export function cleanUntrusted(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(INVISIBLE, "")
    .replace(CONTROL, (character) => (character === "\u2028" || character === "\u2029" ? "\n" : ""))
    .replace(WRAPPER_TAG, "&lt;");
}

/** Makes one short line of fetched text, such as a title; gives nothing when nothing is left. */
export function cleanUntrustedLine(text: string | undefined, maxLength: number = 300): string | undefined {
  const line = cleanUntrusted((text ?? "").slice(0, maxLength * 4))
    .split(/\s+/u)
    .filter((word) => word !== "")
    .join(" ");
  if (line === "") return undefined;
  return line.length > maxLength ? `${line.slice(0, maxLength).toWellFormed()}…` : line;
}

/** Wraps cleaned text with its source; see {@link cleanUntrusted}. */
export function wrapUntrusted(cleaned: string, source: string): string {
  return `<${TAG} source="${escapeAttribute(source)}">\n${cleaned}\n</${TAG}>`;
}

function escapeAttribute(text: string): string {
  return cleanUntrusted(text)
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\n", " ");
}
