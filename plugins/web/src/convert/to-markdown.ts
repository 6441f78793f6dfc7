import Turndown from "turndown";
import { childElements, walkNodes, type DomElement } from "./dom.ts";

const MAX_COLUMNS = 100;
// What no cell of a Markdown table can hold.
const BLOCKS: ReadonlySet<string> = new Set(["TABLE", "PRE", "H1", "H2", "H3", "H4", "H5", "H6"]);
const LANGUAGE = /(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]{1,30})/;

/** Turns HTML into Markdown with fenced code and GitHub tables. */
export function toMarkdown(html: string): string {
  const service = new Turndown({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
    emDelimiter: "*",
    hr: "---",
  });
  const layout = new Map<DomElement, boolean>();
  const isLayoutTable = (element: DomElement): boolean => {
    const table = closestTable(element);
    if (table === undefined) return true;
    const known = layout.get(table) ?? hasNoGrid(table);
    layout.set(table, known);
    return known;
  };
  // The library's own types speak of a browser's elements.
  const asElement = (node: unknown): DomElement => node as DomElement;

  service.remove(["script", "style", "noscript", "title"]);
  service.addRule("fence", { filter: "pre", replacement: (_, node) => toFence(asElement(node)) });
  service.addRule("strikethrough", {
    filter: ["del", "s"],
    replacement: (content) => (content.trim() === "" ? "" : `~~${content}~~`),
  });
  service.addRule("tableSection", { filter: ["thead", "tbody", "tfoot"], replacement: (content) => content });
  service.addRule("table", { filter: "table", replacement: (content) => `\n\n${content.trim()}\n\n` });
  service.addRule("caption", { filter: "caption", replacement: (content) => `${content.trim()}\n\n` });
  service.addRule("tableRow", {
    filter: "tr",
    replacement: (content, node) =>
      isLayoutTable(asElement(node)) ? `\n\n${content}\n\n` : toRow(content, asElement(node)),
  });
  service.addRule("tableCell", {
    filter: ["th", "td"],
    replacement: (content, node) =>
      isLayoutTable(asElement(node)) ? `\n\n${content.trim()}\n\n` : toCell(content, asElement(node)),
  });
  return service.turndown(html).trim();
}

function toFence(pre: DomElement): string {
  const code = pre.textContent ?? "";
  if (code.trim() === "") return "";
  const child = childElements(pre).find(({ nodeName }) => nodeName === "CODE");
  const language = languageOf(child) ?? languageOf(pre) ?? "";
  const longest = (code.match(/`{3,}/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `\n\n${fence}${language}\n${code.replace(/^\n/, "").trimEnd()}\n${fence}\n\n`;
}

function languageOf(element: DomElement | undefined): string | undefined {
  return (
    LANGUAGE.exec(element?.getAttribute("class") ?? "")?.[1] ??
    LANGUAGE.exec(`lang-${element?.getAttribute("data-lang") ?? ""}`)?.[1]
  );
}

function toCell(content: string, cell: DomElement): string {
  const line = content
    .split("\n")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(" ")
    .replaceAll("|", "\\|");
  return ` ${line} |${"  |".repeat(spanOf(cell) - 1)}`;
}

function toRow(content: string, row: DomElement): string {
  const line = `|${content.replaceAll("\n", "")}\n`;
  if (!isFirstRow(row)) return line;
  const columns = childElements(row).reduce((count, cell) => count + spanOf(cell), 0);
  return `${line}|${" --- |".repeat(Math.min(columns, MAX_COLUMNS * 10))}\n`;
}

function spanOf(cell: DomElement): number {
  const span = Number(cell.getAttribute("colspan") ?? 1);
  return Number.isInteger(span) && span > 1 ? Math.min(span, MAX_COLUMNS) : 1;
}

function isFirstRow(row: DomElement): boolean {
  const table = closestTable(row);
  if (table === undefined) return false;
  for (const { node } of walkNodes(table)) {
    if (node.nodeName === "TR") return node === row;
  }
  return false;
}

function closestTable(element: DomElement): DomElement | undefined {
  for (let node = element.parentNode; node !== null; node = node.parentNode) {
    if (node.nodeName === "TABLE") return node as DomElement;
  }
  return undefined;
}

/** Tables that only place things: their cells are read one after another. */
function hasNoGrid(table: DomElement): boolean {
  const role = table.getAttribute("role");
  if (role === "presentation" || role === "none") return true;
  let widest = 0;
  for (const { node } of walkNodes(table)) {
    if (BLOCKS.has(node.nodeName)) return true;
    if (node.nodeName === "TR") widest = Math.max(widest, childElements(node).length);
  }
  return widest < 2;
}
