import { nearestNames, toWireId, type ToolEntry } from "@aiw/core";

/** Names that are suggested at most. */
const MOST = 3;

/** Characters of a name that is looked into. */
const MAX_LENGTH = 256;

/** What providers and frameworks put before a name, or between its parts. */
const SEPARATORS = /[./:]|__/u;

/** What may have been meant by a name that no tool has. */
export interface NameSuggestion {
  /** The likeliest first. */
  readonly names: readonly string[];
  /** The first one is the same name but for its case, its separators, or what stands before it. */
  readonly isSame: boolean;
}

/** Finds the tools somebody may have meant; one is only ever named, never called in place of another. */
export function suggestNames(name: string, offered: readonly ToolEntry[]): NameSuggestion {
  if (name.length > MAX_LENGTH) return { names: [], isSame: false };
  const known = offered.map((tool) => tool.name);
  const forms = toForms(name);
  const wired = offered.filter(({ id }) => forms.includes(toWireId(id)) || forms.includes(id)).map((tool) => tool.name);
  const equal = forms.flatMap((form) => known.filter((candidate) => toFolded(candidate) === toFolded(form)));
  const near = forms.flatMap((form) => nearestNames(form, known));
  const names = [...new Set([...wired, ...equal, ...near])].slice(0, MOST);
  return { names, isSame: wired.length + equal.length > 0 };
}

/** The name, and what is left of it without the parts before its separators. */
function toForms(name: string): string[] {
  const forms = [name];
  for (let rest = name, cut = SEPARATORS.exec(rest); cut !== null; cut = SEPARATORS.exec(rest)) {
    rest = rest.slice(cut.index + cut[0].length);
    if (rest !== "") forms.push(rest);
  }
  return forms;
}

function toFolded(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/gu, "");
}
