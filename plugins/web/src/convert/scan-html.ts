// Their content is not markup: a `<` in it starts nothing.
const RAW: ReadonlySet<string> = new Set([
  "script",
  "style",
  "iframe",
  "noembed",
  "noframes",
  "textarea",
  "title",
  "xmp",
]);

/** A tag, comment or declaration. */
export interface HtmlTag {
  /** Lower case; empty for comments and declarations. */
  readonly name: string;
  readonly isClosing: boolean;
  readonly isEmpty: boolean;
  /** Where the text goes on. */
  readonly end: number;
}

/** Reads what a `<` starts; nothing when it is plain text. Whatever is never closed reaches to the end. */
export function readTag(html: string, open: number): HtmlTag | undefined {
  if (html.startsWith("<!--", open))
    return { name: "", isClosing: false, isEmpty: true, end: endAfter(html, "-->", open + 4) };
  const next = html.charAt(open + 1);
  if (next === "!" || next === "?")
    return { name: "", isClosing: false, isEmpty: true, end: endAfter(html, ">", open + 1) };
  const isClosing = next === "/";
  const nameStart = isClosing ? open + 2 : open + 1;
  if (!/[a-z]/i.test(html.charAt(nameStart))) return undefined;
  let nameEnd = nameStart;
  while (nameEnd < html.length && !/[\s/>]/.test(html.charAt(nameEnd))) nameEnd += 1;
  const end = findTagEnd(html, nameEnd);
  return {
    name: html.slice(nameStart, Math.min(nameEnd, nameStart + 40)).toLowerCase(),
    isClosing,
    isEmpty: html.charAt(end - 2) === "/",
    end,
  };
}

function findTagEnd(html: string, from: number): number {
  let quote = "";
  for (let index = from; index < html.length; index += 1) {
    const character = html.charAt(index);
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === ">") {
      return index + 1;
    } else if ((character === '"' || character === "'") && html.charAt(index - 1) === "=") {
      quote = character;
    }
  }
  return html.length;
}

/** Skips to behind the closing tag; nesting of the same name is not followed, as its text is unwanted anyhow. */
export function skipElement(html: string, tag: HtmlTag, unclosed: Set<string>): number {
  if (unclosed.has(tag.name)) return tag.end;
  const closing = new RegExp(`</${tag.name}(?=[\\s/>])`, "gi");
  closing.lastIndex = tag.end;
  const found = closing.exec(html);
  if (found !== null) return findTagEnd(html, found.index + 2);
  unclosed.add(tag.name);
  // An unclosed `<svg>` or `<head>` must not swallow the page; an unclosed script has nothing after it.
  return RAW.has(tag.name) ? html.length : tag.end;
}

function endAfter(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from);
  return found === -1 ? html.length : found + mark.length;
}
