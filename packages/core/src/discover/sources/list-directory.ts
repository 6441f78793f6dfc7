import type { Dir, Dirent } from "node:fs";
import * as path from "node:path";
import { compareText, quote } from "../../register/create-finding.ts";
import { escapeHiddenText } from "../../schema/hidden-text.ts";
import { toErrno, type DiscoveryFileSystem } from "../discovery-ports.ts";
import type { Refusal } from "../read/read-declaration.ts";

/** A folder or module that may bring tools. */
export interface DirectoryChild {
  /** The folder's name or the module's stem, with its scope: what ids begin with, after `dir:`. */
  readonly name: string;
  readonly kind: "folder" | "module";
  /**
   * From the directory, as a declaration would write it. A linked folder is where its link leads: a link that leads elsewhere later
   * is another package, whose code can be loaded though that of the former runs.
   */
  readonly path: string;
}

/** Why one child is not looked at. */
export interface RefusedChild {
  readonly name: string;
  readonly refusal: Refusal;
}

/** What lies in a directory, sorted. */
export interface DirectoryChildren {
  readonly children: readonly DirectoryChild[];
  readonly refused: readonly RefusedChild[];
}

/** A directory as it is named, and with links followed. */
export interface DirectoryPlace {
  readonly dir: string;
  readonly realDir: string;
}

/** Names a directory of tools may have; nobody keeps more in one by hand. */
const MAX_NAMES = 10_000;

const MODULE = /^(.+)\.(?:[cm]?js|ts)$/;
/** What somebody may mean as a module, whether it is taken or not. */
const OTHER_MODULE = /\.(?:[cm]?[jt]s|[jt]sx)$/i;
const IGNORED_FOLDER = /^(?:\..*|node_modules|tests?|__.*__)$/;
const IGNORED_FILE = /^\.|\.d\.[cm]?ts$|\.(?:test|spec)\.[^.]+$/;

/** Lists a directory of tools, one level and its scopes, whatever hostile things lie in it. */
export function listDirectory(place: DirectoryPlace, fs: DiscoveryFileSystem): DirectoryChildren | Refusal {
  const listing: Listing = { place, fs, children: [], refused: [], names: 0 };
  const top = readNames(listing, "");
  if (!Array.isArray(top)) return top;
  for (const entry of top) {
    if (!entry.name.startsWith("@") || !isFolder(toTarget(entry, entry.name, listing))) addChild(entry, "", listing);
    else {
      const scope = `${entry.name}/`;
      const scoped = readNames(listing, scope);
      if (Array.isArray(scoped)) for (const child of scoped) addChild(child, scope, listing);
      else listing.refused.push({ name: entry.name, refusal: scoped });
    }
  }
  return {
    children: listing.children.toSorted((a, b) => compareText(a.name, b.name) || compareText(a.path, b.path)),
    refused: listing.refused,
  };
}

interface Listing {
  readonly place: DirectoryPlace;
  readonly fs: DiscoveryFileSystem;
  readonly children: DirectoryChild[];
  readonly refused: RefusedChild[];
  names: number;
}

function readNames(listing: Listing, scope: string): Dirent[] | Refusal {
  const dir = path.join(listing.place.dir, scope);
  let opened: Dir | undefined;
  try {
    opened = listing.fs.opendirSync(dir);
    const entries: Dirent[] = [];
    for (let entry = opened.readSync(); entry !== null; entry = opened.readSync()) {
      listing.names += 1;
      if (listing.names > MAX_NAMES) return tooLarge(dir);
      entries.push(entry);
    }
    return entries.toSorted((a, b) => compareText(a.name, b.name));
  } catch (error) {
    return {
      code: "directory_unreadable",
      reason: `${dir} cannot be listed (${toErrno(error)}).`,
      fix: "Name a folder that this user may read.",
    };
  } finally {
    opened?.closeSync();
  }
}

function tooLarge(dir: string): Refusal {
  return {
    code: "directory_too_large",
    reason: `${dir} has more than ${MAX_NAMES} names; none of them is looked at.`,
    fix: "Keep tools in a folder of their own.",
  };
}

function addChild(entry: Dirent, scope: string, listing: Listing): void {
  const module = MODULE.exec(entry.name);
  const isMeant = OTHER_MODULE.test(entry.name);
  if (isIgnored(entry, isMeant)) return;
  const name = scope + entry.name;
  const target = isLegal(entry.name) ? toTarget(entry, name, listing) : illegalName(entry.name);
  if ("code" in target) listing.refused.push({ name, refusal: target });
  else if (target.kind === "folder") listing.children.push({ name, ...target });
  else if (module !== null) listing.children.push({ name: scope + (module[1] ?? ""), ...target });
  else if (isMeant) listing.refused.push({ name, refusal: otherModule(entry.name) });
}

function otherModule(name: string): Refusal {
  return {
    code: "declaration_invalid",
    reason: `${quote(name)} is no module that is loaded: those end in .js, .mjs, .cjs or .ts.`,
    fix: "Rename or build it, or move it elsewhere.",
  };
}

/** What could not bring tools is nobody's business, hostile or not. */
function isIgnored(entry: Dirent, isModule: boolean): boolean {
  if (entry.isDirectory()) return IGNORED_FOLDER.test(entry.name);
  if (isModule) return IGNORED_FILE.test(entry.name);
  return !entry.isSymbolicLink() || IGNORED_FOLDER.test(entry.name);
}

/** True for a name that an id can show. */
function isLegal(name: string): boolean {
  return escapeHiddenText(name) === name && !/[\n\r\t\\:]/.test(name);
}

type Target = Pick<DirectoryChild, "kind" | "path">;

function isFolder(target: Target | Refusal): boolean {
  return "kind" in target && target.kind === "folder";
}

/** What an entry is with links followed; links must stay inside the directory. */
function toTarget(entry: Dirent, name: string, { place, fs }: Listing): Target | Refusal {
  const named = `./${name}`;
  if (entry.isDirectory()) return { kind: "folder", path: named };
  if (entry.isFile()) return { kind: "module", path: named };
  if (!entry.isSymbolicLink()) return irregular(name);
  try {
    const real = fs.realpathSync(path.join(place.dir, name));
    if (!real.startsWith(place.realDir + path.sep)) {
      return {
        code: "path_escapes_package",
        reason: `${quote(name)} is a link that leaves ${place.dir}.`,
        fix: "Put the files themselves into the directory, or name their folder as a directory of its own.",
      };
    }
    const stats = fs.statSync(real);
    const inside = path.relative(place.realDir, real).split(path.sep).join("/");
    if (stats.isDirectory()) return { kind: "folder", path: `./${inside}` };
    return stats.isFile() ? { kind: "module", path: named } : irregular(name);
  } catch (error) {
    return {
      code: "link_target_missing",
      reason: `${quote(name)} is a link that cannot be followed (${toErrno(error)}).`,
      fix: "Correct or remove the link.",
    };
  }
}

function irregular(name: string): Refusal {
  return {
    code: "declaration_invalid",
    reason: `${quote(name)} is no regular file; it is not opened.`,
    fix: "Remove it, or put a module in its place.",
  };
}

function illegalName(name: string): Refusal {
  return {
    code: "tool_name_invalid",
    reason: `${quote(name)} has characters that an id cannot show.`,
    fix: "Rename it.",
  };
}
