import { toPointer } from "../../schema/json-pointer.ts";
import type { AiwConfig } from "../../config/aiw-config.ts";
import { matchGlob } from "../../schema/match-glob.ts";
import { nearestNames } from "../../schema/nearest-names.ts";
import { createFinding, quote, toShownText } from "../create-finding.ts";
import type { Finding } from "../discovery-report.ts";
import { matchesTool, mayMeanToolOf, type NamedTool } from "../match-tool.ts";

/** What the patterns of a configuration are held against; only once every tool is known it means anything. */
export interface PatternGround {
  readonly config: AiwConfig;
  /** Every tool that was listed, switched off or not. */
  readonly tools: readonly NamedTool[];
}

/** Whose configuration it is, and what nobody looked into. */
export interface PatternPlace {
  readonly project: string;
  /** Packages that are known and whose tools are not. */
  readonly unread: readonly string[];
}

/** Patterns that are named: looking for what each may have meant takes time, and nobody reads more. */
const MAX_UNMATCHED = 20;

/** One pattern, and where it stands. */
interface PlacedPattern {
  readonly pattern: string;
  readonly pointer: string;
  readonly means: (tool: NamedTool) => boolean;
}

/** Rules of the project's file are named after it; those of a host may be about tools of other projects. */
const OF_FILE = "aiw.config.json#";

/** Says of each pattern that switches or rules and fits no tool that it does nothing: a misspelt denial protects nobody. */
export function findUnmatchedPatterns({ config, tools }: PatternGround, { project, unread }: PatternPlace): Finding[] {
  return listPatterns(config)
    .filter(({ pattern, means }) => !tools.some(means) && !unread.some((key) => mayMeanToolOf(pattern, key)))
    .slice(0, MAX_UNMATCHED)
    .map((one) => toFinding(one, project, tools));
}

function listPatterns({ tools = {}, policy = {} }: AiwConfig): PlacedPattern[] {
  const switches = (["enabled", "disabled"] as const).flatMap((key) =>
    (tools[key] ?? []).map((pattern) => ({
      pattern,
      pointer: `/tools/${key}`,
      means: (tool: NamedTool) => matchesTool(pattern, tool),
    })),
  );
  const rules = (policy.rules ?? []).flatMap(({ id = "", match: { tool: pattern } }) =>
    pattern === undefined || !id.startsWith(OF_FILE)
      ? []
      : [
          {
            pattern,
            pointer: id.slice(OF_FILE.length),
            means: ({ id: toolId, name }: NamedTool) => matchGlob(pattern, toolId) || matchGlob(pattern, name),
          },
        ],
  );
  return [...switches, ...listPreferences(tools), ...rules];
}

/** A preference names a tool and the package that is to have the name. */
function listPreferences({ prefer = {} }: NonNullable<AiwConfig["tools"]>): PlacedPattern[] {
  return Object.entries(prefer).map(([name, key]) => ({
    pattern: `${key}/${name}`,
    pointer: toPointer(["tools", "prefer", name]),
    means: (tool) => tool.name === name && tool.origin.package === key,
  }));
}

/** A rule with an id of its own is known by that, any other pattern by its place in the file. */
function toPlace(pointer: string): string {
  return pointer.startsWith("/") ? toShownText(pointer) : `the rule whose id is ${quote(pointer)}`;
}

function toFinding({ pattern, pointer }: PlacedPattern, project: string, tools: readonly NamedTool[]): Finding {
  const words = tools.flatMap(({ id, name, origin }) => [name, id, ...(origin.package ? [origin.package] : [])]);
  const [nearest] = nearestNames(pattern, words, 1);
  const where = toPlace(pointer);
  return createFinding({
    code: "pattern_unmatched",
    package: project,
    pointer,
    reason: `${where.charAt(0).toUpperCase()}${where.slice(1)} names ${quote(pattern)}, and no tool that was looked at is called so: it does nothing.`,
    fix: nearest === undefined ? `Correct ${where}, or install the package.` : `Did you mean ${nearest}?`,
  });
}
