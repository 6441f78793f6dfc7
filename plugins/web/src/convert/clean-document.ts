import { COMMENT_NODE, walkNodes, type DomDocument, type DomElement, type DomNode } from "./dom.ts";

const REMOVED =
  "script,style,svg,template,iframe,frame,frameset,object,embed,applet,canvas,link,noembed,noframes,input,select,textarea,button[hidden],dialog:not([open])";
const URL_ATTRIBUTES: readonly (readonly [selector: string, attribute: string])[] = [
  ["a[href]", "href"],
  ["area[href]", "href"],
  ["img[src]", "src"],
  ["source[src]", "src"],
  ["video[src]", "src"],
  ["audio[src]", "src"],
];
const LINK_SCHEMES: ReadonlySet<string> = new Set(["http:", "https:", "mailto:", "tel:"]);

/** The address that relative links of a document stand against. */
export function resolveBase(document: DomDocument, pageUrl: string): string {
  const href = document.querySelector("base[href]")?.getAttribute("href");
  const base = href ? URL.parse(href, pageUrl) : null;
  return base !== null && (base.protocol === "http:" || base.protocol === "https:") ? base.href : pageUrl;
}

/** Removes what is no text, makes links absolute, and drops links that are no addresses; changes the document. */
export function cleanDocument(document: DomDocument, root: DomElement, base: string): void {
  for (const element of document.querySelectorAll(REMOVED)) element.remove();
  removeComments(root);
  for (const image of document.querySelectorAll("img")) {
    if (!/^\s*(?!data:)\S/i.test(image.getAttribute("src") ?? "")) image.remove();
    // The candidates of a set may be data too, and one address is enough for a reader.
    else image.removeAttribute("srcset");
  }
  for (const [selector, attribute] of URL_ATTRIBUTES) {
    for (const element of document.querySelectorAll(selector)) toAbsolute(element, attribute, base);
  }
}

function removeComments(root: DomElement): void {
  const comments: DomNode[] = [];
  for (const { node } of walkNodes(root)) {
    if (node.nodeType === COMMENT_NODE) comments.push(node);
  }
  for (const comment of comments) (comment as DomElement).remove();
}

function toAbsolute(element: DomElement, attribute: string, base: string): void {
  const value = element.getAttribute(attribute) ?? "";
  const url = URL.parse(value, base);
  if (url !== null && LINK_SCHEMES.has(url.protocol)) element.setAttribute(attribute, url.href);
  else element.removeAttribute(attribute);
}
