import { ToolError } from "@aiw/core";
import type { DirectoryEntry, Workspace } from "@aiw/core/node";
import { showName } from "../files/show-name.ts";
import { pathBelowPlace, showBelow } from "../search/search-place.ts";
import type { TreeNode } from "./grow-tree.ts";

/** Trees as text, and what the text leaves out. */
export interface RenderedTree {
  readonly content: string;
  readonly entries: number;
  readonly omitted: number;
  /** Some folder holds more than was listed, so `omitted` is too low. */
  readonly isCut: boolean;
  readonly ignored: number;
  /** As results name them. */
  readonly unreadable: readonly string[];
}

interface Page {
  readonly workspace: Workspace;
  readonly lines: string[];
  readonly unreadable: string[];
  entries: number;
  omitted: number;
  ignored: number;
  isCut: boolean;
}

/** Writes trees as indented lines: a folder's files first, so that they stand below its name, then its folders with what they hold. */
export async function renderTrees(workspace: Workspace, tops: readonly TreeNode[]): Promise<RenderedTree> {
  const page: Page = { workspace, lines: [], unreadable: [], entries: 0, omitted: 0, ignored: 0, isCut: false };
  for (const top of tops) {
    const { shown } = top.folder.place;
    await renderFolder(page, top, { name: showName(shown.endsWith("/") ? shown : `${shown}/`), indent: "" });
  }
  const { lines, ...counts } = page;
  return { ...counts, content: lines.join("\n") };
}

async function renderFolder(page: Page, node: TreeNode, at: { name: string; indent: string }): Promise<void> {
  const { content, state } = node;
  const { name, indent } = at;
  if (state === "unreadable") page.unreadable.push(showName(showBelow(node.folder.place, node.folder.names)));
  if (content === undefined || state !== "open") {
    page.lines.push(`${indent}${name} ${state === "unreadable" ? "(unreadable)" : "…"}`);
    page.omitted += content === undefined ? 0 : content.others.length + content.folders.length;
    return;
  }
  page.ignored += content.ignored;
  page.isCut ||= content.isCut;
  page.lines.push(`${indent}${name}`);
  const inner = `${indent}  `;
  for (const entry of node.others) page.lines.push(`${inner}${await renderEntry(page, node, entry)}`);
  renderRest(page, inner, {
    count: content.others.length - node.others.length,
    what: content.isCut ? " at least" : "",
  });
  for (const [entry, below] of node.folders) {
    await renderFolder(page, below, { name: `${showName(entry.name)}/`, indent: inner });
  }
  renderRest(page, inner, { count: content.folders.length - node.folders.length, what: " folders" });
  page.entries += node.others.length + node.folders.length;
}

function renderRest(page: Page, indent: string, { count, what }: { count: number; what: string }): void {
  if (count <= 0) return;
  page.lines.push(`${indent}… ${count} more${what}`);
  page.omitted += count;
}

async function renderEntry({ workspace }: Page, node: TreeNode, entry: DirectoryEntry): Promise<string> {
  const name = showName(entry.name);
  if (entry.kind === "file" || entry.kind === "unknown") return name;
  if (entry.kind !== "link") return `${name} (${entry.kind})`;
  if (entry.nameBytes !== undefined) return `${name} ->`;
  const path = pathBelowPlace(node.folder.place, [...node.folder.names, entry.name]);
  try {
    return `${name} -> ${showName(await workspace.readlink(path))}`;
  } catch (error) {
    if (ToolError.is(error) && error.code !== "cancelled") return `${name} ->`;
    throw error;
  }
}
