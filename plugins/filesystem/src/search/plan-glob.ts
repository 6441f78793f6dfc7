import { ToolError } from "@aiw/core";
import { matchPath, mayMatchBelow, type FileKind, type GlobBranch, type Workspace } from "@aiw/core/node";
import { isAbsolute } from "node:path";
import { filesystemError } from "../errors.ts";
import { assertFewBranches, parseGlob } from "./parse-glob.ts";

/** A folder to walk and what is wanted below it. */
export interface GlobWalk {
  /** As the workspace opens it. */
  readonly path: string;
  /** Names from the folder asked for; none when the pattern leaves it. */
  readonly prefix: readonly string[];
  admits(names: readonly string[]): boolean;
  /** `admits` for a whole path, where the pattern is about the end of the last name alone. */
  readonly admitsKey?: (key: string) => boolean;
  mayEnter(folder: readonly string[]): boolean;
}

/** What patterns ask for. */
export interface GlobPlan {
  /** Paths that exist under exactly the name that was given. */
  readonly literals: readonly string[];
  readonly walks: readonly GlobWalk[];
}

/** What a plan is made of. */
export interface GlobRequest {
  readonly path: string;
  /** Without negated ones. */
  readonly patterns: readonly string[];
  /** Absent: a pattern without capital letters ignores case. */
  readonly caseSensitive: boolean | undefined;
}

interface Part {
  readonly base: readonly string[];
  readonly branch: GlobBranch;
  readonly ignoreCase: boolean;
}

/**
 * Splits patterns into names that exist as they are written, and walks from the deepest folder each names in full.
 * @throws ToolError `invalid_glob`, and `outside_root` when a pattern leaves the workspace.
 */
export async function planGlob(workspace: Workspace, request: GlobRequest): Promise<GlobPlan> {
  const literals: string[] = [];
  const parts: Part[] = [];
  for (const pattern of request.patterns) {
    const literal = isAbsolute(pattern) ? pattern : joinPath(request.path, [pattern]);
    if ((await kindAt(workspace, literal)) !== undefined) {
      literals.push(literal);
      continue;
    }
    const ignoreCase = request.caseSensitive === undefined ? !/\p{Lu}/u.test(pattern) : !request.caseSensitive;
    const branches = parseGlob(pattern);
    assertFewBranches(parts.length + branches.length);
    for (const branch of branches) {
      parts.push(await toPart(workspace, { request, pattern, branch, ignoreCase }));
    }
  }
  const walks = new Map<string, Part[]>();
  for (const part of parts) {
    const key = JSON.stringify(part.base);
    walks.set(key, [...(walks.get(key) ?? []), part]);
  }
  return { literals, walks: [...walks.values()].map((group) => toWalk(request.path, group)) };
}

interface Draft {
  readonly request: GlobRequest;
  readonly pattern: string;
  readonly branch: GlobBranch;
  readonly ignoreCase: boolean;
}

/** Takes names off a branch's front as long as each is a folder under exactly that name. */
async function toPart(workspace: Workspace, { request, pattern, branch, ignoreCase }: Draft): Promise<Part> {
  const base: string[] = isAbsolute(pattern) ? ["/"] : [];
  const must = leadingLiterals(branch);
  let taken = 0;
  for (const segment of branch.slice(0, -1)) {
    const name = segment.kind === "folders" ? undefined : (segment.literal ?? segment.source);
    if (name === undefined) break;
    const isUp = name === "..";
    const next = toPath(request.path, [...base, name]);
    // A set in brackets may be part of a folder's name; other patterns are not tried.
    const isLikely = segment.kind === "name" && (segment.literal !== undefined || name.startsWith("["));
    const kind = isLikely ? await kindAt(workspace, next) : undefined;
    if (kind !== "directory" && !isUp) break;
    base.push(name);
    taken += 1;
  }
  const rest = branch.slice(taken);
  if (rest.some((segment) => segment.kind === "name" && segment.literal === "..")) {
    throw filesystemError(
      "invalid_glob",
      `".." must stand before the first wildcard: ${JSON.stringify(pattern.slice(0, 200))}`,
      {
        suggestion: "Name the folder to search as path instead.",
      },
    );
  }
  // An absolute pattern whose folders do not exist has nothing to match; walking from the top would leave the workspace.
  const isMissing = isAbsolute(pattern) && taken < must && taken < branch.length - 1;
  return { base, branch: isMissing ? [] : rest, ignoreCase };
}

function leadingLiterals(branch: GlobBranch): number {
  const index = branch.findIndex((segment) => segment.kind === "folders" || segment.literal === undefined);
  return index === -1 ? branch.length : index;
}

function toWalk(path: string, group: readonly Part[]): GlobWalk {
  const base = group[0]?.base ?? [];
  const parts = group.filter(({ branch }) => branch.length > 0);
  const endings = parts.map(endingOf);
  const isPlain = endings.every((ending) => ending !== undefined);
  return {
    ...(isPlain && { admitsKey: (key) => endings.some((ending) => ending?.(key) === true) }),
    path: toPath(path, base),
    prefix: base.includes("/") || base.includes("..") ? [] : base,
    admits: (names) => parts.some(({ branch, ignoreCase }) => matchPath(branch, names, { ignoreCase })),
    mayEnter: (folder) => parts.some(({ branch, ignoreCase }) => mayMatchBelow(branch, folder, { ignoreCase })),
  };
}

/** Reads patterns that are about the last letters of a name at any depth, which meet the most files. */
function endingOf({ branch, ignoreCase }: Part): ((key: string) => boolean) | undefined {
  const [folders, name, ...more] = branch;
  if (folders?.kind !== "folders" || name?.kind !== "name" || more.length > 0) return undefined;
  const [star, ...rest] = name.tokens;
  if (star?.kind !== "many" || rest.some(({ kind }) => kind !== "character")) return undefined;
  const ending = rest.map((token) => (token.kind === "character" ? token.text : "")).join("");
  if (ending === "") return () => true;
  // Where letters have forms of other lengths, names are compared one character at a time.
  if (ignoreCase && !/^[\x21-\x7e]*$/u.test(ending)) return undefined;
  if (!ignoreCase) return (key) => key.endsWith(ending);
  const lower = ending.toLowerCase();
  return (key) => key.endsWith(ending) || key.slice(-lower.length).toLowerCase() === lower;
}

function toPath(path: string, base: readonly string[]): string {
  return base[0] === "/" ? `/${base.slice(1).join("/")}` : joinPath(path, base);
}

function joinPath(path: string, names: readonly string[]): string {
  return [path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path, ...names].join("/").replace(/^\/\//u, "/");
}

/** What stands at a path, links followed; a path that leaves the workspace is no mere absence. */
async function kindAt(workspace: Workspace, path: string): Promise<FileKind | undefined> {
  try {
    return (await workspace.stat(path)).kind;
  } catch (error) {
    if (ToolError.is(error) && error.code !== "outside_root" && error.code !== "cancelled") return undefined;
    throw error;
  }
}
