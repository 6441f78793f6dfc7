import { planNewCall } from "../goal.ts";
import type { GoalContext } from "../goal.ts";
import type { Capability, PlannedCall, Role } from "../capabilities.ts";

/** Finds another tool that only looks and answers what a simple shell command would have answered. */
export function equivalentCall(command: string, context: GoalContext): PlannedCall | undefined {
  if (/[|&;<>$`\\\n(){}*?[\]]/u.test(command)) return undefined;
  const [program, ...all] = command
    .trim()
    .split(/\s+/u)
    .map((word) => word.replaceAll(/^["']|["']$/gu, ""));
  const equivalent = equivalents.get(program ?? "");
  if (equivalent === undefined) return undefined;
  const { capability, values } = equivalent(
    all,
    all.filter((word) => !word.startsWith("-")),
  );
  return planNewCall(context, capability, { ...values, why: `instead of \`${command}\`, use a tool that only looks` });
}

interface Equivalent {
  capability: Capability;
  values: Partial<Record<Role, unknown>>;
}

/** Gets all words after the program, and those that are no options. */
type ToEquivalent = (all: readonly string[], words: readonly string[]) => Equivalent;

const toListing: ToEquivalent = (_all, [path = "."]) => ({ capability: "list_directory", values: { path } });
const toReading: ToEquivalent = (_all, [path]) => ({ capability: "read_file", values: { path, lineNumbers: false } });
const toSearching: ToEquivalent = (_all, [pattern, path = "."]) => ({
  capability: "search_text",
  values: { pattern, path, outputMode: "matches" },
});
const toFinding: ToEquivalent = (all, [path = "."]) => ({
  capability: "find_files",
  values: { pattern: nameOption(all) ?? "**/*", path },
});

const equivalents: ReadonlyMap<string, ToEquivalent> = new Map([
  ["ls", toListing],
  ["dir", toListing],
  ["cat", toReading],
  ["head", toReading],
  ["tail", toReading],
  ["less", toReading],
  ["grep", toSearching],
  ["rg", toSearching],
  ["find", toFinding],
]);

function nameOption(words: readonly string[]): string | undefined {
  const index = words.indexOf("-name");
  const name = index < 0 ? undefined : words[index + 1];
  return name === undefined ? undefined : `**/${name}`;
}
