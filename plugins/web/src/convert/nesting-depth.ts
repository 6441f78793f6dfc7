import { readTag, skipElement } from "./scan-html.ts";

// Elements without content, and those whose end tag may be left out: they do not nest, or not for long.
const NOT_COUNTED: ReadonlySet<string> = new Set(
  (
    "area base br col embed hr img input link meta source track wbr " +
    "p li dt dd rt rp option optgroup thead tbody tfoot tr td th colgroup caption html head body"
  ).split(" "),
);
const RAW: ReadonlySet<string> = new Set(["script", "style", "textarea", "title"]);

/** Says from the tags alone whether elements lie deeper than `limit`: cheaper than parsing what would be too deep. */
export function isNestedDeeper(html: string, limit: number): boolean {
  const unclosed = new Set<string>();
  let depth = 0;
  let position = html.indexOf("<");
  while (position !== -1) {
    const tag = readTag(html, position);
    const next = tag?.end ?? position + 1;
    const isElement = tag !== undefined && tag.name !== "" && !tag.isEmpty;
    if (isElement && !NOT_COUNTED.has(tag.name)) depth = Math.max(0, depth + (tag.isClosing ? -1 : 1));
    if (depth > limit) return true;
    const isRaw = isElement && !tag.isClosing && RAW.has(tag.name);
    if (isRaw) depth -= 1;
    position = html.indexOf("<", isRaw ? skipElement(html, tag, unclosed) : next);
  }
  return false;
}
