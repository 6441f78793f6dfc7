import { ToolError } from "@aiw/core";
import type { WorkspaceRoots } from "@aiw/core";
import type { Workspace } from "@aiw/core/node";
import { sep } from "node:path";
import { filesystemError } from "../errors.ts";
import { throughLink } from "../files/explain-link.ts";
import { isIgnoredAnywhere, parseIgnoreRules, RULE_FILES, type FolderRules, type IgnoreChain } from "./ignore-rules.ts";

/** A file or folder to search, and the ignore rules that reach it from above. */
export interface SearchPlace {
  readonly kind: "file" | "directory";
  /** As results name it, with `/`. */
  readonly shown: string;
  /** As the caller named it, made absolute. */
  readonly path: string;
  /** Absolute and free of links. */
  readonly realPath: string;
  /** The root it lies in, free of links. */
  readonly realRoot: string;
  /** Names from the root to it. */
  readonly names: readonly string[];
  /** Whether rules of the folders above hide it, unless they were not asked for. */
  readonly isIgnored: boolean;
  /** Rules of the folders above, outermost first; none when they would hide the place itself. */
  readonly chain: IgnoreChain;
}

/** Where a search begins and which rules it heeds. */
export interface PlaceRequest {
  readonly path: string;
  readonly noIgnore: boolean;
}

const RULE_FILE_BYTES = 1024 * 1024;

/**
 * Finds the place a search begins at.
 * @throws ToolError `not_found`, `outside_root`, `not_regular_file`, `permission_denied`.
 */
export async function findSearchPlace(
  workspace: Workspace,
  roots: WorkspaceRoots,
  { path, noIgnore }: PlaceRequest,
): Promise<SearchPlace> {
  const { kind, realPath } = await throughLink(workspace, path, async () => await workspace.stat(path));
  if (kind !== "file" && kind !== "directory") {
    throw filesystemError("not_regular_file", `Neither a file nor a directory but a ${kind}: ${path}`);
  }
  const realRoot = await findRoot(workspace, roots, realPath);
  const names = realPath
    .slice(realRoot.length)
    .split(sep)
    .filter((name) => name !== "");
  const chain = noIgnore ? [] : await loadChain(workspace, realRoot, names);
  const absolute = workspace.resolve(path);
  const isHidden = isIgnoredAnywhere(chain, { names, isFolder: kind === "directory" });
  return {
    kind,
    shown: workspace.display(absolute),
    path: absolute,
    realPath,
    realRoot,
    names,
    isIgnored: isHidden,
    chain: isHidden ? [] : chain,
  };
}

/** The path by which results name something below a place. */
export function showBelow(place: SearchPlace, names: readonly string[]): string {
  const base = place.shown === "." ? [] : [place.shown.replace(/\/$/u, "")];
  return names.length === 0 ? place.shown : [...base, ...names].join("/");
}

/** The path by which the workspace opens something below a place. */
export function pathBelowPlace(place: SearchPlace, names: readonly string[]): string {
  return names.length === 0
    ? place.path
    : [place.path.endsWith(sep) ? place.path.slice(0, -1) : place.path, ...names].join(sep);
}

/** Reads the rule files of a folder; `present` spares looking for files that are not there. */
export async function loadFolderRules(
  workspace: Workspace,
  folder: string,
  { depth, present }: { readonly depth: number; readonly present?: ReadonlySet<string> },
): Promise<FolderRules | undefined> {
  const rules = await Promise.all(
    RULE_FILES.map(async (name) => {
      if (present !== undefined && !present.has(name)) return [];
      const text = await readRuleFile(workspace, `${folder.endsWith(sep) ? folder : folder + sep}${name}`);
      return parseIgnoreRules(text);
    }),
  );
  return rules.every((list) => list.length === 0) ? undefined : { depth, rules };
}

async function loadChain(workspace: Workspace, root: string, names: readonly string[]): Promise<IgnoreChain> {
  const chain: FolderRules[] = [];
  for (const depth of names.keys()) {
    const folder = [root === sep ? "" : root, ...names.slice(0, depth)].join(sep) || sep;
    const rules = await loadFolderRules(workspace, folder, { depth });
    if (rules !== undefined) chain.push(rules);
  }
  return chain;
}

async function readRuleFile(workspace: Workspace, path: string): Promise<string> {
  try {
    const { bytes } = await workspace.readFile(path, { maxBytes: RULE_FILE_BYTES });
    return new TextDecoder().decode(bytes);
  } catch (error) {
    // Rules that cannot be read hide nothing; what ends the call is no such thing.
    if (ToolError.is(error) && error.code !== "cancelled") return "";
    throw error;
  }
}

async function findRoot(workspace: Workspace, { roots }: WorkspaceRoots, realPath: string): Promise<string> {
  const real = await Promise.all(
    roots.map(async (root) => {
      try {
        return (await workspace.stat(root)).realPath;
      } catch (error) {
        if (ToolError.is(error) && error.code !== "cancelled") return undefined;
        throw error;
      }
    }),
  );
  const holding = real.filter((root) => root !== undefined && isWithin(root, realPath));
  return holding.toSorted((left, right) => (left?.length ?? 0) - (right?.length ?? 0))[0] ?? realPath;
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}
