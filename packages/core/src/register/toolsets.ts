import type { AiwConfig } from "../config/aiw-config.ts";
import type { ToolEntry } from "../contract/tool-source.ts";
import { AiwError } from "../errors/aiw-error.ts";
import { nearestNames } from "../schema/nearest-names.ts";
import { compareText, createFinding, quote } from "./create-finding.ts";
import type { Finding } from "./discovery-report.ts";
import { filterSpecs, type SpecFilter } from "./filter-specs.ts";
import { keepNames } from "./keep-names.ts";
import { matchesTool } from "./match-tool.ts";
import { resolveNames, type ResolvedNames } from "./resolve-names.ts";

/** Toolsets by name, as configured. */
export type Toolsets = NonNullable<AiwConfig["toolsets"]>;

/** The tools of a toolset, and what its definition names that no tool is. */
export interface ResolvedToolset {
  /** Names mean what they mean without the toolset: an excluded owner leaves its name to nobody. */
  readonly names: ResolvedNames;
  /** Patterns of `include` and `exclude`, its own and inherited, that fit none of the tools. */
  readonly unmatched: readonly UnmatchedPattern[];
}

/** A pattern that fits no tool: misspelt, or of a package that is not there. */
export interface UnmatchedPattern {
  readonly toolset: string;
  readonly key: "include" | "exclude";
  readonly pattern: string;
  /** Names and ids that may have been meant. */
  readonly nearest: readonly string[];
}

/** Lists what the definitions name that no tool is; only once every tool is known it means anything. */
export function listUnmatched(toolsets: Toolsets, names: ResolvedNames): UnmatchedPattern[] {
  const entries = [...names.byId.values()];
  const unmatched: UnmatchedPattern[] = [];
  for (const toolset of Object.keys(toolsets).toSorted(compareText))
    unmatched.push(...findUnmatched({ toolset, toolsets, entries, limit: MAX_UNMATCHED - unmatched.length }));
  return unmatched;
}

/** Patterns that are named: looking for what each may have meant takes time, and nobody reads more. */
const MAX_UNMATCHED = 20;

/** Says it of one pattern; `project` is whose configuration it is. */
export function toUnmatchedFinding({ toolset, key, pattern, nearest }: UnmatchedPattern, project: string): Finding {
  const pointer = `/toolsets/${toolset}/${key}`;
  return createFinding({
    code: "toolset_unmatched",
    package: project,
    pointer,
    reason: `The toolset ${toolset} names ${quote(pattern)} in ${key}, and no tool is called so.`,
    fix: nearest[0] === undefined ? `Correct ${pointer}, or install the package.` : `Did you mean ${nearest[0]}?`,
  });
}

/** One definition of a chain of inheritance. */
type Definition = Toolsets[string];

/**
 * Selects the tools of a toolset: what its parents select, what meets all of its conditions and what it includes, without what it
 * excludes. Its `exclude` holds for all of these; a child may include again what a parent excludes. A short name includes the
 * tool that owns it, not others that claim it.
 * @throws AiwError `toolset_unknown` for a name that nothing defines, `config_invalid` for one that inherits from itself or from nothing.
 */
export function resolveToolset(name: string, toolsets: Toolsets, names: ResolvedNames): ResolvedToolset {
  const selected = select({ name, toolsets, names, known: new Map() }, []);
  return {
    names: keepNames(names, (entry) => selected.has(entry)),
    get unmatched(): readonly UnmatchedPattern[] {
      const entries = [...names.byId.values()];
      return listLineage(name, toolsets).flatMap((toolset) =>
        findUnmatched({ toolset, toolsets, entries, limit: MAX_UNMATCHED }),
      );
    },
  };
}

/**
 * Checks that every parent exists and none is its own ancestor.
 * @throws AiwError `config_invalid`
 */
export function assertToolsets(toolsets: Toolsets): void {
  const known: Selection["known"] = new Map();
  for (const name of Object.keys(toolsets)) select({ name, toolsets, names: NO_NAMES, known }, []);
}

const NO_NAMES: ResolvedNames = resolveNames([]);

