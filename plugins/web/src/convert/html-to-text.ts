const SKIPPED: ReadonlySet<string> = new Set([
  "script", "style", "svg", "template", "iframe", "frame", "frameset", "object", "embed", "canvas", "noembed", "noframes", "head", "select", "textarea",
]);
// Their content is not markup: a `<` in it starts nothing.
const RAW: ReadonlySet<string> = new Set(["script", "style", "iframe", "noembed", "noframes", "textarea", "title", "xmp"]);
const BLOCKS: ReadonlySet<string> = new Set([
  "address", "article", "aside", "blockquote", "body", "br", "dd", "details", "dialog", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
  "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table", "tr", "ul",
]);
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"], ["lt", "<"], ["gt", ">"], ["quot", '"'], ["apos", "'"], ["nbsp", " "], ["copy", "©"], ["reg", "®"], ["trade", "™"], ["hellip", "…"],
  ["mdash", "—"], ["ndash", "–"], ["lsquo", "‘"], ["rsquo", "’"], ["ldquo", "“"], ["rdquo", "”"], ["laquo", "«"], ["raquo", "»"], ["bull", "•"],
  ["middot", "·"], ["times", "×"], ["deg", "°"], ["euro", "€"], ["pound", "£"], ["sect", "§"], ["para", "¶"], ["larr", "←"], ["rarr", "→"], ["auml", "ä"],
  ["ouml", "ö"], ["uuml", "ü"], ["Auml", "Ä"], ["Ouml", "Ö"], ["Uuml", "Ü"], ["szlig", "ß"], ["eacute", "é"], ["egrave", "è"], ["agrave", "à"], ["ccedil", "ç"],
]);
const WINDOWS_1252 = new TextDecoder("windows-1252");

interface Tag {
  readonly name: string;
  readonly isClosing: boolean;
  readonly isEmpty: boolean;
  /** Where the text goes on. */
  readonly end: number;
}

/** Gives the text of HTML in one pass whose time grows with its length alone, whatever the nesting (SEC-RES-2). */
export function htmlToText(html: string): string {
  const parts: string[] = [];
  // Names looked for in vain: without this, a page of unclosed tags would be searched once for each.
  const unclosed = new Set<string>();
  let preDepth = 0;
  let position = 0;
  while (position < html.length) {
    const open = html.indexOf("<", position);
    const textEnd = open === -1 ? html.length : open;
    if (textEnd > position) parts.push(toText(html.slice(position, textEnd), preDepth > 0));
    if (open === -1) break;
    const tag = readTag(html, open);
    if (tag === undefined) {
      parts.push("<");
      position = open + 1;
      continue;
    }
    position = tag.end;
    if (!tag.isClosing && SKIPPED.has(tag.name) && !tag.isEmpty) position = skipElement(html, tag, unclosed);
    if (tag.name === "pre") preDepth = Math.max(0, preDepth + (tag.isClosing ? -1 : 1));
    if (BLOCKS.has(tag.name)) parts.push("\n");
    else if (tag.name === "td" || tag.name === "th") parts.push("\t");
  }
  return tidyLines(parts.join(""));
}

/** Reads what a `<` starts; nothing when it is plain text. Whatever is never closed reaches to the end. */
function readTag(html: string, open: number): Tag | undefined {
  if (html.startsWith("<!--", open)) return { name: "", isClosing: false, isEmpty: true, end: endAfter(html, "-->", open + 4) };
  const next = html.charAt(open + 1);
  if (next === "!" || next === "?") return { name: "", isClosing: false, isEmpty: true, end: endAfter(html, ">", open + 1) };
  const isClosing = next === "/";
  const nameStart = isClosing ? open + 2 : open + 1;
  if (!/[a-z]/i.test(html.charAt(nameStart))) return undefined;
  let nameEnd = nameStart;
  while (nameEnd < html.length && !/[\s/>]/.test(html.charAt(nameEnd))) nameEnd += 1;
  const end = findTagEnd(html, nameEnd);
  return { name: html.slice(nameStart, Math.min(nameEnd, nameStart + 40)).toLowerCase(), isClosing, isEmpty: html.charAt(end - 2) === "/", end };
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
function skipElement(html: string, tag: Tag, unclosed: Set<string>): number {
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

function toText(raw: string, isPreformatted: boolean): string {
  const text = raw.includes("&") ? raw.replace(/&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});/g, decodeEntity) : raw;
  return isPreformatted ? text : text.replace(/\s+/g, " ");
}

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith("#")) return ENTITIES.get(name) ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.decode(Uint8Array.of(code));
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\u{FFFD}";
}

/** Trims lines and leaves at most one empty line between two others. */
function tidyLines(text: string): string {
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    const trimmed = line.trimEnd().replace(/^ (?=\S)/, "").replace(/^\t/, "");
    if (trimmed !== "" || (kept.length > 0 && kept.at(-1) !== "")) kept.push(trimmed);
  }
  return kept.join("\n").trim();
}
