import { parseHTML } from "linkedom";
import { childElements, type DomDocument, type DomElement } from "./dom.ts";

/** A parsed page whose root and body exist, whatever tags its author left out. */
export interface ParsedDocument {
  readonly document: DomDocument;
  readonly root: DomElement;
  readonly body: DomElement;
}

/** Parses HTML; nothing is fetched and no script runs. */
export function parseDocument(html: string): ParsedDocument | undefined {
  const whole = parse(html);
  const document =
    whole.documentElement?.localName === "html"
      ? whole
      : parse(`<!doctype html><html><head></head><body>${html}</body></html>`);
  const root = document.documentElement;
  if (root === null) return undefined;
  return { document, root, body: findBody(document, root) };
}

function parse(html: string): DomDocument {
  // The parser's own types describe a browser window, which is not what it gives.
  const { document } = parseHTML(html) as unknown as { readonly document: DomDocument };
  return document;
}

/** The parser adds no missing body: what stands beside the head is moved into one. */
function findBody(document: DomDocument, root: DomElement): DomElement {
  const children = childElements(root);
  const body = children.find(({ localName }) => localName === "body") ?? document.createElement("body");
  const strays = children.filter(
    (child) => child !== body && child.localName !== "head" && child.localName !== "frameset",
  );
  body.append(...strays);
  root.append(body);
  return body;
}
