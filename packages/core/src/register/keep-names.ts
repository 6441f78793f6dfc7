import type { ToolEntry } from "../contract/tool-source.ts";
import type { ResolvedNames } from "./resolve-names.ts";

/** The same names with some of the tools: each name means what it meant, and an owner that is left out leaves its name to nobody. */
export function keepNames(names: ResolvedNames, isKept: (entry: ToolEntry) => boolean): ResolvedNames {
  const byId = new Map([...names.byId].filter(([, entry]) => isKept(entry)));
  // What was made for the whole list is true of the same list.
  if (byId.size === names.byId.size) return names;
  return Object.freeze({
    byName: new Map([...names.byName].filter(([, { id }]) => byId.has(id))),
    byId,
    shadowed: names.shadowed.filter(({ winner, losers }) => [winner, ...losers].every(({ id }) => byId.has(id))),
  });
}
