import {
  expandBraces,
  findSetEnd,
  hasFolders,
  matchPath,
  MOST_BRANCHES,
  toBranch,
  type GlobBranch,
} from "@aiw/core/node";

/** Files that hold ignore rules; an earlier one outranks a later one, wherever they lie. */
export const RULE_FILES = [".rgignore", ".ignore", ".gitignore"] as const;

/** One line of a rule file. */
export interface IgnoreRule {
  readonly isNegated: boolean;
  readonly foldersOnly: boolean;
  /** The pattern from the folder of its file, without what the other fields say. */
  readonly path: string;
  readonly branches: readonly GlobBranch[];
}

/** The rules of one folder; `depth` is its distance from where entries' names begin. */
export interface FolderRules {
  readonly depth: number;
  /** In the order of `RULE_FILES`. */
  readonly rules: readonly (readonly IgnoreRule[])[];
}

/** The rules of a folder and of those above it, outermost first. */
export type IgnoreChain = readonly FolderRules[];

const LONGEST_RULE = 4096;
/** Alternatives of one file's rules; what comes later in a file rules nothing. */
const MOST_ALTERNATIVES = 10_000;

/** Reads the rules of a file; a line that is no pattern rules nothing. */
export function parseIgnoreRules(text: string): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  let alternatives = 0;
  for (const line of text.replace(/^\ufeff/u, "").split("\n")) {
    const rule = line.length > LONGEST_RULE ? undefined : parseRule(line.replace(/\r$/u, ""));
    if (rule === undefined) continue;
    alternatives += rule.branches.length;
    if (alternatives > MOST_ALTERNATIVES) break;
    rules.push(rule);
  }
  return rules;
}

/** Whether the rules hide an entry whose folder they do not hide. */
export function isIgnored(chain: IgnoreChain, names: readonly string[], isFolder: boolean): boolean {
  for (const index of RULE_FILES.keys()) {
    const rule = findRule(chain, { names, isFolder, index });
    if (rule !== undefined) return !rule.isNegated;
  }
  return false;
}

/** Writes a chain as one rule file of the folder where names begin; `folder` are the names of the innermost. */
export function toRuleFile(chain: IgnoreChain, folder: readonly string[]): string {
  const lines = RULE_FILES.toReversed().flatMap((_, order) =>
    chain.flatMap(({ depth, rules }) => {
      // A line feed would end the rule and begin another; a rule can only name it as any character.
      const prefix = folder
        .slice(0, depth)
        .map((name) => `${name.replaceAll(/[\\*?[\]{}!#]/gu, "\\$&").replaceAll("\n", "?")}/`);
      return (rules[RULE_FILES.length - 1 - order] ?? []).map(
        ({ isNegated, foldersOnly, path }) =>
          `${isNegated ? "!" : ""}/${prefix.join("")}${path}${foldersOnly ? "/" : ""}`,
      );
    }),
  );
  return `${lines.join("\n")}\n`;
}

/** Whether the rules hide an entry or a folder it lies in. */
export function isIgnoredAnywhere(
  chain: IgnoreChain,
  { names, isFolder }: { readonly names: readonly string[]; readonly isFolder: boolean },
): boolean {
  return names.some((_, index) => isIgnored(chain, names.slice(0, index + 1), isFolder || index < names.length - 1));
}

interface Question {
  readonly names: readonly string[];
  readonly isFolder: boolean;
  readonly index: number;
}

/** The innermost folder has the last word, and in a file its last rule. */
function findRule(chain: IgnoreChain, { names, isFolder, index }: Question): IgnoreRule | undefined {
  for (let at = chain.length - 1; at >= 0; at -= 1) {
    const folder = chain[at];
    if (folder === undefined || folder.depth >= names.length) continue;
    const below = names.slice(folder.depth);
    const rule = folder.rules[index]?.findLast(
      ({ foldersOnly, branches }) => (isFolder || !foldersOnly) && branches.some((branch) => matchPath(branch, below)),
    );
    if (rule !== undefined) return rule;
  }
  return undefined;
}

function parseRule(line: string): IgnoreRule | undefined {
  if (line.startsWith("#")) return undefined;
  const isNegated = line.startsWith("!");
  const pattern = trimEnd(isNegated ? line.slice(1) : line);
  const foldersOnly = pattern.endsWith("/");
  const path = pattern.replace(/\/$/u, "");
  if (path === "" || !isWellFormed(path)) return undefined;
  const anchored = hasFolders(path) ? path.replace(/^\/+/u, "") : `**/${path}`;
  const branches = (expandBraces(anchored, MOST_BRANCHES) ?? [anchored]).map(toBranch);
  return { isNegated, foldersOnly, path: anchored, branches };
}

/** Spaces at the end count only when escaped. */
function trimEnd(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === " ") end -= 1;
  let escapes = 0;
  while (pattern[end - 1 - escapes] === "\\") escapes += 1;
  return pattern.slice(0, end < pattern.length && escapes % 2 === 1 ? end + 1 : end);
}

function isWellFormed(pattern: string): boolean {
  for (let at = 0; at < pattern.length; at += 1) {
    if (pattern[at] === "\\") {
      if (at + 1 === pattern.length) return false;
      at += 1;
    } else if (pattern[at] === "[") {
      const end = findSetEnd(pattern, at);
      if (end === -1) return false;
      at = end;
    }
  }
  return true;
}