interface Selection {
  readonly name: string;
  readonly toolsets: Toolsets;
  readonly names: ResolvedNames;
  /** What was selected already: a parent is asked once, however many children name it. */
  readonly known: Map<string, ReadonlySet<ToolEntry | undefined>>;
}

function select(selection: Selection, path: readonly string[]): ReadonlySet<ToolEntry | undefined> {
  const { name, toolsets, names, known } = selection;
  const decided = known.get(name);
  if (decided !== undefined) return decided;
  const definition = findDefinition(name, toolsets, path);
  const { extends: parents = [], include = [], exclude = [] } = definition;
  const lineage = [...path, name];
  const inherited = parents.map((parent) => select({ ...selection, name: parent }, lineage));
  const meetsConditions = toConditions(definition);
  const selected = new Set<ToolEntry | undefined>();
  for (const entry of names.byId.values()) {
    const isIn =
      inherited.some((parent) => parent.has(entry)) ||
      meetsConditions(entry) ||
      include.some((pattern) => isIncluded(pattern, entry, names));
    if (isIn && !exclude.some((pattern) => matchesTool(pattern, entry))) selected.add(entry);
  }
  known.set(name, selected);
  return selected;
}

/** A tool that lost its name is not the one that whoever wrote the name thought of. */
function isIncluded(pattern: string, entry: ToolEntry, { byName }: ResolvedNames): boolean {
  if (!matchesTool(pattern, entry)) return false;
  return (
    byName.get(entry.name) === entry ||
    pattern !== entry.name ||
    pattern === entry.id ||
    pattern === entry.origin.package
  );
}

function findDefinition(name: string, toolsets: Toolsets, path: readonly string[]): Definition {
  if (path.includes(name)) {
    const circle = [...path.slice(path.indexOf(name)), name].join(" → ");
    throw new AiwError("config_invalid", `The toolset ${name} inherits from itself: ${circle}.`, {
      fix: `Remove ${JSON.stringify(name)} from /toolsets/${path.at(-1) ?? name}/extends.`,
    });
  }
  const definition = Object.hasOwn(toolsets, name) ? toolsets[name] : undefined;
  if (definition !== undefined) return definition;
  const known = Object.keys(toolsets).toSorted(compareText);
  const [nearest] = nearestNames(name, known, 1);
  const by = path.length === 0 ? "" : `, which ${path.at(-1)} extends`;
  throw new AiwError(
    path.length === 0 ? "toolset_unknown" : "config_invalid",
    `No toolset is called ${JSON.stringify(name)}${by}.`,
    {
      fix:
        nearest === undefined
          ? `Define it under toolsets${known.length === 0 ? "" : `, or name one of ${known.join(", ")}`}.`
          : `Did you mean ${nearest}?`,
    },
  );
}

/** A definition without a single condition selects nothing by conditions: an empty filter would be every tool. */
function toConditions(definition: Definition): (entry: ToolEntry) => boolean {
  const { extends: _parents, include: _include, exclude: _exclude, ...filter } = definition;
  if (Object.values(filter).every((condition) => condition === undefined)) return () => false;
  return ({ spec }) => spec !== undefined && filterSpecs([spec], filter satisfies SpecFilter).length > 0;
}

function listLineage(name: string, toolsets: Toolsets): string[] {
  const lineage = new Set([name]);
  for (const member of lineage) for (const parent of toolsets[member]?.extends ?? []) lineage.add(parent);
  return [...lineage];
}

interface UnmatchedSearch {
  readonly toolset: string;
  readonly toolsets: Toolsets;
  readonly entries: readonly ToolEntry[];
  readonly limit: number;
}

function findUnmatched({ toolset, toolsets, entries, limit }: UnmatchedSearch): UnmatchedPattern[] {
  const unmatched = (["include", "exclude"] as const)
    .flatMap((key) => (toolsets[toolset]?.[key] ?? []).map((pattern) => ({ toolset, key, pattern })))
    .filter(({ pattern }) => !entries.some((entry) => matchesTool(pattern, entry)))
    .slice(0, limit);
  if (unmatched.length === 0) return [];
  const words = entries.flatMap(({ id, name, origin }) => [name, id, ...(origin.package ? [origin.package] : [])]);
  return unmatched.map((one) => ({ ...one, nearest: nearestNames(one.pattern, words) }));
}
