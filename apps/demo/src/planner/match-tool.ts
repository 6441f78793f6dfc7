import { capabilityOf } from "./capabilities.ts";
import { fillFromClause } from "./fill-from-clause.ts";
import type { IntentOf } from "./intent.ts";
import type { JsonRecord } from "./json.ts";
import { nameWords } from "./offered-tool.ts";
import type { OfferedTool } from "./offered-tool.ts";
import type { Clause } from "./split-clauses.ts";

/** The offered tool that fits a wish, with arguments or with what is missing for them. */
export type ToolMatch =
  | { kind: "complete"; tool: OfferedTool; input: JsonRecord }
  | { kind: "incomplete"; tool: OfferedTool; missing: readonly string[] };

const operators: readonly (readonly [RegExp, string])[] = [
  [/\d\s*\+\s*-?\d|\bplus\b|\bsum\b/iu, "add"],
  [/\d\s+-\s*\d|\bminus\b/iu, "subtract"],
  [/\d\s*[*×]\s*-?\d|\btimes\b|\bmultiplied\b/iu, "multiply"],
  [/\d\s*[/÷]\s*-?\d|\bdivided\b/iu, "divide"],
];

const silentWords = new Set(
  "a an the and or of to in on at for from with by is are be it its this that these as into please me my you your what which how do does can use call tool give tell get one two all any not no then".split(
    " ",
  ),
);

/** Finds the offered tool whose name and description fit a wish best, and fills its parameters. */
export function matchTool(
  { clause, toolName }: IntentOf<"use_tool">,
  tools: readonly OfferedTool[],
): ToolMatch | undefined {
  const named =
    toolName === undefined ? undefined : tools.find(({ name }) => name.toLowerCase() === toolName.toLowerCase());
  if (named !== undefined) return toMatch(named, clause);
  const words = clauseWords(clause);
  const fitting = tools
    .filter((tool) => capabilityOf(tool.name, tools) === undefined)
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score >= 2)
    .sort((left, right) => right.score - left.score);
  const matches = fitting.slice(0, 3).map(({ tool }) => toMatch(tool, clause));
  const best = fitting[0]?.score ?? 0;
  return (
    matches.find((match, index) => match.kind === "complete" && (fitting[index]?.score ?? 0) * 2 > best) ?? matches[0]
  );
}

/** The tool a clause names in full, unless its deed is one the planner has rules for. */
export function matchNamedTool(clause: Clause, tools: readonly OfferedTool[]): OfferedTool | undefined {
  const words = clauseWords(clause);
  return tools.find(({ name }) => {
    if (capabilityOf(name, tools) !== undefined) return false;
    const own = nameWords(name);
    const spelled = name.length > 3 && name.includes("_") && clause.text.toLowerCase().includes(name.toLowerCase());
    return spelled || (own.length > 1 && own.every((word) => words.has(stem(word))));
  });
}

function toMatch(tool: OfferedTool, clause: Clause): ToolMatch {
  const { input, missing } = fillFromClause(tool, clause);
  return missing.length === 0 ? { kind: "complete", tool, input } : { kind: "incomplete", tool, missing };
}

/** A word of the name counts most, but only the whole name fully; words of the description count one each. */
function scoreOf(tool: OfferedTool, words: ReadonlySet<string>): number {
  const own = nameWords(tool.name).filter((word) => !silentWords.has(word));
  const hits = own.filter((word) => words.has(stem(word))).length;
  const described = new Set(nameWords(tool.description).map(stem));
  const shared = [...words].filter((word) => described.has(word)).length;
  return (own.length === 0 ? 0 : (4 * hits) / own.length) + shared;
}

function clauseWords({ masked }: Clause): Set<string> {
  const meant = operators.filter(([pattern]) => pattern.test(masked)).map(([, word]) => word);
  const spoken = nameWords(masked).filter((word) => /\D/u.test(word) && !silentWords.has(word));
  return new Set([...spoken, ...meant].map(stem));
}

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/u, "").replace(/e$/u, "") : word.replace(/(?<=..)s$/u, "");
}
