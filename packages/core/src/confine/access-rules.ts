import { ToolError } from "../errors/tool-error.ts";
import type { WorkspaceRoots } from "../contract/tool-context.ts";
import { matchesDenied, readDenyPattern, type DenyBranch } from "./deny-pattern.ts";
import type { FileSystemPort } from "./file-system-port.ts";
import { foldForRules } from "./fold-for-rules.ts";
import type { OpenRoots } from "./open-roots.ts";
import { canonicalNames } from "./canonical-names.ts";
import { pathFlavour, splitPath } from "./resolve-path.ts";

/** What is about to be done with an entry. */
export type AccessIntent = "read" | "write";

/** Why an entry is kept from tools. */
export interface AccessRefusal {
  readonly code: "denied_by_policy" | "protected_path";
  /** What the message says before the path. */
  readonly reason: string;
  readonly suggestion: string;
}

/** The host's rules on entries inside the roots (SEC-FS-8); names are real ones, from the top. */
export interface AccessRules {
  /** Whether anything may be kept from reading. */
  readonly hasDenials: boolean;
  /** Whether there is no rule at all. */
  readonly isEmpty: boolean;
  /** Names of what rules reach through links: who exchanges such a link changes what the rule is about. */
  readonly linked: readonly (readonly string[])[];
  /** Says what keeps this entry, or a folder on the way to it, from tools. */
  refusal(names: readonly string[], intent: AccessIntent): AccessRefusal | undefined;
}

/** The failure that tells a refusal. */
export function toRefusal({ code, reason, suggestion }: AccessRefusal, shown: string): ToolError {
  return new ToolError(code, `${reason}: ${shown}`, { suggestion });
}

/** What rules are read for. */
export interface RuleContext {
  readonly fileSystem: FileSystemPort;
  readonly platform: NodeJS.Platform;
  readonly roots: OpenRoots;
  /** What `~` stands for. */
  readonly home: string;
  /** What is neither read nor written where a root holds it. */
  readonly kept: readonly KeptPlace[];
}

/** A file or folder that is no tool's business, and why. */
export interface KeptPlace {
  /** Absolute. */
  readonly path: string;
  /** What the message says before the path that was asked for. */
  readonly reason: string;
  readonly suggestion: string;
}

interface RuleReading extends RuleContext {
  /** Collects what is found through links. */
  readonly linked: (readonly string[])[];
}

interface Rule {
  /** Folded names from the top. */
  readonly base: readonly string[];
  /** Absent when everything at and below the base is meant. */
  readonly branch: DenyBranch | undefined;
  readonly writesOnly: boolean;
  readonly refusal: AccessRefusal;
}

/**
 * Reads the rules of a workspace; what they name is found through links, like the paths they are compared with.
 * @throws ToolError `options_invalid` for a rule that cannot be read.
 */
export async function readAccessRules(workspace: WorkspaceRoots, given: RuleContext): Promise<AccessRules> {
  const context: RuleReading = { ...given, linked: [] };
  const rules = await Promise.all([
    ...(workspace.deny ?? []).map(async (pattern) => await toDenyRules(workspace, context, pattern)),
    ...(workspace.readOnly ?? []).map(async (folder) => await toReadOnlyRules(workspace, context, folder)),
    ...context.kept.map(async (place) => await toKeptRules(context, place)),
  ]);
  return toAccessRules(rules.flat(), context);
}

function toAccessRules(rules: readonly Rule[], { platform, linked }: RuleReading): AccessRules {
  if (rules.length === 0) return { hasDenials: false, isEmpty: true, linked, refusal: () => undefined };
  return {
    isEmpty: false,
    linked,
    hasDenials: rules.some(({ writesOnly }) => !writesOnly),
    refusal(names, intent) {
      const folded = names.map(foldForRules);
      const found = rules.find((rule) => (intent === "write" || !rule.writesOnly) && applies(rule, names, folded));
      if (found !== undefined) return found.refusal;
      // The short name of NTFS is another spelling of a name that a rule may mean.
      return platform === "win32" && SHORT_NAME.test(names.at(-1) ?? "") ? OF_SHORT_NAMES : undefined;
    },
  };
}

function applies({ base, branch }: Rule, names: readonly string[], folded: readonly string[]): boolean {
  if (folded.length < base.length || !base.every((name, index) => folded[index] === name)) return false;
  return branch === undefined || matchesDenied(branch, names.slice(base.length), folded.slice(base.length));
}

const SHORT_NAME = /^[^.~]{1,6}~\d+(?:\.[^.]{0,3})?$/u;
const OF_SHORT_NAMES: AccessRefusal = {
  code: "denied_by_policy",
  reason: "Where rules keep files from tools, short names of Windows are not followed",
  suggestion: "Use the long name of the file.",
};

