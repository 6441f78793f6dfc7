import { readTag, skipElement, type HtmlTag } from "./scan-html.ts";

const SKIPPED: ReadonlySet<string> = new Set([
  "script",
  "style",
  "svg",
  "template",
  "iframe",
  "frame",
  "frameset",
  "object",
  "embed",
  "canvas",
  "noembed",
  "noframes",
  "head",
  "title",
  "select",
  "textarea",
]);
const BLOCKS: ReadonlySet<string> = new Set([
  "address",
  "article",
  "aside",
  "blockquote",
  "body",
  "br",
  "dd",
  "details",
  "dialog",
  "div",
  "dl",
  "dt",
  "fieldset",
  "figcaption",
  "figure",
  "footer",
  "form",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "header",
  "hr",
  "li",
  "main",
  "nav",
  "ol",
  "p",
  "pre",
  "section",
  "summary",
  "table",
  "tr",
  "ul",
]);
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
  ["copy", "©"],
  ["reg", "®"],
  ["trade", "™"],
  ["hellip", "…"],
  ["mdash", "—"],
  ["ndash", "–"],
  ["lsquo", "‘"],
  ["rsquo", "’"],
  ["ldquo", "“"],
  ["rdquo", "”"],
  ["laquo", "«"],
  ["raquo", "»"],
  ["bull", "•"],
  ["middot", "·"],
  ["times", "×"],
  ["deg", "°"],
  ["euro", "€"],
  ["pound", "£"],
  ["sect", "§"],
  ["para", "¶"],
  ["larr", "←"],
  ["rarr", "→"],
  ["auml", "ä"],
  ["ouml", "ö"],
  ["uuml", "ü"],
  ["Auml", "Ä"],
  ["Ouml", "Ö"],
  ["Uuml", "Ü"],
  ["szlig", "ß"],
  ["eacute", "é"],
  ["egrave", "è"],
  ["agrave", "à"],
  ["ccedil", "ç"],
]);
const WINDOWS_1252 = new TextDecoder("windows-1252");

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
    pushText(parts, toText(html.slice(position, textEnd), preDepth > 0));
    if (open === -1) break;
    const tag = readTag(html, open);
    if (tag === undefined) {
      parts.push("<");
      position = open + 1;
      continue;
    }
    position = tag.end;
    if (SKIPPED.has(tag.name) && !tag.isClosing && !tag.isEmpty) position = skipElement(html, tag, unclosed);
    if (tag.name === "pre") preDepth = Math.max(0, preDepth + (tag.isClosing ? -1 : 1));
    pushBreak(parts, tag);
  }
  return tidyLines(parts.join(""));
}

/** A space between two elements is their author's indentation. */
function pushText(parts: string[], text: string): void {
  const last = parts.at(-1);
  if (text === "" || (text === " " && (last === "\n" || last === "\t"))) return;
  parts.push(text);
}

function pushBreak(parts: string[], { name, isClosing }: HtmlTag): void {
  const isCell = !isClosing && (name === "td" || name === "th");
  if (!isCell && !BLOCKS.has(name)) return;
  if (parts.at(-1) === " ") parts.pop();
  parts.push(isCell ? "\t" : "\n");
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
    const trimmed = line
      .trimEnd()
      .replace(/^ (?=\S)/, "")
      .replace(/^\t/, "");
    if (trimmed !== "" || (kept.length > 0 && kept.at(-1) !== "")) kept.push(trimmed);
  }
  return kept.join("\n").trim();
}