async function toDenyRules(workspace: WorkspaceRoots, context: RuleReading, pattern: string): Promise<Rule[]> {
  const { branches, problem } = readDenyPattern(pattern, context.platform);
  if (problem !== undefined) {
    throw new ToolError("options_invalid", `A deny rule of the workspace cannot be read: ${problem.message}`, {
      suggestion: problem.suggestion,
    });
  }
  const refusal: AccessRefusal = {
    code: "denied_by_policy",
    reason: `A rule of the workspace keeps it from tools (deny ${JSON.stringify(pattern)})`,
    suggestion: "Go on without it, or ask the user: only they can change the rule.",
  };
  const rules: Rule[] = [];
  for (const branch of branches) {
    for (const base of await basesOf(workspace, context, branch)) {
      const isWhole = branch.rest.length === 0;
      rules.push({ base: base.map(foldForRules), branch: isWhole ? undefined : branch, writesOnly: false, refusal });
    }
  }
  return rules;
}

/** Where a rule's pattern begins: as it is written, and where links on that way lead. */
async function basesOf(
  workspace: WorkspaceRoots,
  context: RuleReading,
  { base, isAbsolute }: DenyBranch,
): Promise<(readonly string[])[]> {
  if (isAbsolute) return await bothSpellings(context, base);
  if (base[0] === "~")
    return await bothSpellings(context, [...splitPath(context.home, context.platform), ...base.slice(1)]);
  const from = [workspace.cwd, ...workspace.roots].map((folder) =>
    absoluteNames(folder, workspace.cwd, context.platform),
  );
  const found = await Promise.all(
    distinct(from).map(async (names) => await bothSpellings(context, climb(names, base))),
  );
  return distinct(found.flat());
}

async function toReadOnlyRules(workspace: WorkspaceRoots, context: RuleReading, folder: string): Promise<Rule[]> {
  if (/[*?]/u.test(folder)) {
    throw new ToolError("options_invalid", `A read-only folder is named, not matched: ${JSON.stringify(folder)}`, {
      suggestion: "Name each folder; patterns are for what is denied.",
    });
  }
  const refusal: AccessRefusal = {
    code: "denied_by_policy",
    reason: `Nothing is written in a read-only folder of the workspace (${JSON.stringify(folder)})`,
    suggestion: "Write to another folder, or ask the user: only they can change what is read-only.",
  };
  const home = folder === "~" || folder.startsWith("~/");
  const path = home ? pathFlavour(context.platform).join(context.home, folder.slice(1)) : folder;
  const bases = await bothSpellings(context, absoluteNames(path, workspace.cwd, context.platform));
  return bases.map((base) => ({ base: base.map(foldForRules), branch: undefined, writesOnly: true, refusal }));
}

/** The journal of changes holds what files had, denied or not; what is written there, or into the record of trust, is believed later. */
async function toKeptRules(context: RuleReading, { path, reason, suggestion }: KeptPlace): Promise<Rule[]> {
  const { platform, roots } = context;
  const refusal: AccessRefusal = { code: "protected_path", reason, suggestion };
  const bases = await bothSpellings(context, splitPath(path, platform));
  const within = bases.filter((base) => roots.names.some((root) => isBelow(root, base)));
  return within.map((base) => ({ base: base.map(foldForRules), branch: undefined, writesOnly: false, refusal }));

  /** A root inside the folder was named on purpose. */
  function isBelow(root: readonly string[], base: readonly string[]): boolean {
    return (
      base.length > root.length && root.every((name, index) => foldForRules(base[index] ?? "") === foldForRules(name))
    );
  }
}

/** Names as written (below a root: with the root's real names), and as they are without links. */
async function bothSpellings(context: RuleReading, names: readonly string[]): Promise<(readonly string[])[]> {
  const { fileSystem, platform, roots } = context;
  const written = roots.toRealNames(names);
  const real = await canonicalNames(fileSystem, written, platform);
  const spellings = distinct([written, real]);
  if (spellings.length > 1) context.linked.push(written);
  return spellings;
}

function absoluteNames(folder: string, cwd: string, platform: NodeJS.Platform): string[] {
  return splitPath(pathFlavour(platform).resolve(cwd, folder), platform);
}

function climb(from: readonly string[], names: readonly string[]): string[] {
  const result = [...from];
  for (const name of names) {
    if (name === "..") result.pop();
    else result.push(name);
  }
  return result;
}

function distinct(paths: readonly (readonly string[])[]): (readonly string[])[] {
  return [...new Map(paths.map((names) => [JSON.stringify(names), names])).values()];
}
